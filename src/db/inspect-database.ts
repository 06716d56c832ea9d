import pg from 'pg';
import { type Migration, type MigrationSet, readMigrations } from './migrate.ts';

/** The state of a database, read without changing it. */
export interface DatabaseState {
  /** As PostgreSQL reports it, such as `18.4`. */
  readonly version: string;
  readonly majorVersion: number;
  /** The server's clock minus the clock of this machine. */
  readonly clockSkewMs: number;
  /** The migration sets that were ever applied; empty for a new database. */
  readonly sets: ReadonlySet<string>;
  /** Files of those sets that are not applied yet. */
  readonly missingMigrations: readonly string[];
  /** Migrations that a newer version of the service applied, and migrations whose file changed since. */
  readonly foreignMigrations: readonly string[];
  /** Whether the migrations before the first release created the database. */
  readonly isUnreleased: boolean;
  /** The migration that failed at the last start, with PostgreSQL's reason. */
  readonly failedMigration: { readonly name: string; readonly reason: string } | undefined;
  /** The rights that the service needs and the role lacks. */
  readonly missingRights: readonly string[];
}

const TIMEOUT_MS = 10_000;

export async function inspectDatabase(
  url: string,
  known: readonly MigrationSet[],
  nowMs: () => number,
): Promise<DatabaseState> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
    application_name: 'sponsorgate doctor',
  });
  client.on('error', () => undefined); // without a listener the event would end the process
  await client.connect();
  try {
    const { version, majorVersion } = await readVersion(client);
    const clockSkewMs = await readClockSkew(client, nowMs);
    const applied = await readApplied(client);
    const sets = new Set(applied.map(({ set_name }) => set_name));
    const migrations = await Promise.all(
      known
        .filter(({ set }) => sets.has(set))
        .map(async ({ set, folder }) => ({ set, files: await readMigrations(folder) })),
    );
    const files = migrations.flatMap(({ set, files }) => files.map((file) => ({ ...file, set })));
    const isSameNumber = (row: AppliedRow, file: Migration & { set: string }): boolean =>
      file.set === row.set_name && file.version === row.version;
    return {
      version,
      majorVersion,
      clockSkewMs,
      sets,
      missingMigrations: files
        .filter((file) => !applied.some((row) => isSameNumber(row, file)))
        .map(({ name }) => name),
      foreignMigrations: applied
        .filter((row) => !files.some((file) => isSameNumber(row, file) && file.checksum === row.checksum))
        .map(({ name }) => name),
      isUnreleased: applied.some((row) => files.some((file) => isSameNumber(row, file) && file.name !== row.name)),
      failedMigration: await readFailure(client),
      missingRights: await readMissingRights(client),
    };
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function readVersion(client: pg.Client): Promise<{ version: string; majorVersion: number }> {
  const { rows } = await client.query<{ version: string; number: string }>(
    "SELECT current_setting('server_version') AS version, current_setting('server_version_num') AS number",
  );
  return { version: rows[0]?.version ?? 'unknown', majorVersion: Math.floor(Number(rows[0]?.number ?? 0) / 10_000) };
}

/** Compares the server's clock with the middle of the round trip, the best estimate of the time of the reading. */
async function readClockSkew(client: pg.Client, nowMs: () => number): Promise<number> {
  const before = nowMs();
  const { rows } = await client.query<{ ms: string }>('SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms');
  return Number(rows[0]?.ms) - (before + nowMs()) / 2;
}

interface AppliedRow {
  set_name: string;
  version: number;
  name: string;
  checksum: string;
}

async function readApplied(client: pg.Client): Promise<AppliedRow[]> {
  if (!(await canRead(client, 'schema_migrations'))) return [];
  return (await client.query<AppliedRow>('SELECT set_name, version, name, checksum FROM schema_migrations')).rows;
}

async function readFailure(client: pg.Client): Promise<DatabaseState['failedMigration']> {
  if (!(await canRead(client, 'schema_migration_failures'))) return undefined;
  const { rows } = await client.query<{ name: string; reason: string }>(
    'SELECT name, reason FROM schema_migration_failures ORDER BY failed_at DESC LIMIT 1',
  );
  return rows[0];
}

/** Returns false also for a missing table. */
async function canRead(client: pg.Client, table: string): Promise<boolean> {
  const { rows } = await client.query<{ can: boolean | null }>(
    "SELECT has_table_privilege(to_regclass($1)::oid, 'SELECT') AS can",
    [table],
  );
  return rows[0]?.can === true;
}

/** Migrations create tables and schemas. They also alter tables, which requires ownership. */
async function readMissingRights(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ role: string; database: string; creates: boolean; alien: string | null }>(
    `SELECT current_user AS role, current_database() AS database,
       has_database_privilege(current_database(), 'CREATE')
         AND coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS creates,
       (SELECT min(n.nspname || '.' || c.relname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname IN (current_schema(), 'sandbox') AND c.relkind IN ('r', 'p', 'S')
          AND NOT pg_has_role(c.relowner, 'USAGE')) AS alien`,
  );
  const [found] = rows;
  if (found === undefined) return [];
  return [
    ...(found.creates ? [] : [`role ${found.role} may not create tables and schemas in ${found.database}`]),
    ...(found.alien === null ? [] : [`role ${found.role} does not own ${found.alien}`]),
  ];
}
