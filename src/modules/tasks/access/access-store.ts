import type { Queryable, Transaction } from '../../../core/database.ts';
import type { TaskKey } from '../task.ts';
import { keyColumns } from '../task-rows.ts';

export interface AccessDoubt {
  readonly resourceId: number;
  /** The user of the denied check. */
  readonly userId: number;
}

/** Stores the first denied check of each resource. Later ones change nothing. */
export async function insertDoubts(
  db: Queryable,
  { resourceIds, userId, now }: { resourceIds: readonly number[]; userId: number; now: Date },
): Promise<void> {
  await db.query(
    `INSERT INTO access_rechecks (resource_id, user_id, since) SELECT id, $2, $3 FROM unnest($1::bigint[]) AS t (id)
     ORDER BY id ON CONFLICT DO NOTHING`,
    [resourceIds, userId, now],
  );
}

export async function listDoubts(db: Queryable, since: Date, limit: number): Promise<AccessDoubt[]> {
  return db.query<AccessDoubt>(
    `SELECT resource_id::float8 AS "resourceId", user_id::float8 AS "userId" FROM access_rechecks
     WHERE since <= $1 ORDER BY since, resource_id LIMIT $2`,
    [since, limit],
  );
}

export async function deleteDoubts(db: Queryable, resourceIds: readonly number[]): Promise<void> {
  await db.query('DELETE FROM access_rechecks WHERE resource_id = ANY($1::bigint[])', [resourceIds]);
}

/** A window lasts as long as the hold or a day, and its last check waits for at most a day. */
const SETTLED_AFTER_SECONDS = 2 * 24 * 60 * 60;

/** Protects the unsettled rewards for this resource from reversal. Returns how many there are. */
export async function keepTasksOfResource(tx: Transaction, resourceId: number, now: Date): Promise<number> {
  const rows = await tx.query(
    `UPDATE tasks t SET kept_at = $2, kept_because = 'access_lost' FROM orders o
     WHERE o.resource_id = $1 AND t.order_id = o.id AND t.state IN ('held', 'paid') AND t.kept_at IS NULL
       AND t.confirmed_at > $2::timestamptz - make_interval(secs => o.hold_seconds + $3)
     RETURNING 1`,
    [resourceId, now, SETTLED_AFTER_SECONDS],
  );
  return rows.length;
}

/** Protects these rewards from reversal. Returns the order of each that was reversible until now. */
export async function keepTasks(tx: Transaction, keys: readonly TaskKey[], now: Date): Promise<number[]> {
  const rows = await tx.query<{ order_id: bigint }>(
    `UPDATE tasks t SET kept_at = $4, kept_because = 'removed'
     FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS k (user_id, bot_id, order_id)
     WHERE t.user_id = k.user_id AND t.bot_id = k.bot_id AND t.order_id = k.order_id AND t.state IN ('held', 'paid')
       AND t.kept_at IS NULL
     RETURNING t.order_id`,
    [...keyColumns(keys), now],
  );
  return rows.map((row) => Number(row.order_id));
}
