import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';

export interface Source {
  readonly file: string;
  readonly text: string;
}

const ROOT = join(import.meta.dirname, '../..');

/** Returns the source files that run on the server, without tests and browser code. */
export async function serverSources(): Promise<Source[]> {
  const files: string[] = [];
  for await (const file of glob('src/**/*.{ts,js}', { cwd: ROOT })) files.push(file.replaceAll('\\', '/'));
  return files
    .filter((file) => !/\.(?:test|fixture)\.ts$|^src\/web\/client\/|\/client\.js$/.test(file))
    .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }));
}

/** Returns `file: line` for every matching line. */
export function linesOf(sources: readonly Source[], pattern: RegExp): string[] {
  return sources.flatMap(({ file, text }) =>
    text.split('\n').flatMap((line) => (pattern.test(line) ? `${file}: ${line.trim()}` : [])),
  );
}
