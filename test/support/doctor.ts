import assert from 'node:assert/strict';
import { runCommand, type Settings } from './process.ts';

/** What `sponsorgate doctor` found about one subject: its lines, with single spaces. The exit code is checked against all. */
export async function examineFor(subject: string, settings: Settings): Promise<string> {
  const { code, stdout, stderr } = await runCommand(['doctor'], settings);
  assert.deepEqual([code, stderr], [/^fail /m.test(stdout) ? 1 : 0, ''], stdout);
  return stdout
    .split('\n')
    .map((line) => line.replaceAll(/ +/g, ' '))
    .filter((line) => line.split(' ')[1] === subject)
    .join('\n');
}
