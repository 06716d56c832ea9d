import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Sandbox } from './sandbox.ts';
import { throttle } from './throttle.ts';

export type Settings = Readonly<Record<string, string>>;

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The exit and the output of a command that has ended. */
export interface Finished extends Exit {
  readonly stdout: string;
  readonly stderr: string;
}

/** The real service in its own process. */
export interface ServiceProcess {
  readonly pid: number;
  readonly url: string;
  readonly sandbox: Sandbox;
  readonly exited: Promise<Exit>;
  /** Suspends the process with SIGSTOP, as on a machine that hangs. */
  freeze(): void;
  stdout(): string;
  stderr(): string;
  /** Sends the signal and waits for the process to end. SIGKILL prevents any cleanup. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<Exit & { readonly milliseconds: number }>;
}

const BIN = join(import.meta.dirname, '../../bin/sponsorgate.js');
const START_LIMIT_MS = 300_000;
/** A process that runs longer is killed, so that it does not outlive its test. */
const END_LIMIT_MS = 180_000;

/** Limits that only the tests of the limits reach, and a free port. */
const DEFAULTS: Settings = {
  PORT: '0',
  RATE_LIMIT_PER_SECOND: '100000',
  RATE_LIMIT_BURST: '100000',
  ADDRESS_RATE_LIMIT_PER_SECOND: '100000',
  ADDRESS_RATE_LIMIT_BURST: '100000',
  NEW_BOT_RESERVATIONS: '100000',
  DEMO_HISTORY: 'off',
  // On a busy machine the emulator may be slower than Telegram. A test of candidate checks must not depend on that.
  TELEGRAM_CANDIDATE_CHECK_MS: '10000',
  // On a busy machine an orderly stop must not become a forced one. The tests of this limit set it themselves.
  STOP_TIMEOUT_MS: '120000',
};

const alive = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});

/** The stage of the start for which `startProcess` waits. */
export type StartedUntil =
  /** The process exists and has no address yet. */
  | 'launched'
  /** The process responds to requests and is still starting. */
  | 'listening'
  /** The process responds to requests and, in sandbox mode, has printed its whole greeting. */
  | 'started';

/** Runs `sponsorgate start` with only these settings, from this checkout or from that of another version. */
export async function startProcess(
  settings: Settings,
  until: StartedUntil = 'started',
  bin = BIN,
): Promise<ServiceProcess> {
  const { child, output, exited } = launch(['start'], { ...DEFAULTS, ...settings }, { bin });
  const endThrottling = throttle(child.pid);
  const isStarted = (): boolean =>
    until !== 'started' || 'TELEGRAM_BOT_TOKEN' in settings || output.stdout.includes('Stop with');
  const healthy = until === 'launched' ? Promise.resolve('') : untilHealthy(output, exited, isStarted);
  const url = await healthy.catch((error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  return {
    pid: child.pid ?? 0,
    url,
    sandbox: new Sandbox(url),
    exited,
    freeze() {
      endThrottling();
      child.kill('SIGSTOP');
    },
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    async end(signal) {
      const begin = performance.now();
      child.kill(signal);
      const overdue = setTimeout(() => child.kill('SIGKILL'), END_LIMIT_MS);
      const exit = await exited;
      clearTimeout(overdue);
      return { ...exit, milliseconds: performance.now() - begin };
    },
  };
}

/** Runs a `sponsorgate` command that ends by itself, with this text on its standard input. */
export async function runCommand(args: readonly string[], settings: Settings, input?: string): Promise<Finished> {
  const { child, output, exited } = launch(args, settings, { input });
  const overdue = setTimeout(() => child.kill('SIGKILL'), END_LIMIT_MS);
  const exit = await exited;
  clearTimeout(overdue);
  return { ...exit, ...output };
}

/** Kills the processes that a failed test left running. */
export async function killAll(): Promise<void> {
  await Promise.all(
    [...alive].map(async (child) => {
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
    }),
  );
}

interface Output {
  stdout: string;
  stderr: string;
}

interface LaunchOptions {
  /** What the command reads. */
  readonly input?: string | undefined;
  readonly bin?: string;
}

function launch(args: readonly string[], settings: Settings, { input, bin = BIN }: LaunchOptions = {}) {
  // No variable of the test's environment may act as a setting. PATH and the temporary folder belong to the machine.
  const inherited = Object.fromEntries(
    ['PATH', 'HOME', 'TMPDIR'].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const child = spawn(process.execPath, [bin, ...args], {
    env: { ...inherited, ...settings },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => undefined); // the command may end without reading
  child.stdin.end(input ?? '');
  alive.add(child);
  const output: Output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  const exited = new Promise<Exit>((resolve) => {
    // Wait for 'close', not 'exit': until then the pipes can contain unread output.
    child.on('close', (code, signal) => {
      alive.delete(child);
      resolve({ code, signal });
    });
  });
  return { child, output, exited };
}

async function untilHealthy(output: Output, exited: Promise<Exit>, isStarted: () => boolean): Promise<string> {
  const state = { ended: false };
  void exited.then(() => {
    state.ended = true;
  });
  const deadline = performance.now() + START_LIMIT_MS;
  while (performance.now() < deadline && !state.ended) {
    const url = /Server listening at (http:\/\/[^\s"]+)/.exec(output.stderr)?.[1];
    if (url !== undefined && (await isHealthy(url)) && isStarted()) return url;
    await sleep(20);
  }
  throw new Error(`the service did not come up:\n${output.stdout}\n${output.stderr}`);
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/api/v1/health`, { signal: AbortSignal.timeout(5_000) });
    const body = (await response.json()) as { status?: unknown };
    return response.status === 200 && body.status === 'ok';
  } catch {
    return false;
  }
}
