import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/** The account PostgreSQL's processes run under when ours may not run them itself (PostgreSQL refuses to run as root). */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

/** Nothing of our own environment is handed on: secrets stay with us, and PG* or LC_* variables cannot bend the server. */
export const SERVER_ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' } as const;

export interface RunResult {
  readonly ok: boolean;
  /** Everything it printed, or the reason why it could not be started at all. */
  readonly output: string;
}

export interface RunOptions {
  readonly user: ServerUser | undefined;
  readonly cwd: string | undefined;
  readonly timeoutMs: number;
}

/** Runs a short program to its end. Never throws: a program that cannot start is an answer like any other here. */
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
      // Not spawn's own `timeout`: when the program cannot start, Node leaves that timer running and so cannot exit.
      const timer = setTimeout(() => child.kill('SIGKILL'), options.timeoutMs);
      const finish = (result: RunResult): void => {
        clearTimeout(timer);
        resolve(result);
      };
      child.once('error', (error) => finish({ ok: false, output: error.message }));
      child.once('close', (code) => finish({ ok: code === 0, output: chunks.join('').trim() }));
    } catch (error) {
      // Some spawn failures (EPERM for a forbidden uid) are thrown at once, others come as an event.
      resolve({ ok: false, output: error instanceof Error ? error.message : String(error) });
    }
  });
}

/**
 * Whether `pid` runs. A zombie counts as dead: in a container whose first process reaps nobody it would otherwise look
 * alive for ever.
 */
export async function isAlive(pid: number): Promise<boolean> {
  if (!acceptsSignals(pid)) return false;
  const state = (await linuxStat(pid))?.[0];
  return state !== 'Z' && state !== 'X';
}

/** Exists in the kernel's table, zombies included: the only test that PostgreSQL itself applies to its lock file. */
export function acceptsSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** When the process started, as an opaque text that a later process with the same pid cannot share; undefined = unknown. */
export async function processStart(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') {
    const ticks = (await linuxStat(pid))?.[19];
    // Ticks count from boot, and machines that boot alike hand out the same pids at the same ticks.
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
    return ticks === undefined ? undefined : `${boot.trim()}/${ticks}`;
  }
  if (process.platform === 'win32') return undefined;
  return askProgram('/bin/ps', ['-o', 'lstart=', '-p', String(pid)]);
}

/** The command line of a process, or undefined when the system will not tell. */
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

/** The fields of /proc/<pid>/stat from the state on. The name before them may itself contain spaces and brackets. */
async function linuxStat(pid: number): Promise<string[] | undefined> {
  if (process.platform !== 'linux') return undefined;
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return text?.slice(text.lastIndexOf(')') + 2).split(' ');
}

async function askProgram(file: string, args: readonly string[]): Promise<string | undefined> {
  const { ok, output } = await runProgram(file, args, { user: undefined, cwd: undefined, timeoutMs: 10_000 });
  return ok && output !== '' ? output : undefined;
}
