import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { query } from './books.ts';
import { eventually } from './eventually.ts';

const run = promisify(execFile);

/** The packages put nothing of the server into the PATH. */
export const POSTGRES_15_BIN = '/usr/lib/postgresql/15/bin';

/** A server of Debian's package postgresql-15, with a data folder that ends with it. */
export interface DebianPostgres {
  /** As superuser. */
  readonly url: string;
  stop(): Promise<void>;
}

export async function startDebianPostgres(): Promise<DebianPostgres> {
  const user = await serverUser();
  const folder = await mkdtemp(join(tmpdir(), 'sponsorgate-postgres-15-'));
  let server: ChildProcess | undefined;
  const stop = async (): Promise<void> => {
    if (server !== undefined && server.exitCode === null) {
      const exited = once(server, 'exit');
      server.kill('SIGQUIT');
      await exited;
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    if (user !== undefined) await chown(folder, user.uid, user.gid);
    const cluster = join(folder, 'cluster');
    const options = { ...user, cwd: folder };
    // The password is not asked for on loopback: the server lives for one test file and has nothing to protect.
    const initArguments = ['-D', cluster, '--username=admin', '--auth=trust', '--encoding=UTF8', '--no-locale', '-N'];
    await run(join(POSTGRES_15_BIN, 'initdb'), initArguments, options);
    const port = await freePort();
    const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'];
    const serverArguments = ['-D', cluster, ...settings.flatMap((setting) => ['-c', setting])];
    server = spawn(join(POSTGRES_15_BIN, 'postgres'), serverArguments, { ...options, stdio: 'ignore' });
    const url = `postgres://admin@127.0.0.1:${port}/postgres`;
    await eventually('PostgreSQL 15 accepts connections', async () => {
      return query(url, 'SELECT 1').then(
        () => true,
        () => false,
      );
    });
    return { url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** PostgreSQL refuses to run as root; the package brings the user `postgres`. */
async function serverUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, 'postgres'])).stdout)),
  );
  return uid === undefined || gid === undefined ? undefined : { uid, gid };
}

async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
