import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { copyFile, open, readFile, rm, stat, truncate } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../../core/errors.ts';
import type { Binaries } from './binaries.ts';
import { type ClusterPaths, dataFolderArgument } from './cluster.ts';
import type { ServerUser } from './process.ts';
import { acceptsSignals, commandLine, errorCode, isAlive, runProgram, SERVER_ENVIRONMENT } from './process.ts';

export interface ServerPlace {
  readonly paths: ClusterPaths;
  readonly binaries: Binaries;
  readonly user: ServerUser | undefined;
  readonly durable: boolean;
}

export interface RunningServer {
  readonly port: number;
  /** Set once the server's first process is gone. */
  readonly exit: () => string | undefined;
  /** Resolves when the server's first process is gone. */
  readonly exited: Promise<void>;
  /** What this run has logged so far. */
  readonly readLog: () => Promise<string>;
  readonly stop: () => Promise<void>;
}

const LOG_LIMIT_BYTES = 8 * 1024 * 1024;
const LOG_CHECK_MS = 10_000;
const WINDOWS = process.platform === 'win32';

/** How long each way of stopping may take, mildest first. Fast: roll back and checkpoint; immediate: recover at next start. */
const STOP_STEPS = [
  { signal: 'SIGINT', waitMs: 6_000 },
  { signal: 'SIGQUIT', waitMs: 2_500 },
  { signal: 'SIGKILL', waitMs: 1_000 },
] as const;
/** A leftover is given longer, and is never killed hard: its children could outlive it and still write. */
const LEFTOVER_STEPS = [
  { signal: 'SIGINT', waitMs: 15_000 },
  { signal: 'SIGQUIT', waitMs: 10_000 },
] as const;
const POLL_MS = 10;

