/**
 * `npm test`: one PostgreSQL for the whole run, then node's own test runner on top of it.
 *
 * The server has to exist before the runner starts, because test files run in processes of their own and learn its
 * address from the environment; each makes its own database there. Arguments: files, folders or globs to run instead
 * of everything, and any `--option=value` of `node --test`.
 */
import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../src/db/embedded.ts';

const DATABASE_URL_VARIABLE = 'SPONSORGATE_TEST_DATABASE_URL';

const EVERYTHING = [
  'src/**/*.test.ts',
  'clients/**/*.test.ts',
  'test/{api,attacks,bot,clients,console,fuzz,races,faults,properties,security}/**/*.test.ts',
];

const RUNNER_OPTIONS = [
  // One more than CI has cores: tests that kill processes mostly wait.
  '--test-concurrency=3',
  '--test-reporter=spec',
  // Long enough for the slowest race, short enough that a test which hangs fails with its name.
  '--test-timeout=300000',
];

process.chdir(join(import.meta.dirname, '..'));
const stopRequests = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopRequests.abort(signal));

process.exitCode = process.env[DATABASE_URL_VARIABLE] ? await runTests() : await withPostgres(runTests);

async function withPostgres(work: () => Promise<number>): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'sponsorgate-test-'));
  try {
    // Started by root, the server runs under another uid, which has to get through this folder to reach its data.
    await chmod(folder, 0o755);
    const lines: string[] = [];
    const server = await startEmbeddedPostgres({
      dataDir: join(folder, 'postgres'),
      log: (line: string) => lines.push(line),
      durable: false,
    }).catch((error: unknown) => {
      console.error(lines.join('\n'));
      throw error;
    });
    try {
      process.env[DATABASE_URL_VARIABLE] = server.url;
      return await work();
    } finally {
      await server.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function runTests(): Promise<number> {
  const given = process.argv.slice(2);
  const options = given.filter((argument) => argument.startsWith('-'));
  const files = given.filter((argument) => !argument.startsWith('-')).map(testsIn);
  const runner = spawn(
    process.execPath,
    ['--test', ...RUNNER_OPTIONS, ...options, ...(files.length > 0 ? files : EVERYTHING)],
    { stdio: 'inherit' },
  );
  const stopRunner = () => runner.kill(stopRequests.signal.reason as NodeJS.Signals);
  if (stopRequests.signal.aborted) stopRunner();
  stopRequests.signal.addEventListener('abort', stopRunner);
  return new Promise((resolve, reject) => {
    runner.on('error', reject);
    // A shell's habit: 128 and the signal's number for a process that a signal ended.
    runner.on('close', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}

/** The runner takes files and globs but no folders. */
function testsIn(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? join(path, '**/*.test.ts') : path;
}
