import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { StartError } from '../core/errors.ts';
import { isConnectionLoss } from './errors.ts';
import { CONNECT_LIMIT_MS } from './primary-guard.ts';

/** Numbered SQL files of one owner. `set` separates the numbers of the service from those of the sandbox. */
export interface MigrationSet {
  readonly set: string;
  readonly folder: string;
}

export const serviceMigrations: MigrationSet = {
  set: 'service',
  folder: fileURLToPath(new URL('./migrations/', import.meta.url)),
};

/** The migrations were rewritten once, before the first release. A database with the old files cannot be upgraded. */
export const UNRELEASED_DATABASE =
  'this database was made by an unreleased version of Sponsorgate: start with an empty database (DATABASE_URL or DATA_DIR)';

/** Limits that keep a migration from stopping the requests of the processes that still run. */
interface MigrationLimits {
  /**
   * How long one attempt waits for the lock of a table. Every statement of the service on that table waits behind the
   * migration meanwhile.
   */
  readonly lockSeconds: number;
  /** How long one statement of a migration may run, and how long a process waits for another one that migrates. */
  readonly statementSeconds: number;
}

const DEFAULT_LIMITS: MigrationLimits = { lockSeconds: 3, statementSeconds: 600 };

/** Attempts to get the locks of one migration. Requests pass between two attempts. */
const LOCK_ATTEMPTS = 5;

/** Any constant works if every process that migrates this database uses the same one. */
const MIGRATION_LOCK = 7_303_014_110;

/**
 * Applies all missing migrations. Several processes may start at once: one migrates under a lock, the others wait and
 * then have nothing to do. Each file runs in its own transaction, so a crash leaves only complete steps.
 *
 * Returns the migrations of a newer version that the database has. During a rolling upgrade an old process may run on
 * the new schema, unless a migration requires newer code (see `requiredVersion`).
 */
export async function migrate(
  url: string,
  sets: readonly MigrationSet[],
  limits: MigrationLimits = DEFAULT_LIMITS,
): Promise<{ readonly newer: string[] }> {
  return onConnection(url, async (client) => {
    await requirePrimary(client);
    await takeMigrationLock(client, limits);
    await client.query(`CREATE TABLE IF NOT EXISTS schema_migrations (
      set_name text NOT NULL, version integer NOT NULL, name text NOT NULL, checksum text NOT NULL,
      applied_at timestamptz NOT NULL DEFAULT now(), requires integer, PRIMARY KEY (set_name, version))`);
    await addColumn(client);
    // Stores why the last start failed, for `doctor`.
    await client.query(`CREATE TABLE IF NOT EXISTS schema_migration_failures (
      name text PRIMARY KEY, reason text NOT NULL, failed_at timestamptz NOT NULL DEFAULT now())`);
    const newer: string[] = [];
    for (const set of sets) newer.push(...(await applySet(client, set, limits)));
    return { newer };
  });
}

/** Waits for a process that migrates already, and sets the limits of the session. */
async function takeMigrationLock(client: pg.Client, { lockSeconds, statementSeconds }: MigrationLimits): Promise<void> {
  await client.query(`SET statement_timeout = '${statementSeconds}s'`);
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
  } catch (error) {
    if (!isTimedOut(error)) throw error;
    throw new StartError(
      `another process has been migrating this database for ${statementSeconds} s: start again when it has finished`,
      { cause: error },
    );
  }
  await client.query(`SET lock_timeout = '${lockSeconds}s'`);
}

/** Returns the migration sets that were applied to a database; empty for a new database. */
export async function readMigrationSets(url: string): Promise<ReadonlySet<string>> {
  return onConnection(url, async (client) => {
    const { rows } = await client.query<{ exists: boolean }>(
      "SELECT to_regclass('schema_migrations') IS NOT NULL AS exists",
    );
    if (rows[0]?.exists !== true) return new Set();
    const sets = await client.query<{ set_name: string }>('SELECT DISTINCT set_name FROM schema_migrations');
    return new Set(sets.rows.map((row) => row.set_name));
  });
}

async function onConnection<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connect(url);
  try {
    return await work(client);
  } catch (error) {
    if (!isRefused(error) && !isConnectionLoss(error)) throw error;
    throw new StartError(`the database cannot be used: ${explain(error)}`, { cause: error });
  } finally {
    await client.end().catch(() => undefined); // ends the session and releases the lock
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_LIMIT_MS });
  client.on('error', () => undefined); // without a listener the event would end the process
  try {
    await client.connect();
    return client;
  } catch (error) {
    // Do not print the address: it contains a password.
    const reason = error instanceof Error ? error.message || error.name : String(error);
    throw new StartError(`cannot connect to the database: ${reason}; check DATABASE_URL`, { cause: error });
  }
}

/** Databases of the first version have no column `requires`. */
async function addColumn(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(
    `SELECT 1 FROM pg_attribute WHERE attrelid = 'schema_migrations'::regclass AND attname = 'requires'`,
  );
  if (rowCount === 0) await client.query('ALTER TABLE schema_migrations ADD COLUMN requires integer');
}

