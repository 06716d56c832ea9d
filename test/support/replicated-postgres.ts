import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findBinaries } from '../../src/db/embedded/binaries.ts';
import { query } from './books.ts';
import { eventually } from './eventually.ts';
import { freePort } from './redis.ts';

/** One server of a replicated PostgreSQL. */
interface PostgresNode {
  readonly url: string;
  /** Suspends all processes of the server with SIGSTOP, as on a machine that hangs. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Makes a standby the primary, on a new timeline. */
  promote(): Promise<void>;
}

/** A primary and a streaming standby, made of the embedded PostgreSQL. Both are deleted when they stop. */
export interface ReplicatedPostgres {
  readonly primary: PostgresNode;
  readonly standby: PostgresNode;
  stop(): Promise<void>;
}

const run = promisify(execFile);
/** PostgreSQL refuses to run as root. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

/** `shared` are settings of both servers, such as `jit=off`. */
export async function startReplicatedPostgres(shared: readonly string[] = []): Promise<ReplicatedPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'sponsorgate-replicated-'));
  await chmod(folder, 0o755);
  if (user !== undefined) await chown(folder, user.uid, user.gid);
  const binaries = await findBinaries({ dataDir: folder, user, log: () => undefined, nativeDir: undefined });
  const options = { ...user, cwd: folder };
  const first = join(folder, 'first');
  const initArguments = ['--username=admin', '--auth=trust', '--encoding=UTF8', '--no-locale', '-N'];
  await run(binaries.initdb, ['-D', first, ...initArguments], options);
  // The copy of a cluster that has never run is a base backup: the standby reads all later changes from the primary.
  const second = join(folder, 'second');
  await cp(first, second, { recursive: true });
  await writeFile(join(second, 'standby.signal'), '');
  if (user !== undefined) for (const path of await filesOf(second)) await chown(path, user.uid, user.gid);
  await chmod(second, 0o700);

  const children: ChildProcess[] = [];
  const stop = async (): Promise<void> => {
    for (const child of children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const exited = once(child, 'exit');
      process.kill(-(child.pid ?? 0), 'SIGCONT');
      process.kill(-(child.pid ?? 0), 'SIGKILL');
      await exited;
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  };

  async function start(cluster: string, settings: readonly string[]): Promise<PostgresNode & { port: number }> {
    const port = await freePort();
    const common = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', 'wal_keep_size=512MB'];
    const all = [`port=${port}`, ...common, 'shared_buffers=16MB', ...shared, ...settings];
    const child = spawn(binaries.postgres, ['-D', cluster, ...all.flatMap((setting) => ['-c', setting])], {
      ...options,
      stdio: 'ignore',
      detached: true,
    });
    children.push(child);
    const url = `postgres://admin@127.0.0.1:${port}/postgres`;
    await eventually('PostgreSQL accepts connections', async () => (await query(url, 'SELECT 1')).length === 1);
    // PostgreSQL gives each of its processes a session of its own, so the process group does not contain them.
    const signalAll = async (signal: NodeJS.Signals): Promise<void> => {
      for (const pid of [child.pid ?? 0, ...(await childrenOf(child.pid ?? 0))]) process.kill(pid, signal);
    };
    return {
      port,
      url,
      pause: () => signalAll('SIGSTOP'),
      resume: () => signalAll('SIGCONT'),
      async promote() {
        await query(url, 'SELECT pg_promote()');
        await eventually('the standby is promoted', async () => {
          const [row] = await query<{ is_standby: boolean }>(url, 'SELECT pg_is_in_recovery() AS is_standby');
          return row?.is_standby === false;
        });
      },
    };
  }

  try {
    const primary = await start(first, []);
    const standby = await start(second, [`primary_conninfo=host=127.0.0.1 port=${primary.port} user=admin`]);
    await eventually('the standby streams', async () => {
      return (await query(primary.url, "SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'")).length === 1;
    });
    return { primary, standby, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function childrenOf(pid: number): Promise<number[]> {
  const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.split('\n').map(Number).filter(Boolean);
}

async function filesOf(folder: string): Promise<string[]> {
  return [folder, ...(await readdir(folder, { recursive: true })).map((name) => join(folder, name))];
}

/** Waits until the standby has every change that the primary has now. */
export async function untilReplayed({ primary, standby }: ReplicatedPostgres): Promise<void> {
  const [row] = await query<{ lsn: string }>(primary.url, 'SELECT pg_current_wal_lsn()::text AS lsn');
  await eventually('the standby has caught up', async () => {
    const sql = 'SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS has';
    return (await query<{ has: boolean }>(standby.url, sql, [row?.lsn]))[0]?.has === true;
  });
}
