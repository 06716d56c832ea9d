/**
 * `npm test` and the other test commands: starts one PostgreSQL for the whole run, then Node's test runner in a few
 * processes.
 * Arguments: the name of a suite first (default `fast`), or files, folders and patterns to run instead of a suite, and
 * options of Node's test runner such as `--test-name-pattern=…`.
 */
import { join } from 'node:path';
import { fileLine, summary } from './runner/print.ts';
import { runFiles } from './runner/run-files.ts';
import { findTestFiles, SUITE_NAMES, SUITES, type SuiteName } from './runner/suites.ts';
import type { FileResult } from './runner/tally.ts';
import { withPostgres } from './runner/with-postgres.ts';

process.chdir(join(import.meta.dirname, '..'));
const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopped.abort());

const given = process.argv.slice(2);
const nodeOptions = given.filter((argument) => argument.startsWith('-'));
const names = given.filter((argument) => !argument.startsWith('-'));
const namedSuite = SUITE_NAMES.find((name) => name === names[0]);
const suite: SuiteName | undefined = namedSuite ?? (names.length === 0 ? 'fast' : undefined);
const named = namedSuite === undefined ? names : names.slice(1);
const files = findTestFiles(suite === undefined || named.length > 0 ? named : SUITES[suite]);
// Test files read the name of the suite: fuzz runs properties more often, fast goes through the bot in one language.
if (suite !== undefined) process.env.SPONSORGATE_TEST_SUITE = suite;
process.exitCode = await run();

async function run(): Promise<number> {
  if (files.length === 0) {
    console.error(`no test file matches ${named.join(' ')}`);
    return 1;
  }
  const begin = performance.now();
  const results: FileResult[] = [];
  const onResult = (result: FileResult): void => {
    results.push(result);
    console.log(fileLine(result));
  };
  await withPostgres(() => runFiles({ files, nodeOptions, signal: stopped.signal, onResult }));
  process.stdout.write(summary(results, performance.now() - begin));
  if (stopped.signal.aborted) return 130;
  return results.some(({ failures }) => failures.length > 0) ? 1 : 0;
}
