import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CPU_SHARE_VARIABLE, throttle } from '../support/throttle.ts';
import type { FromLane, TestEnded, ToLane } from './messages.ts';
import { isIsolated, WAITING_FILES } from './suites.ts';
import { createTally, type FileResult } from './tally.ts';

export interface RunOptions {
  readonly files: readonly string[];
  /** Options of Node's test runner, such as `--test-name-pattern`. */
  readonly nodeOptions: readonly string[];
  readonly signal: AbortSignal;
  readonly onResult: (result: FileResult) => void;
}

/** Enough for the waiting files to end before the others. */
const WAITING_LANES = 2;
/** A test that runs longer fails with its name. The limit allows for a machine ten times slower than ours. */
const TEST_LIMIT_MS = 15 * 60_000;
/** How long a process may run after its last test. After that the runner reports an open handle. */
const END_LIMIT_MS = 120_000;

/** Runs the files in a few processes side by side and reports each file when it ends. */
export async function runFiles({ files, nodeOptions, signal, onResult }: RunOptions): Promise<void> {
  const isWaiting = (file: string): boolean => WAITING_FILES.includes(file);
  const work = async (queue: string[]): Promise<void> => {
    let lane: Lane | undefined;
    for (let file = queue.shift(); file !== undefined && !signal.aborted; file = queue.shift()) {
      lane ??= openLane({ nodeOptions, signal, isolated: isIsolated(file) });
      onResult(await lane.run(file));
      const next = queue[0];
      if (isIsolated(file) || next === undefined || isIsolated(next) || !lane.isAlive) {
        const endResult = await lane.end();
        if (endResult.failures.length > 0) onResult(endResult);
        lane = undefined;
      }
    }
  };
  const workers = (queue: string[], width: number): Promise<void>[] =>
    Array.from({ length: Math.min(queue.length, width) }, () => work(queue));
  await Promise.all([
    // One process more than there are cores: each waits for PostgreSQL some of the time. A second one more would keep
    // the cores no busier, and loads the service once more.
    ...workers(
      files.filter((file) => !isWaiting(file)),
      availableParallelism() + 1,
    ),
    ...workers(files.filter(isWaiting), WAITING_LANES),
  ]);
}

/** Each file is a suite. Other tests at the top were created by code that ran after an `await`. */
const isOutsideSuite = ({ nesting, isSuite }: TestEnded): boolean => nesting === 0 && !isSuite;
const describeOutside = ({ name, place }: TestEnded): string =>
  `"${name}" (${place}) was created after an await: create tests before it, or with t.test()`;

/** One process that runs test files one after the other. */
interface Lane {
  readonly isAlive: boolean;
  run(file: string): Promise<FileResult>;
  /** Ends the process. The result contains the failures that belong to no single file. */
  end(): Promise<FileResult>;
}

interface LaneOptions extends Pick<RunOptions, 'nodeOptions' | 'signal'> {
  readonly isolated: boolean;
}

function openLane({ nodeOptions, signal, isolated }: LaneOptions): Lane {
  const child = spawn(
    process.execPath,
    [
      `--import=${join(import.meta.dirname, 'untracked-promises.ts')}`,
      `--test-reporter=${join(import.meta.dirname, 'forward-events.ts')}`,
      '--test-reporter-destination=stdout',
      `--test-timeout=${TEST_LIMIT_MS}`,
      ...nodeOptions,
      join(import.meta.dirname, 'lane.ts'),
    ],
    {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { ...process.env, ...(isolated ? {} : { [CPU_SHARE_VARIABLE]: '1' }) },
    },
  );
  const exited = once(child, 'exit');
  // The service runs in the lane's process, so the lane is throttled. Isolated files start processes of the service,
  // which are throttled instead.
  if (!isolated) child.once('exit', throttle(child.pid));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const stop = (): void => void child.kill('SIGTERM');
  signal.addEventListener('abort', stop);
  const send = (message: ToLane): boolean => child.connected && child.send(message);
  let isAlive = true;
  let hasFailures = false;
  let lastFile = '';

  return {
    get isAlive() {
      return isAlive;
    },

    /** Sends the file to the process and counts its results until the file's suite or the process ends. */
    async run(file) {
      lastFile = file;
      output = '';
      const tally = createTally(file);
      const fileEnded = Promise.withResolvers<undefined>();
      const onMessage = (message: FromLane): void => {
        if (message.kind !== 'test-ended') return;
        if (isOutsideSuite(message)) {
          tally.addFileFailure(describeOutside(message));
          return;
        }
        tally.add(message);
        if (message.nesting === 0) fileEnded.resolve(undefined);
      };
      child.on('message', onMessage);
      send({ file });
      const exit = await Promise.race([fileEnded.promise, exited]);
      child.off('message', onMessage);
      if (exit !== undefined) {
        isAlive = false;
        tally.addFileFailure(`its process ended with ${exit[0] ?? exit[1]} before the file did`);
      }
      const result = tally.result(output);
      if (result.failures.length > 0) hasFailures = true;
      return result;
    },

    async end() {
      const tally = createTally(`the process that ended with ${lastFile}`);
      child.on('message', (message: FromLane) => {
        if (message.kind === 'warned') tally.addFileFailure(message.text);
        else if (isOutsideSuite(message)) tally.addFileFailure(describeOutside(message));
      });
      send({ file: null });
      const timeUp = sleep(END_LIMIT_MS, undefined, { ref: false });
      const exit = await Promise.race([exited, timeUp]);
      signal.removeEventListener('abort', stop);
      if (exit === undefined) {
        child.kill('SIGKILL');
        tally.addFileFailure('it did not end by itself: a test file that it ran left something open');
      } else if (isAlive && !signal.aborted && exit[0] !== 0 && !hasFailures) {
        tally.addFileFailure(`it ended with ${exit[0] ?? exit[1]} although no test had failed`);
      }
      return tally.result(output);
    },
  };
}
