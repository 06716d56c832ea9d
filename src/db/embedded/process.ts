import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/** The account for PostgreSQL's processes when our own account may not run them: PostgreSQL refuses to run as root. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * The server gets none of our environment: our secrets stay private, and PG* or LC_* variables cannot change its
 * behavior.
 */
export const SERVER_ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' } as const;

export interface RunResult {
  readonly ok: boolean;
  /** The complete output of the program, or the reason why it could not start. */
  readonly output: string;
}

export interface RunOptions {
  readonly user: ServerUser | undefined;
  readonly cwd: string | undefined;
  readonly timeoutMs: number;
}

/** Runs a short program to its end. Never throws: a program that cannot start yields a result with `ok: false`. */
export function runProgram(file: string, args: readonly string[], options: RunOptions): Promise<RunResult> {
  return new Promise((resolve) => {
    const chunks: string[] = [];
    try {
      const child = spawn(file, args, {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: SERVER_ENVIRONMENT,
        windowsHide: true,
        ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
        ...options.user,
      });
      const collect = (chunk: Buffer): void => void chunks.push(chunk.toString('utf8'));
      child.stdout.on('data', collect);
      child.stderr.on('data', collect);
      // Do not use spawn's `timeout`: when the program cannot start, Node keeps that timer running and cannot exit.
      const timer = setTimeout(() => child.kill('SIGKILL'), options.timeoutMs);
      const finish = (result: RunResult): void => {
        clearTimeout(timer);
        resolve(result);
      };
      child.once('error', (error) => finish({ ok: false, output: error.message }));
      child.once('close', (code) => finish({ ok: code === 0, output: chunks.join('').trim() }));
    } catch (error) {
      // spawn throws some failures at once (EPERM for a forbidden uid) and emits others as an event.
      resolve({ ok: false, output: error instanceof Error ? error.message : String(error) });
    }
  });
}

/**
 * Returns whether `pid` runs. A zombie counts as dead: in a container whose first process does not reap its children, a
 * zombie would otherwise look alive forever.
 */
export async function isAlive(pid: number): Promise<boolean> {
  if (!acceptsSignals(pid)) return false;
  const state = (await linuxStat(pid))?.[0];
  return state !== 'Z' && state !== 'X';
}

/** Returns whether the kernel knows `pid`, zombies included. PostgreSQL applies only this test to its lock file. */
export function acceptsSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/**
 * Returns the start time of a process as an opaque text that a later process with the same pid cannot share, or
 * undefined if unknown.
 */
export async function processStart(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') {
    const ticks = (await linuxStat(pid))?.[19];
    // Ticks count from boot, and identical machines can assign the same pids at the same ticks.
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
    return ticks === undefined ? undefined : `${boot.trim()}/${ticks}`;
  }
  if (process.platform === 'win32') return undefined;
  return askProgram('/bin/ps', ['-o', 'lstart=', '-p', String(pid)]);
}

/** Returns the command line of a process, or undefined when the system does not provide it. */
export async function commandLine(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') {
    const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined);
    return text?.replaceAll('\0', ' ');
  }
  if (process.platform === 'win32') {
    const query = `(Get-CimInstance Win32_Process -Filter 'ProcessId=${pid}').CommandLine`;
    return askProgram('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', query]);
  }
  return askProgram('/bin/ps', ['-ww', '-o', 'command=', '-p', String(pid)]);
}

export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Returns the fields of /proc/<pid>/stat from the state on. The name before them may contain spaces and brackets. */
async function linuxStat(pid: number): Promise<string[] | undefined> {
  if (process.platform !== 'linux') return undefined;
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return text?.slice(text.lastIndexOf(')') + 2).split(' ');
}

async function askProgram(file: string, args: readonly string[]): Promise<string | undefined> {
  const { ok, output } = await runProgram(file, args, { user: undefined, cwd: undefined, timeoutMs: 10_000 });
  return ok && output !== '' ? output : undefined;
}
