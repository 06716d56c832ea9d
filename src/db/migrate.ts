import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { StartError } from '../core/errors.ts';

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

/** Any constant works if every process that migrates this database uses the same one. */
const MIGRATION_LOCK = 7_303_014_110;

/**
 * Applies all missing migrations. Several processes may start at once: one migrates under a lock, the others wait and
 * then have nothing to do. Each file runs in its own transaction, so a crash leaves only complete steps.
 */
export async function migrate(url: string, sets: readonly MigrationSet[]): Promise<void> {
  await onConnection(url, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query(`CREATE TABLE IF NOT EXISTS schema_migrations (
      set_name text NOT NULL, version integer NOT NULL, name text NOT NULL, checksum text NOT NULL,
      applied_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (set_name, version))`);
    // Stores why the last start failed, for `doctor`.
    await client.query(`CREATE TABLE IF NOT EXISTS schema_migration_failures (
      name text PRIMARY KEY, reason text NOT NULL, failed_at timestamptz NOT NULL DEFAULT now())`);
    for (const set of sets) await applySet(client, set);
  });
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
    if (!isRefused(error)) throw error;
    throw new StartError(`the database cannot be used: ${explain(error)}`, { cause: error });
  } finally {
    await client.end(); // ends the session and releases the lock
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
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

async function applySet(client: pg.Client, { set, folder }: MigrationSet): Promise<void> {
  const { rows } = await client.query<{ version: number; name: string; checksum: string }>(
    'SELECT version, name, checksum FROM schema_migrations WHERE set_name = $1',
    [set],
  );
  const applied = new Map(rows.map((row) => [row.version, row]));

  for (const file of await readMigrations(folder)) {
    const former = applied.get(file.version);
    if (former?.checksum === file.checksum) continue;
    if (former !== undefined && former.name !== file.name) throw new StartError(UNRELEASED_DATABASE);
    if (former !== undefined) {
      throw new StartError(
        `migration ${file.name} was changed after it had been applied: add a new file instead, or use another database`,
      );
    }
    await client.query('BEGIN');
    try {
      await client.query(file.sql);
      await client.query('INSERT INTO schema_migrations (set_name, version, name, checksum) VALUES ($1, $2, $3, $4)', [
        set,
        file.version,
        file.name,
        file.checksum,
      ]);
      await client.query('DELETE FROM schema_migration_failures WHERE name = $1', [file.name]);
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined); // without a connection there is nothing to roll back
      const reason = explain(error);
      await recordFailure(client, file.name, reason).catch(() => undefined); // the StartError below reports it
      throw new StartError(`migration ${file.name} failed: ${reason}`, { cause: error });
    }
  }
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
