import assert from 'node:assert/strict';
import { runCommand, type Settings } from './process.ts';

/**
 * Returns the lines of `sponsorgate doctor` about one subject, with single spaces. Also asserts that the exit code is 1
 * exactly when some line fails.
 */
export async function examineFor(subject: string, settings: Settings): Promise<string> {
  const { code, stdout, stderr } = await runCommand(['doctor'], settings);
  assert.deepEqual([code, stderr], [/^fail /m.test(stdout) ? 1 : 0, ''], stdout);
  return stdout
    .split('\n')
    .map((line) => line.replaceAll(/ +/g, ' '))
    .filter((line) => line.split(' ')[1] === subject)
    .join('\n');
}