/** Throws on a standby, which would refuse the first statement with a message about transactions. */
async function requirePrimary(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ is_standby: boolean }>('SELECT pg_is_in_recovery() AS is_standby');
  if (rows[0]?.is_standby !== true) return;
  throw new StartError(
    'DATABASE_URL leads to a standby, which takes no writes: set it to the primary (with HAProxy, the port for the primary)',
  );
}

/** Applies the missing files of a set. Returns the names of applied migrations that have no file here. */
async function applySet(client: pg.Client, { set, folder }: MigrationSet, limits: MigrationLimits): Promise<string[]> {
  const { rows } = await client.query<{ version: number; name: string; checksum: string; requires: number | null }>(
    'SELECT version, name, checksum, requires FROM schema_migrations WHERE set_name = $1 ORDER BY version',
    [set],
  );
  const applied = new Map(rows.map((row) => [row.version, row]));
  const files = await readMigrations(folder);
  const known = new Set(files.map(({ version }) => version));
  const newer = rows.filter(({ version }) => !known.has(version));
  const strict = newer.find(({ requires }) => requires !== null && !known.has(requires));
  if (strict !== undefined) {
    throw new StartError(
      `the database is newer than this version of Sponsorgate (migration ${strict.name}): install the version that made it, or restore a backup`,
    );
  }

  for (const file of files) {
    const former = applied.get(file.version);
    if (former?.checksum === file.checksum) continue;
    if (former !== undefined && former.name !== file.name) throw new StartError(UNRELEASED_DATABASE);
    if (former !== undefined) {
      throw new StartError(
        `migration ${file.name} was changed after it had been applied: add a new file instead, or use another database`,
      );
    }
    await applyFile(client, set, file, limits);
  }
  return newer.map(({ name }) => name);
}

async function applyFile(client: pg.Client, set: string, file: Migration, limits: MigrationLimits): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query('BEGIN');
      await client.query(file.sql);
      await client.query(
        'INSERT INTO schema_migrations (set_name, version, name, checksum, requires) VALUES ($1, $2, $3, $4, $5)',
        [set, file.version, file.name, file.checksum, requiredVersion(file.sql)],
      );
      await client.query('DELETE FROM schema_migration_failures WHERE name = $1', [file.name]);
      await client.query('COMMIT');
      return;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined); // without a connection there is nothing to roll back
      if (isLockRefused(error) && attempt < LOCK_ATTEMPTS) {
        await sleep(limits.lockSeconds * 1_000); // requests that waited behind the migration pass now
        continue;
      }
      const reason = explainMigration(error, limits);
      await recordFailure(client, file.name, reason).catch(() => undefined); // the StartError below reports it
      throw new StartError(`migration ${file.name} failed: ${reason}`, { cause: error });
    }
  }
}

const hasCode = (error: unknown, code: string): boolean => error instanceof pg.DatabaseError && error.code === code;
/** The lock was not free within `lock_timeout`. */
const isLockRefused = (error: unknown): boolean => hasCode(error, '55P03');
/** The statement did not end within `statement_timeout`. */
const isTimedOut = (error: unknown): boolean => hasCode(error, '57014');

function explainMigration(error: unknown, { lockSeconds, statementSeconds }: MigrationLimits): string {
  if (isLockRefused(error)) {
    return `a table was locked by another transaction in ${LOCK_ATTEMPTS} attempts of ${lockSeconds} s; it was rolled back and nothing has changed: end long transactions (a dump, a report), or raise MIGRATION_LOCK_SECONDS, and start again`;
  }
  if (isTimedOut(error)) {
    return `a statement took longer than ${statementSeconds} s; it was rolled back and nothing has changed: raise MIGRATION_TIMEOUT_SECONDS and start again`;
  }
  return explain(error);
}

/**
 * Returns the number in a line `-- requires: 0031` of a migration. Code that does not know that migration refuses to
 * start on this schema. A migration that removes what older code uses carries such a line; all others are additions on
 * which the previous version still works.
 */
export function requiredVersion(sql: string): number | null {
  const number = /^-- requires: (\d+)$/m.exec(sql)?.[1];
  return number === undefined ? null : Number(number);
}

/** Insufficient privilege. */
function isRefused(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '42501';
}

function explain(error: unknown): string {
  const message = (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ');
  return isRefused(error) ? `${message}: ${OWNER_ADVICE}` : message;
}

/** The rights that the role of DATABASE_URL needs; it needs no others. */
export const OWNER_ADVICE =
  'the role of DATABASE_URL has to own the database and everything in it (CREATE DATABASE … OWNER role)';

async function recordFailure(client: pg.Client, name: string, reason: string): Promise<void> {
  await client.query(
    `INSERT INTO schema_migration_failures (name, reason) VALUES ($1, $2)
     ON CONFLICT (name) DO UPDATE SET reason = excluded.reason, failed_at = excluded.failed_at`,
    [name, reason],
  );
}

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

/** Returns the files of a set in the order of their numbers. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name), 'utf8');
      return {
        version: Number.parseInt(name, 10),
        name,
        sql,
        checksum: createHash('sha256').update(sql).digest('hex'),
      };
    }),
  );
}
