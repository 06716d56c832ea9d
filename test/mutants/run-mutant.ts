import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FromLane, ToLane } from '../runner/messages.ts';
import { type ChosenMutant, MUTANT_VARIABLE } from './chosen-mutant.ts';

export type Fate =
  /** A test failed; `by` is its file and name. */
  | { readonly fate: 'killed'; readonly by: string }
  /** No test ended for a long time, so the mutant probably waits or loops for ever. */
  | { readonly fate: 'hung'; readonly by: string }
  | { readonly fate: 'survived' };

const RUNNER = join(import.meta.dirname, '../runner');
const HOOK = pathToFileURL(join(import.meta.dirname, 'load-mutant.ts')).href;

export interface RunOptions {
  readonly mutant: ChosenMutant | undefined;
  readonly tests: readonly string[];
  /** How long the tests may print no result. */
  readonly silenceMs: number;
  readonly signal: AbortSignal;
}

/** Runs the tests on the mutated source and stops at the first that fails. */
export async function runMutant(options: RunOptions): Promise<Fate> {
  const fate = await runOnce(options);
  // A process can end because of a temporary problem of the machine. If the mutant is the cause, the process ends
  // again.
  return fate.fate === 'killed' && fate.by.includes(PROCESS_ENDED) ? runOnce(options) : fate;
}

const PROCESS_ENDED = 'the process ended';

/** Runs the test files one after the other in one process. */
async function runOnce({ mutant, tests, silenceMs, signal }: RunOptions): Promise<Fate> {
  const child = spawn(
    process.execPath,
    [
      ...(mutant === undefined ? [] : [`--import=${HOOK}`]),
      `--test-reporter=${join(RUNNER, 'forward-events.ts')}`,
      '--test-reporter-destination=stdout',
      join(RUNNER, 'lane.ts'),
    ],
    {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      // A separate process group: tests start processes, which must end with it.
      detached: true,
      env: { ...process.env, ...(mutant === undefined ? {} : { [MUTANT_VARIABLE]: JSON.stringify(mutant) }) },
    },
  );
  const exited = once(child, 'exit');
  const stop = (): void => {
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
      process.kill(-child.pid, 'SIGKILL');
    }
  };
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  const queue = [...tests];
  let file = '';
  const decided = Promise.withResolvers<Fate>();
  let silence: NodeJS.Timeout | undefined;
  const listen = (): void => {
    clearTimeout(silence);
    silence = setTimeout(() => decided.resolve({ fate: 'hung', by: file }), silenceMs);
  };
  const runNext = (): void => {
    listen();
    file = queue.shift() ?? '';
    if (file === '') decided.resolve({ fate: 'survived' });
    else child.send({ file } satisfies ToLane);
  };
  child.on('message', (message: FromLane) => {
    listen();
    // A warning reports work that outlived its test. The unmutated tests cause no warnings.
    if (message.kind === 'warned') decided.resolve({ fate: 'killed', by: `${file}: ${message.text}` });
    else if (message.outcome === 'failed') decided.resolve({ fate: 'killed', by: `${file}: ${message.name}` });
    else if (message.nesting === 0) runNext();
  });
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-2_000);
  });
  void exited.then(() => {
    const reason = errors.split('\n').find((line) => /Error\b/.test(line)) ?? errors;
    decided.resolve({ fate: 'killed', by: `${file}: ${PROCESS_ENDED}: ${reason}` });
  });
  runNext();
  try {
    return await decided.promise;
  } finally {
    clearTimeout(silence);
    signal.removeEventListener('abort', stop);
    stop();
    await exited;
  }
}
