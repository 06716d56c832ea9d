import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  chmod,
  chown,
  lchown,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../../core/errors.ts';
import type { Binaries } from './binaries.ts';
import { errorCode, runProgram, type ServerUser } from './process.ts';

export const SUPERUSER = 'sponsorgate';

/** The files of one server: `<DATA_DIR>/postgres/{cluster/,password,server.log}`. */
export interface ClusterPaths {
  readonly home: string;
  readonly cluster: string;
  readonly passwordFile: string;
  readonly logFile: string;
}

export function clusterPaths(dataDir: string, home = join(dataDir, 'postgres')): ClusterPaths {
  return {
    home,
    cluster: join(home, 'cluster'),
    passwordFile: join(home, 'password'),
    logFile: join(home, 'server.log'),
  };
}

const STAGING_PREFIX = 'postgres.initializing-';
const INIT_TIMEOUT_MS = 60_000;
/**
 * `nobody` needs no new account. initdb requires an account with a name; on macOS 65534 has none, so `daemon` is used.
 */
const UNPRIVILEGED: ServerUser = process.platform === 'darwin' ? { uid: 1, gid: 1 } : { uid: 65534, gid: 65534 };

/**
 * Returns the account that runs the server when we are root. An existing cluster keeps its owner, so that one start
 * with `sudo` does not lock the owner out.
 */
export async function chooseServerUser({ home, cluster }: ClusterPaths): Promise<ServerUser | undefined> {
  const ownUid = process.getuid?.();
  if (ownUid === undefined) return undefined;
  if (ownUid !== 0) {
    const found = await stat(home).catch(() => undefined);
    if (found === undefined || found.uid === ownUid) return undefined;
    throw new StartError(`${home} belongs to user ${found.uid}: start as that user or set another DATA_DIR`);
  }
  const found = await stat(cluster).catch(() => undefined);
  if (found === undefined) return UNPRIVILEGED;
  if (found.uid !== 0) return { uid: found.uid, gid: found.gid };
  // The cluster belongs to root, for example after root restored a backup.
  for (const name of await readdir(cluster, { recursive: true })) {
    await lchown(join(cluster, name), UNPRIVILEGED.uid, UNPRIVILEGED.gid);
  }
  await chown(cluster, UNPRIVILEGED.uid, UNPRIVILEGED.gid);
  return UNPRIVILEGED;
}

/**
 * Returns the data folder argument for the server's processes. Under root on Linux they start inside the folder and
 * name it through /proc, because the other user cannot reach its path below a home of mode 0700 (such as /root).
 */
export function dataFolderArgument(cluster: string, user: ServerUser | undefined): string {
  return user !== undefined && existsSync('/proc/self/cwd') ? '/proc/self/cwd' : cluster;
}

/** Converts the output of a PostgreSQL program into one line that says what to do, for known failures. */
export function explainFailure(
  what: string,
  output: string,
  cluster: string,
  user: ServerUser | undefined,
): StartError {
  if (/No space left on device/.test(output)) {
    return new StartError(`${what}: the disk of ${cluster} is full: make room and start again`);
  }
  if (/could not (find|open).*pg_control/s.test(output)) {
    return new StartError(
      `${what}: the data in ${cluster} are not whole (global/pg_control is missing): restore a backup, see docs/guides/backup.md`,
    );
  }
  if (user !== undefined && /permission denied/i.test(output)) {
    return new StartError(
      `PostgreSQL must not run as root, and user ${user.uid}, who runs it instead, cannot reach ${cluster}: set DATA_DIR ` +
        `to a folder that every user can enter, or start as an ordinary user, or set DATABASE_URL (${lastLines(output, 1)})`,
    );
  }
  if (output.includes('could not look up effective user ID')) {
    return new StartError(
      `the embedded PostgreSQL needs a user with a name: add one for this user id, or set DATABASE_URL (${lastLines(output, 1)})`,
    );
  }
  const lines = output.trim().split('\n');
  const reason = lines.findLast((line) => /\b(FATAL|PANIC|error):/.test(line)) ?? lines.at(-1) ?? '';
  return new StartError(`${what}: ${reason}`);
}

export function lastLines(text: string, count: number): string {
  return text.trim().split('\n').slice(-count).join('\n');
}

/** Removes the files of a killed initialisation. Only the owner of the data folder may call this. */
export async function removeLeftovers(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(STAGING_PREFIX)) continue;
    // Retry, because an initdb whose parent was killed may still write here. It stops at its next step.
    await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

export interface InitRequest {
  readonly dataDir: string;
  readonly paths: ClusterPaths;
  readonly binaries: Binaries;
  readonly user: ServerUser | undefined;
  readonly durable: boolean;
}

/**
 * Creates the cluster if it is missing. The folder gets its final name when it is complete, so a kill leaves no partial
 * cluster.
 */
export async function ensureCluster(request: InitRequest): Promise<{ password: string }> {
  const { dataDir, paths, durable } = request;
  if (!existsSync(paths.cluster)) {
    const staging = clusterPaths(dataDir, await mkdtemp(join(dataDir, STAGING_PREFIX)));
    try {
      await initialise(staging, request);
      await rename(staging.home, paths.home);
      if (durable) await syncFolder(dataDir);
    } catch (error) {
      await rm(staging.home, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
      throw error;
    }
  }
  // A restored backup or a mounted volume (Kubernetes' fsGroup) can widen the mode, and PostgreSQL then refuses to
  // start.
  if (process.platform !== 'win32' && ((await stat(paths.cluster)).mode & 0o077) !== 0)
    await chmod(paths.cluster, 0o700);
  try {
    return { password: (await readFile(paths.passwordFile, 'utf8')).trim() };
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    throw new StartError(`${paths.passwordFile} is missing: restore it together with the data beside it`);
  }
}

async function initialise(staging: ClusterPaths, { binaries, user, durable }: InitRequest): Promise<void> {
  const { home, cluster, passwordFile } = staging;
  // The server's user must be able to enter this folder but owns only the cluster. In a folder of its own it could
  // plant a link where we write the log as root.
  await chmod(home, user === undefined ? 0o700 : 0o711);
  await mkdir(cluster, { mode: 0o700 });
  await writeFile(passwordFile, randomBytes(24).toString('hex'), { mode: 0o600, flush: durable });
  if (user !== undefined) {
    await chown(cluster, user.uid, user.gid);
    await chown(passwordFile, user.uid, user.gid);
  }
  const args = [
    ...['-D', dataFolderArgument(cluster, user), `--username=${SUPERUSER}`, '--pwfile=../password'],
    ...['--auth=scram-sha-256', '--encoding=UTF8', '--no-instructions', '--text-search-config=simple'],
    // Sorts by bytes like --no-locale, but changes case beyond ASCII and needs no system locale.
    ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    // More iterations protect short passwords. Ours has 192 random bits, and each connection would pay for them.
    '--set=scram_iterations=1',
    ...(durable ? [] : ['--no-sync']),
  ];
  const result = await runProgram(binaries.initdb, args, { user, cwd: cluster, timeoutMs: INIT_TIMEOUT_MS });
  if (!result.ok)
    throw explainFailure('the embedded PostgreSQL could not be initialised', result.output, cluster, user);
  // Only initdb needed the password file under the other account.
  if (user !== undefined) await chown(passwordFile, process.getuid?.() ?? 0, process.getgid?.() ?? 0);
  if (durable) await syncFolder(home);
}

async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open folders, and a rename there is durable without it.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
