import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { StartError } from '../core/errors.ts';

/** Numbered SQL files of one owner. `set` keeps the service's own numbers apart from the sandbox's. */
export interface MigrationSet {
  readonly set: string;
  readonly folder: string;
}

export const serviceMigrations: MigrationSet = {
  set: 'service',
  folder: fileURLToPath(new URL('./migrations/', import.meta.url)),
};

/** Any constant will do, as long as every process that migrates this database uses the same one. */
const MIGRATION_LOCK = 7_303_014_110;

/**
 * Brings the schema up to date. Several processes may start at once: one migrates under a lock, the others wait for it
 * and then find nothing to do. Each file runs in a transaction of its own, so a crash leaves whole steps behind.
 */
export async function migrate(url: string, sets: readonly MigrationSet[]): Promise<void> {
  const client = await connect(url);
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query(`CREATE TABLE IF NOT EXISTS schema_migrations (
      set_name text NOT NULL, version integer NOT NULL, name text NOT NULL, checksum text NOT NULL,
      applied_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (set_name, version))`);
    for (const set of sets) await applySet(client, set);
  } finally {
    await client.end(); // ends the session and with it the lock
  }
}

/** Which sets of migrations a database has seen; none when it is new. */
export async function readMigrationSets(url: string): Promise<ReadonlySet<string>> {
  const client = await connect(url);
  try {
    const { rows } = await client.query<{ exists: boolean }>(
      "SELECT to_regclass('schema_migrations') IS NOT NULL AS exists",
    );
    if (rows[0]?.exists !== true) return new Set();
    const sets = await client.query<{ set_name: string }>('SELECT DISTINCT set_name FROM schema_migrations');
    return new Set(sets.rows.map((row) => row.set_name));
  } finally {
    await client.end();
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined); // the statement under way fails too; unheard, the event would end the process
  try {
    await client.connect();
    return client;
  } catch (error) {
    // The address is not repeated: it holds a password.
    const reason = error instanceof Error ? error.message || error.name : String(error);
    throw new StartError(`cannot connect to the database: ${reason}; check DATABASE_URL`, { cause: error });
  }
}

async function applySet(client: pg.Client, { set, folder }: MigrationSet): Promise<void> {
  const { rows } = await client.query<{ version: number; checksum: string }>(
    'SELECT version, checksum FROM schema_migrations WHERE set_name = $1',
    [set],
  );
  const applied = new Map(rows.map((row) => [row.version, row.checksum]));

  for (const file of await readMigrations(folder)) {
    const known = applied.get(file.version);
    if (known === file.checksum) continue;
    if (known !== undefined) {
      throw new Error(`migration ${file.name} was changed after it had been applied: add a new file instead`);
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
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined); // without a connection there is nothing left to undo
      throw new Error(`migration ${file.name} failed: ${error instanceof Error ? error.message : error}`, {
        cause: error,
      });
    }
  }
}

interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

/** The files of a set, in their order. */
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
