import type { Queryable } from './database.ts';
import { WITHIN_MS } from './run-in-chunks.ts';

/**
 * Runs work on each partition of a table in turn, or on the whole table, and returns the sum. A piece of work then reads and
 * locks one partition, and leaves its dead rows to one vacuum. The partitions share the time that the whole table would
 * have, so that a backlog in one does not keep the others waiting.
 *
 * `work` gets the name of the partition as SQL.
 */
export async function sumOverPartitions(
  db: Queryable,
  table: string,
  work: (partition: string, withinMs: number) => Promise<number>,
): Promise<number> {
  const rows = await db.query<{ name: string }>(
    'SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = to_regclass($1) ORDER BY 1',
    [table],
  );
  const names = rows.length === 0 ? [table] : rows.map(({ name }) => name);
  let sum = 0;
  for (const name of names) sum += await work(name, WITHIN_MS / names.length);
  return sum;
}
