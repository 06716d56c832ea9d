/** Reads the configuration files of docs/guides/high-availability.md, so that the cluster runs what the guide prints. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const GUIDE = join(import.meta.dirname, '../../docs/guides/high-availability.md');

/** Returns the code block of the guide whose first line, a comment, names this file. */
export async function readGuideFile(name: string): Promise<string> {
  const text = await readFile(GUIDE, 'utf8');
  const blocks = [...text.matchAll(/^```\w+\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
  const found = blocks.find((code) => code.split('\n', 1)[0]?.includes(name));
  if (found === undefined) throw new Error(`the guide has no file ${name}`);
  return found;
}

/** Replaces the addresses and paths of the guide. Throws when the guide does not have one of them any more. */
export function adapt(text: string, changes: readonly (readonly [from: string, to: string])[]): string {
  return changes.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`the guide has no "${from}" to replace`);
    return changed.replaceAll(from, to);
  }, text);
}
