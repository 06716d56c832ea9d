import pg from 'pg';
import { StartError } from '../core/errors.ts';

/** The tables whose rows belong to one user. Their primary keys begin with `user_id`. */
export const PARTITIONABLE = [
  'task_lists',
  'tasks',
  'counted_subscriptions',
  'memberships',
  'audience_users',
  'audience_values',
] as const;

export interface PartitionOptions {
  readonly table: string;
  /** The number of partitions: a power of two, so that it can be doubled later. */
  readonly count: number;
  readonly onProgress?: (line: string) => void;
  /** Rows that one transaction copies. */
  readonly chunk?: number;
}

const CHUNK_ROWS = 20_000;
const LOCK_TIMEOUT = '3s';
const SWAP_ATTEMPTS = 20;
/** Names of the copy while it is filled, and of the original after the swap. */
const COPY = '_partitioned';
const WHOLE = '_whole';

/**
 * Replaces a table by a copy that is partitioned by the hash of `user_id`, while the service works. A trigger repeats
 * every change in the copy; the rows are copied in pieces; then the two change names under a short lock. The original
 * stays as `<table>_whole`, without changes from then on. An interrupted run can be repeated: it starts again.
 */
export async function partitionTable(url: string, options: PartitionOptions): Promise<void> {
  const { table, count, onProgress = () => undefined } = options;
  if (!(PARTITIONABLE as readonly string[]).includes(table)) {
    throw new StartError(`${table} cannot be partitioned by user: use one of ${PARTITIONABLE.join(', ')}`);
  }
  if (count < 2 || count > 64 || (count & (count - 1)) !== 0) {
    throw new StartError(`a table can have 2, 4, 8, 16, 32 or 64 partitions, not ${count}`);
  }
  const client = new pg.Client({ connectionString: url, application_name: 'sponsorgate partition-table' });
  client.on('error', () => undefined); // without a listener the event would end the process
  await client.connect();
  try {
    const shape = await readShape(client, table);
    if (shape.isPartitioned) throw new StartError(`${table} is partitioned already`);
    await withLock(client, () => createCopy(client, shape, count));
    onProgress(`${table}: ${count} partitions created, changes are repeated in them`);
    const copied = await copyRows(client, shape, options.chunk ?? CHUNK_ROWS, onProgress);
    await compare(client, table);
    await withLock(client, () => swap(client, shape));
    onProgress(`${table}: ${copied} rows copied, the partitioned table is in use; the old one is ${table}${WHOLE}`);
  } finally {
    await client.end();
  }
}

interface Shape {
  readonly table: string;
  readonly isPartitioned: boolean;
  readonly columns: readonly string[];
  readonly key: readonly string[];
  /** Such as `fillfactor=80`. */
  readonly storage: readonly string[];
  /** The indexes besides the primary key, with their definitions. */
  readonly indexes: readonly { readonly name: string; readonly definition: string }[];
  /** Views that read the table. They follow a table, not its name, so they are created again. */
  readonly views: readonly { readonly name: string; readonly definition: string }[];
}

/** The name is one of `PARTITIONABLE`, so it may be a part of SQL. */
async function readShape(client: pg.Client, table: string): Promise<Shape> {
  const rowsOf = async <Row extends object>(sql: string): Promise<Row[]> =>
    (await client.query<Row>(sql, [table])).rows;
  const [relation] = await rowsOf<{ kind: string; storage: string[] | null }>(
    'SELECT relkind AS kind, reloptions AS storage FROM pg_class WHERE oid = to_regclass($1)',
  );
  if (relation === undefined) throw new StartError(`this database has no table ${table}: start the service once`);
  const columns = await rowsOf<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute
     WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
  );
  const key = await rowsOf<{ name: string }>(
    `SELECT a.attname AS name FROM pg_index i
     CROSS JOIN unnest(i.indkey) WITH ORDINALITY AS k (attnum, position)
     JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
     WHERE i.indrelid = to_regclass($1) AND i.indisprimary ORDER BY k.position`,
  );
  const indexes = await rowsOf<{ name: string; definition: string }>(
    `SELECT c.relname AS name, pg_get_indexdef(i.indexrelid) AS definition FROM pg_index i
     JOIN pg_class c ON c.oid = i.indexrelid
     WHERE i.indrelid = to_regclass($1) AND NOT i.indisprimary ORDER BY c.relname`,
  );
  const views = await rowsOf<{ name: string; definition: string }>(
    `SELECT DISTINCT v.oid::regclass::text AS name, pg_get_viewdef(v.oid) AS definition
     FROM pg_depend d JOIN pg_rewrite r ON r.oid = d.objid JOIN pg_class v ON v.oid = r.ev_class
     WHERE d.classid = 'pg_rewrite'::regclass AND d.refobjid = to_regclass($1) AND v.relkind = 'v'`,
  );
  return {
    table,
    isPartitioned: relation.kind === 'p',
    columns: columns.map(({ name }) => name),
    key: key.map(({ name }) => name),
    storage: relation.storage ?? [],
    indexes,
    views,
  };
}

/** Runs a change in one transaction that waits for locks in short attempts, so that requests pass in between. */
async function withLock(client: pg.Client, change: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query('BEGIN');
      await client.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
      await change();
      await client.query('COMMIT');
      return;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined); // without a connection there is nothing to roll back
      const isLocked = error instanceof pg.DatabaseError && error.code === '55P03';
      if (!isLocked || attempt === SWAP_ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  }
}

