/** Starts a PgBouncer in front of a PostgreSQL, in the best mode that its version supports for the service. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { query } from '../../test/support/books.ts';
import { eventually } from '../../test/support/eventually.ts';
import { freePort } from '../../test/support/redis.ts';
import { adapt } from './guide.ts';

export interface PgBouncer {
  readonly url: string;
  readonly version: string;
  readonly mode: 'transaction' | 'session';
  /** Returns the current number of connections to PostgreSQL and from clients. */
  connections(): Promise<{ readonly servers: number; readonly clients: number }>;
  stop(): Promise<void>;
}

const NOBODY = 65_534;
/** From this version PgBouncer keeps prepared statements per client, which transaction mode needs. */
const FIRST_WITH_STATEMENTS = [1, 21];

export async function versionOfPgBouncer(): Promise<string | undefined> {
  const answer = await promisify(execFile)(program(), ['--version']).catch(() => undefined);
  return /(\d+\.\d+\.\d+)/.exec(answer?.stdout ?? '')?.[1];
}

/**
 * Returns the path of the program. Debian's folder is often not in the PATH. PGBOUNCER names another program, for
 * example a newer build.
 */
function program(): string {
  return process.env.PGBOUNCER ?? (existsSync('/usr/sbin/pgbouncer') ? '/usr/sbin/pgbouncer' : 'pgbouncer');
}

/** `guideFile` is the file of the guide; without it the settings have no limits for a PostgreSQL that is away. */
export async function startPgBouncer(postgresUrl: string, guideFile?: string): Promise<PgBouncer> {
  const version = (await versionOfPgBouncer()) ?? 'unknown';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [fromMajor = 0, fromMinor = 0] = FIRST_WITH_STATEMENTS;
  const hasStatements = major > fromMajor || (major === fromMajor && minor >= fromMinor);
  const mode = hasStatements ? 'transaction' : 'session';

  const postgres = new URL(postgresUrl);
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'sponsorgate-pgbouncer-'));
  await chmod(folder, 0o755); // PgBouncer refuses to run as root, so another user must be able to read this folder
  const users = join(folder, 'users.txt');
  const settings = join(folder, 'pgbouncer.ini');
  const password = decodeURIComponent(postgres.password);
  await writeFile(users, `"${postgres.username}" "${password}"\n`);
  const own = `stats_users = ${postgres.username}
${hasStatements ? 'max_prepared_statements = 500' : ''}
`;
  const adapted =
    guideFile &&
    adapt(guideFile, [
      ['sponsorgate = host=127.0.0.1 port=5000', `* = host=127.0.0.1 port=${postgres.port}`],
      ['listen_port = 6432', `listen_port = ${port}`],
      ['unix_socket_dir = /var/run/postgresql', 'unix_socket_dir ='],
      ['/etc/pgbouncer/userlist.txt', users],
      ['pool_mode = session', `pool_mode = ${mode}`],
    ]);
  const general = `[databases]
* = host=127.0.0.1 port=${postgres.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = ${mode}
max_client_conn = 500
default_pool_size = ${mode === 'transaction' ? 20 : 90}
`;
  await writeFile(settings, (adapted ?? general) + own);
  const asRoot = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const child = spawn(program(), ['-q', settings], { stdio: 'ignore', ...asRoot });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('PgBouncer ended at its start')));
  ended.catch(() => undefined);

  const url = new URL(postgresUrl);
  url.port = String(port);
  const admin = new URL(url);
  admin.pathname = '/pgbouncer';
  const isThere = async () => (await query(url.href, 'SELECT 1 AS one')).length === 1;
  await Promise.race([eventually('PgBouncer answers', isThere), ended]);

  return {
    url: url.href,
    version,
    mode,
    async connections() {
      const pools = await query<Record<string, string>>(admin.href, 'SHOW POOLS');
      const ours = pools.filter((pool) => pool.database !== 'pgbouncer');
      const sum = (prefix: string) =>
        ours.flatMap((pool) => Object.entries(pool).filter(([name]) => name.startsWith(prefix)));
      const total = (prefix: string) => sum(prefix).reduce((count, [, value]) => count + Number(value), 0);
      return { servers: total('sv_'), clients: total('cl_') };
    },
    async stop() {
      if (child.exitCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}