function settings(port: number, marker: string, durable: boolean): string[] {
  const values: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    // No Unix socket: its path may have 107 bytes at most, and a data folder's may be longer.
    unix_socket_directories: '',
    max_connections: '100',
    shared_buffers: '128MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Nothing replicates from here, so the log need only serve recovery; its size bounds how long a recovery takes.
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_wal_size: '1GB',
    checkpoint_timeout: '15min',
    // Parallel queries need much of /dev/shm, of which a container has 64 MB.
    max_parallel_workers_per_gather: '0',
    jit: 'off',
    // What a request needs is in memory. With the default, made for disks that turn, small tables are read from end to end
    // where the key would do, at several times the cost.
    random_page_cost: '1.1',
    log_checkpoints: 'off',
    // Statements can carry tokens and personal data; the error alone is enough here.
    log_min_error_statement: 'panic',
    'sponsorgate.cluster': marker,
  };
  if (!durable) Object.assign(values, { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' });
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/**
 * Stands in the server's command line and tells which folder it serves. Device and inode, not the path: a copied folder
 * carries the original's pid file with it, and a moved one is still the same.
 */
async function clusterMarker(cluster: string): Promise<string> {
  const { dev, ino } = await stat(cluster, { bigint: true });
  return `${dev}:${ino}:end`;
}

/**
 * Starts the server's first process. That it accepts connections is for the caller to find out. A restart names the port
 * that it had: everybody who was connected comes back there.
 */
export async function launchServer(
  place: ServerPlace,
  log: (line: string) => void,
  formerPort?: number,
): Promise<RunningServer> {
  const { paths, binaries, user, durable } = place;
  const port = formerPort ?? (await freePort());
  const marker = await clusterMarker(paths.cluster);
  await trimLog(paths.logFile);
  const logHandle = await open(
    paths.logFile,
    constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0),
    0o600,
  );
  let child: ChildProcess;
  let logStart: number;
  try {
    // Under sudo on an ordinary user's folder: he must be able to go on with it afterwards.
    const home = await stat(paths.home);
    if (user !== undefined) await logHandle.chown(home.uid, home.gid);
    logStart = (await logHandle.stat()).size;
    child = spawn(
      binaries.postgres,
      ['-D', dataFolderArgument(paths.cluster, user), ...settings(port, marker, durable)],
      {
        cwd: paths.cluster,
        env: SERVER_ENVIRONMENT,
        stdio: ['ignore', logHandle.fd, logHandle.fd],
        // A process group of its own: Ctrl-C in the terminal reaches us, and the database stays until we have drained.
        detached: true,
        windowsHide: true,
        ...user,
      },
    );
  } finally {
    await logHandle.close();
  }
  child.unref();

  let exit: string | undefined;
  let stopping: Promise<void> | undefined;
  // The last chance when the process ends without a stop(); signals are all that can be done at that point.
  const stopWithUs = (): void => void child.kill('SIGINT');
  const trimTimer = setInterval(() => void trimLog(paths.logFile).catch(() => undefined), LOG_CHECK_MS).unref();
  const { promise: exited, resolve: resolveExited } = Promise.withResolvers<void>();
  const finish = (reason: string): void => {
    exit = reason;
    resolveExited();
    clearInterval(trimTimer);
    process.off('exit', stopWithUs);
  };
  process.once('exit', stopWithUs);
  child.once('error', (error) => finish(error.message));
  child.once('exit', (code, signal) => {
    finish(signal ?? `exit code ${code}`);
    if (stopping === undefined) log(`embedded PostgreSQL: the server ended by itself (${exit}), see ${paths.logFile}`);
  });

  const stopOnce = async (): Promise<void> => {
    for (const { signal, waitMs } of STOP_STEPS) {
      if (exit !== undefined) return;
      if (WINDOWS && signal === 'SIGINT') await stopByProgram(place);
      else child.kill(signal);
      if (await waitUntil(() => exit !== undefined, waitMs)) return;
    }
  };
  return {
    port,
    exit: () => exit,
    exited,
    readLog: async () => (await readFile(paths.logFile)).subarray(logStart).toString('utf8'),
    stop: () => (stopping ??= stopOnce()),
  };
}

/**
 * Stops a server that outlived the process that started it (SIGKILL), and clears the way where only its pid file is left.
 * The caller owns the data folder, so nobody else needs that server.
 */
export async function stopLeftoverServer(place: ServerPlace, log: (line: string) => void): Promise<void> {
  const { cluster } = place.paths;
  const pidFile = join(cluster, 'postmaster.pid');
  const text = await readFile(pidFile, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return;
  const pid = Number.parseInt(text, 10);
  // Empty after a crash of the machine: PostgreSQL would refuse to start until somebody deletes it.
  if (!(pid > 0)) return rm(pidFile, { force: true });
  if (!acceptsSignals(pid)) return;

  const running = await isAlive(pid);
  const command = running ? await commandLine(pid) : '';
  if (command === undefined) return;
  if (!command.includes(await clusterMarker(cluster))) {
    // The number now belongs to a stranger or a zombie. PostgreSQL asks only whether it exists, and would not start.
    return rm(pidFile, { force: true });
  }
  log(`embedded PostgreSQL: stopping the server (pid ${pid}) that an earlier run left behind`);
  for (const { signal, waitMs } of LEFTOVER_STEPS) {
    if (WINDOWS) await stopByProgram(place);
    else sendSignal(pid, signal);
    if (await waitUntil(async () => !(await isAlive(pid)), waitMs)) return;
  }
  throw new StartError(
    `a PostgreSQL (pid ${pid}) left behind by an earlier run serves ${cluster} and does not stop: end it`,
  );
}

/** Windows knows no signals; pg_ctl speaks to the server in its own way. */
async function stopByProgram({ binaries, paths }: ServerPlace): Promise<void> {
  const args = ['stop', '-D', paths.cluster, '-m', 'fast', '-W'];
  await runProgram(binaries.pgCtl, args, { user: undefined, cwd: undefined, timeoutMs: 5_000 });
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}

async function waitUntil(done: () => boolean | Promise<boolean>, limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  while (!(await done())) {
    if (performance.now() > deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}

/** The server appends, so emptying the file under it is safe; one older part is kept. */
async function trimLog(logFile: string): Promise<void> {
  const size = (await stat(logFile).catch(() => undefined))?.size ?? 0;
  if (size <= LOG_LIMIT_BYTES) return;
  await rm(`${logFile}.1`, { force: true });
  await copyFile(logFile, `${logFile}.1`, constants.COPYFILE_EXCL);
  await truncate(logFile, 0);
}

/** Somebody may take the port before the server does: the caller then tries again with another. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
