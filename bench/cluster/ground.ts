/** The servers that the processes use: PostgreSQL from npm, Redis and PgBouncer from the system's packages. */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startEmbeddedPostgres } from '../../src/db/index.ts';
import { startRedis, type TestRedis } from '../../test/support/redis.ts';
import { type PgBouncer, startPgBouncer, versionOfPgBouncer } from './pgbouncer.ts';

export interface Ground {
  /** The URL of PostgreSQL without PgBouncer. */
  readonly postgresUrl: string;
  readonly redis: TestRedis;
  readonly pgbouncer: PgBouncer;
  /** The settings for processes of the service. */
  readonly settings: Readonly<Record<string, string>>;
  readonly description: string;
  stop(): Promise<void>;
}

/** Returns one line that names the missing packages, or undefined when all are installed. */
export async function whatIsMissing(): Promise<string | undefined> {
  const redis = await promisify(execFile)('redis-server', ['--version']).catch(() => undefined);
  const missing = [
    ...(redis === undefined ? ['redis-server'] : []),
    ...((await versionOfPgBouncer()) === undefined ? ['pgbouncer'] : []),
  ];
  if (missing.length === 0) return undefined;
  return `not installed: ${missing.join(', ')}. On Debian: apt-get install --no-install-recommends ${missing.join(' ')}`;
}

export async function openGround(): Promise<Ground> {
  const folder = await mkdtemp(join(tmpdir(), 'sponsorgate-cluster-'));
  await chmod(folder, 0o755);
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), log: () => undefined });
  const redis = await startRedis();
  const pgbouncer = await startPgBouncer(postgres.url);
  return {
    postgresUrl: postgres.url,
    redis,
    pgbouncer,
    settings: {
      DATABASE_URL: pgbouncer.url,
      ...(pgbouncer.mode === 'transaction' ? { DATABASE_DIRECT_URL: postgres.url } : {}),
      REDIS_URL: redis.url,
    },
    description: `PgBouncer ${pgbouncer.version} in ${pgbouncer.mode} mode`,
    async stop() {
      await pgbouncer.stop();
      await redis.stop();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
