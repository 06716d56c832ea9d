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
  /** Returns the reason once the server's first process has ended. */
  readonly exit: () => string | undefined;
  /** Resolves when the server's first process has ended. */
  readonly exited: Promise<void>;
  /** Returns the log of this run so far. */
  readonly readLog: () => Promise<string>;
  readonly stop: () => Promise<void>;
}

const LOG_LIMIT_BYTES = 8 * 1024 * 1024;
const LOG_CHECK_MS = 10_000;
const WINDOWS = process.platform === 'win32';

/**
 * The time limit of each way to stop, mildest first. Fast: roll back and checkpoint; immediate: recover at the next
 * start.
 */
const STOP_STEPS = [
  { signal: 'SIGINT', waitMs: 6_000 },
  { signal: 'SIGQUIT', waitMs: 2_500 },
  { signal: 'SIGKILL', waitMs: 1_000 },
] as const;
/** A leftover server gets more time and never SIGKILL: its children could outlive it and still write. */
const LEFTOVER_STEPS = [
  { signal: 'SIGINT', waitMs: 15_000 },
  { signal: 'SIGQUIT', waitMs: 10_000 },
] as const;
const POLL_MS = 10;

function settings(port: number, marker: string, durable: boolean): string[] {
  const values: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    // No Unix socket: its path is limited to 107 bytes, and the path of a data folder can be longer.
    unix_socket_directories: '',
    max_connections: '100',
    shared_buffers: '128MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // No server replicates from this one, so the log serves only recovery. Its size limits the duration of a recovery.
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_wal_size: '1GB',
    checkpoint_timeout: '15min',
    // Parallel queries need much of /dev/shm, and a container has only 64 MB of it.
    max_parallel_workers_per_gather: '0',
    jit: 'off',
    // The data of a request is in memory. With the default, meant for spinning disks, PostgreSQL scans small tables
    // instead of using the key, at several times the cost.
    random_page_cost: '1.1',
    log_checkpoints: 'off',
    // Statements can contain tokens and personal data; the error alone is enough here.
    log_min_error_statement: 'panic',
    'sponsorgate.cluster': marker,
  };
  if (!durable) {
    // In a test run, many services share one server.
    const fast = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
    // A test runs most statements only a few times, and PostgreSQL plans each of the first five runs.
    Object.assign(values, { ...fast, max_connections: '400', plan_cache_mode: 'force_generic_plan' });
  }
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/**
 * Returns a mark for the server's command line that identifies its folder. It uses device and inode instead of the
 * path: a copied folder contains the pid file of the original, and a moved folder is still the same.
 */
async function clusterMarker(cluster: string): Promise<string> {
  const { dev, ino } = await stat(cluster, { bigint: true });
  return `${dev}:${ino}:end`;
}

/**
 * Starts the server's first process. The caller waits until it accepts connections. A restart uses the former port, so
 * that existing clients can reconnect.
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
    // Under sudo on the folder of an ordinary user, that user must be able to use the log afterwards.
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
        // A separate process group: Ctrl-C in the terminal reaches only us, and the database runs until we have
        // drained.
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
  // The last chance when the process ends without a stop(): an exit handler can only send signals.
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
 * Stops a server that outlived the process that started it (SIGKILL), and removes a pid file without a server. The
 * caller owns the data folder, so no other process needs that server.
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
  // The file can be empty after a crash of the machine. PostgreSQL would refuse to start until it is deleted.
  if (!(pid > 0)) return rm(pidFile, { force: true });
  if (!acceptsSignals(pid)) return;

  const running = await isAlive(pid);
  const command = running ? await commandLine(pid) : '';
  if (command === undefined) return;
  if (!command.includes(await clusterMarker(cluster))) {
    // The pid now belongs to another program or a zombie. PostgreSQL checks only whether it exists, and would not
    // start.
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

/** Windows has no signals, so pg_ctl stops the server. */
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

/** Keeps one older part. Truncating the file is safe because the server appends to it. */
async function trimLog(logFile: string): Promise<void> {
  const size = (await stat(logFile).catch(() => undefined))?.size ?? 0;
  if (size <= LOG_LIMIT_BYTES) return;
  await rm(`${logFile}.1`, { force: true });
  await copyFile(logFile, `${logFile}.1`, constants.COPYFILE_EXCL);
  await truncate(logFile, 0);
}

/**
 * Returns a free port. Another program may take it before the server does; the caller then retries with another port.
 */
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
