import pg from 'pg';
import { type MigrationSet, readMigrations } from './migrate.ts';

/** What a look at a database tells, without changing anything in it. */
export interface DatabaseState {
  /** As PostgreSQL writes it, such as `18.4`. */
  readonly version: string;
  readonly majorVersion: number;
  /** The server's clock minus this machine's. */
  readonly clockSkewMs: number;
  /** The sets that were ever applied; none in a new database. */
  readonly sets: ReadonlySet<string>;
  /** Files of those sets that the database has not seen yet. */
  readonly missingMigrations: readonly string[];
  /** Migrations that a newer version of the service applied, and ones whose file was changed since. */
  readonly foreignMigrations: readonly string[];
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
  client.on('error', () => undefined); // the statement under way fails too; unheard, the event would end the process
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
    const isSame = (row: AppliedRow) => (file: { set: string; version: number; checksum: string }) =>
      file.set === row.set_name && file.version === row.version && file.checksum === row.checksum;
    return {
      version,
      majorVersion,
      clockSkewMs,
      sets,
      missingMigrations: files
        .filter((file) => !applied.some((row) => row.set_name === file.set && row.version === file.version))
        .map(({ name }) => name),
      foreignMigrations: applied.filter((row) => !files.some(isSame(row))).map(({ name }) => name),
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

/** Half of the way there and back is taken off, as far as one can know it. */
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
  const { rows } = await client.query<{ exists: boolean }>(
    "SELECT to_regclass('schema_migrations') IS NOT NULL AS exists",
  );
  if (rows[0]?.exists !== true) return [];
  return (await client.query<AppliedRow>('SELECT set_name, version, name, checksum FROM schema_migrations')).rows;
}
