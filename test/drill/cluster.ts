import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A PostgreSQL of the system's packages in a temporary folder, with the variables of the guide. */
export interface Cluster {
  /** The URL for the role of the service, which is no superuser. */
  readonly url: string;
  /** Runs shell commands as the user of PostgreSQL, with the variables of the guide. Returns their output. */
  shell(script: string, variables?: Readonly<Record<string, string>>): Promise<string>;
  remove(): Promise<void>;
}

/** PostgreSQL refuses to run as root. */
async function serverUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = async (option: string): Promise<number> => Number((await run('id', [option, 'postgres'])).stdout);
  return { uid: await idOf('-u'), gid: await idOf('-g') };
}

export async function createCluster(programs: string): Promise<Cluster> {
  const user = await serverUser();
  const folder = await mkdtemp(join(tmpdir(), 'sponsorgate-drill-'));
  const own = async (path: string): Promise<void> => {
    if (user !== undefined) await chown(path, user.uid, user.gid);
  };
  await chmod(folder, 0o700);
  await own(folder);
  const sockets = join(folder, 'socket');
  await mkdir(sockets);
  await own(sockets);
  const data = join(folder, 'data');
  const port = await freePort();
  const env = {
    PATH: `${programs}:${process.env.PATH ?? ''}`,
    PGDATA: data,
    PGCONF: join(data, 'postgresql.conf'),
    PGHOST: sockets,
    PGPORT: String(port),
    PGUSER: 'postgres',
    REPO: join(folder, 'repository'),
    CONF: join(folder, 'pgbackrest.conf'),
    LOGS: join(folder, 'log'),
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
  };
  const shell: Cluster['shell'] = async (script, variables = {}) => {
    const options = { ...user, cwd: folder, env: { ...env, ...variables }, maxBuffer: 16 * 1024 * 1024 };
    return (await run('sh', ['-euc', script], options)).stdout;
  };
  const remove = async (): Promise<void> => {
    await shell('pg_ctl -D "$PGDATA" -m immediate -w stop').catch(() => undefined); // it may not run
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    // Loopback needs no password: the cluster runs for one drill and holds no real data.
    await shell(
      'initdb -D "$PGDATA" --username=postgres --auth=trust --encoding=UTF8 --no-locale >/dev/null; mkdir "$LOGS"',
    );
    await shell(`cat >> "$PGCONF" <<END
port = ${port}
listen_addresses = '127.0.0.1'
unix_socket_directories = '${sockets}'
END
pg_ctl -D "$PGDATA" -w -l "$LOGS/postgresql.log" start >/dev/null
psql -qc "CREATE ROLE sponsorgate LOGIN" -c "CREATE DATABASE sponsorgate OWNER sponsorgate"`);
    return { url: `postgres://sponsorgate@127.0.0.1:${port}/sponsorgate`, shell, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