const partitionName = (table: string, index: number): string => `${table}_${String(index).padStart(2, '0')}`;

async function createCopy(client: pg.Client, shape: Shape, count: number): Promise<void> {
  const { table, columns, key, storage } = shape;
  const copy = `${table}${COPY}`;
  await client.query(`DROP TRIGGER IF EXISTS ${copy} ON ${table}`);
  await client.query(`DROP TABLE IF EXISTS ${copy}`); // of an interrupted run
  await client.query(
    `CREATE TABLE ${copy} (LIKE ${table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING COMMENTS)
     PARTITION BY HASH (user_id)`,
  );
  const options = storage.length > 0 ? `WITH (${storage.join(', ')})` : '';
  for (let index = 0; index < count; index++) {
    await client.query(
      `CREATE TABLE ${partitionName(table, index)} PARTITION OF ${copy}
       FOR VALUES WITH (MODULUS ${count}, REMAINDER ${index}) ${options}`,
    );
  }
  await client.query(`ALTER TABLE ${copy} ADD CONSTRAINT ${copy}_pkey PRIMARY KEY (${key.join(', ')})`);
  for (const { name, definition } of shape.indexes) {
    await client.query(definition.replace(/ INDEX \S+ ON (?:ONLY )?\S+ /, ` INDEX ${name}${COPY} ON ${copy} `));
  }
  const sameKey = key.map((column) => `c.${column} = OLD.${column}`).join(' AND ');
  const newValues = columns.map((column) => `NEW.${column}`).join(', ');
  const changes = columns.map((column) => `${column} = excluded.${column}`).join(', ');
  await client.query(
    `CREATE OR REPLACE FUNCTION ${copy}() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF TG_OP = 'DELETE' THEN
         DELETE FROM ${copy} c WHERE ${sameKey};
       ELSE -- the row may be copied at the same time
         INSERT INTO ${copy} (${columns.join(', ')}) VALUES (${newValues})
         ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${changes};
       END IF;
       RETURN NULL;
     END $$`,
  );
  await client.query(
    `CREATE TRIGGER ${copy} AFTER INSERT OR UPDATE OR DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION ${copy}()`,
  );
}

/**
 * Copies the rows in the order of the key. The row locks make a concurrent DELETE wait for the piece, so that its
 * trigger finds the copied row; a row that the trigger has copied already is newer and stays.
 */
async function copyRows(
  client: pg.Client,
  { table, columns, key }: Shape,
  chunk: number,
  onProgress: (line: string) => void,
): Promise<number> {
  const list = columns.join(', ');
  const keyList = key.join(', ');
  let after: unknown[] | undefined;
  let copied = 0;
  for (;;) {
    const where = after === undefined ? '' : `WHERE (${keyList}) > (${key.map((_, i) => `$${i + 2}`).join(', ')})`;
    const { rows } = await client.query<Record<string, unknown>>(
      `WITH piece AS MATERIALIZED (
         SELECT ${list} FROM ${table} ${where} ORDER BY ${keyList} LIMIT $1 FOR KEY SHARE
       ), copied AS (
         INSERT INTO ${table}${COPY} (${list}) SELECT ${list} FROM piece ON CONFLICT DO NOTHING
       )
       SELECT ${key.map((column) => `${column}::text`).join(', ')}, (SELECT count(*) FROM piece)::int AS rows
       FROM piece ORDER BY ${key.map((column) => `piece.${column} DESC`).join(', ')} LIMIT 1`,
      [chunk, ...(after ?? [])],
    );
    const [last] = rows;
    if (last === undefined) return copied;
    copied += Number(last.rows);
    after = key.map((column) => last[column]);
    onProgress(`${table}: ${copied} rows copied`);
  }
}

/** The trigger works in the transaction of the change, so one statement sees both tables with the same rows. */
async function compare(client: pg.Client, table: string): Promise<void> {
  const { rows } = await client.query<{ is_same: boolean }>(
    `SELECT (SELECT count(*) FROM ${table}) = (SELECT count(*) FROM ${table}${COPY}) AS is_same`,
  );
  if (rows[0]?.is_same !== true)
    throw new Error(`the copy of ${table} has another number of rows: nothing was changed`);
}

async function swap(client: pg.Client, { table, key, indexes, views }: Shape): Promise<void> {
  const copy = `${table}${COPY}`;
  await client.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  await client.query(`DROP TRIGGER ${copy} ON ${table}`);
  await client.query(`DROP FUNCTION ${copy}()`);
  await client.query(`ALTER TABLE ${table} RENAME TO ${table}${WHOLE}`);
  await client.query(`ALTER INDEX ${table}_pkey RENAME TO ${table}${WHOLE}_pkey`);
  await client.query(`ALTER TABLE ${copy} RENAME TO ${table}`);
  await client.query(`ALTER INDEX ${copy}_pkey RENAME TO ${table}_pkey`);
  for (const { name } of indexes) {
    await client.query(`ALTER INDEX ${name} RENAME TO ${name}${WHOLE}`);
    await client.query(`ALTER INDEX ${name}${COPY} RENAME TO ${name}`);
  }
  for (const { name, definition } of views) await client.query(`CREATE OR REPLACE VIEW ${name} AS ${definition}`);
  await client.query(`COMMENT ON TABLE ${table}${WHOLE} IS 'The table before it was partitioned. Drop it.'`);
  await client.query(
    `COMMENT ON TABLE ${table} IS 'Partitioned by hash of user_id (${key.join(', ')} is the key). docs/citus.md.'`,
  );
}
