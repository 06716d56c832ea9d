import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const GUIDE = join(import.meta.dirname, '../../docs/guides/point-in-time.md');

/** Returns a block of the guide, unchanged. */
export async function readBlock(name: 'archive' | 'backup' | 'restore'): Promise<string> {
  const guide = await readFile(GUIDE, 'utf8');
  const marker = `<!-- tried by npm run drill:backup: ${name} -->\n\`\`\`sh\n`;
  const begin = guide.indexOf(marker);
  if (begin === -1) throw new Error(`the guide has no block "${name}"`);
  const from = begin + marker.length;
  return guide.slice(from, guide.indexOf('\n```', from));
}
