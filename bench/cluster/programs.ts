/** Runs the programs of Debian's packages for the cluster, each with a log file, and stops them at the end. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The packages that `--failover` and `--upgrade` need, with a program of each. */
const PROGRAMS = {
  patroni: ['/usr/bin/patroni'],
  'etcd-server': ['/usr/bin/etcd'],
  haproxy: ['/usr/sbin/haproxy'],
  pgbouncer: ['/usr/sbin/pgbouncer'],
  'redis-server': ['/usr/bin/redis-server'],
} as const;

type Package = keyof typeof PROGRAMS | 'postgresql';

/** Returns the folder with the programs of the newest PostgreSQL of Debian's packages. */
export function postgresFolder(): string | undefined {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return undefined;
  const versions = readdirSync(root).sort((a, b) => Number(b) - Number(a));
  return versions.map((version) => join(root, version, 'bin')).find((bin) => existsSync(join(bin, 'postgres')));
}

/** Returns one line that names the missing packages, or undefined when all are installed. */
export function missingPackages(needed: readonly Package[]): string | undefined {
  const isThere = (name: Package): boolean =>
    name === 'postgresql' ? postgresFolder() !== undefined : PROGRAMS[name].some((path) => existsSync(path));
  const missing = needed.filter((name) => !isThere(name));
  if (missing.length === 0) return undefined;
  return `not installed: ${missing.join(', ')}. On Debian: apt-get install --no-install-recommends ${missing.join(' ')}`;
}

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Returns the account that runs PostgreSQL and Patroni when we are root; Debian's package creates it. */
export async function serverAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = async (flag: string): Promise<number> => Number((await run('id', [flag, 'postgres'])).stdout);
  return { uid: await idOf('-u'), gid: await idOf('-g') };
}

export interface Program {
  readonly pid: number;
  readonly child: ChildProcess;
  readLog(): Promise<string>;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

const alive = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});

export async function startProgram(
  file: string,
  args: readonly string[],
  { folder, name, account, env = {} }: { folder: string; name: string; account?: Account | undefined; env?: object },
): Promise<Program> {
  const logFile = join(folder, `${name}.log`);
  const log = await open(logFile, 'a');
  const child = spawn(file, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, LC_ALL: 'C.UTF-8', ...env },
    stdio: ['ignore', log.fd, log.fd],
    ...account,
  });
  const spawned = once(child, 'spawn');
  await log.close();
  alive.add(child);
  child.on('exit', () => alive.delete(child));
  child.on('error', () => alive.delete(child));
  await spawned;
  return {
    pid: child.pid ?? 0,
    child,
    readLog: () => readFile(logFile, 'utf8'),
    async stop(signal = 'SIGKILL') {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill(signal);
      await exited;
    },
  };
}

/** Returns a process and all its descendants. */
export async function processTree(pid: number): Promise<number[]> {
  const { stdout } = await run('ps', ['-eo', 'pid=,ppid=']);
  const pairs = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const found = [pid];
  for (const parent of found) {
    for (const [child, of] of pairs) if (of === parent && child !== undefined) found.push(child);
  }
  return found;
}

/** Sends a signal to processes; one that has ended meanwhile is ignored. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
