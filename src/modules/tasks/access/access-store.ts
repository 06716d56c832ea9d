import type { Queryable, Transaction } from '../../../core/database.ts';
import type { TaskKey } from '../task.ts';
import { keyColumns } from '../task-rows.ts';

export interface AccessDoubt {
  readonly resourceId: number;
  /** About whom Telegram was asked. */
  readonly userId: number;
}

/** Notes the first answer that denied our bot access; later ones change nothing. */
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
  const rows = await db.query<{ resource_id: bigint; user_id: bigint }>(
    'SELECT resource_id, user_id FROM access_rechecks WHERE since <= $1 ORDER BY since, resource_id LIMIT $2',
    [since, limit],
  );
  return rows.map((row) => ({ resourceId: Number(row.resource_id), userId: Number(row.user_id) }));
}

export async function deleteDoubts(db: Queryable, resourceIds: readonly number[]): Promise<void> {
  await db.query('DELETE FROM access_rechecks WHERE resource_id = ANY($1::bigint[])', [resourceIds]);
}

/** A window is as long as the hold or a day, and its last check waits for a day at most. */
const SETTLED_AFTER_SECONDS = 2 * 24 * 60 * 60;

/** From now on nothing takes back the rewards for this resource that are not settled yet. Returns how many there are. */
export async function keepTasksOfResource(tx: Transaction, resourceId: number, now: Date): Promise<number> {
  const rows = await tx.query(
    `UPDATE tasks o SET kept_at = $2 FROM orders r
     WHERE r.resource_id = $1 AND o.order_id = r.id AND o.state IN ('held', 'paid') AND o.kept_at IS NULL
       AND o.confirmed_at > $2::timestamptz - make_interval(secs => r.hold_seconds + $3)
     RETURNING 1`,
    [resourceId, now, SETTLED_AFTER_SECONDS],
  );
  return rows.length;
}

/** From now on nothing takes these rewards back. Returns the order of each that was reversible until now. */
export async function keepTasks(tx: Transaction, keys: readonly TaskKey[], now: Date): Promise<number[]> {
  const rows = await tx.query<{ order_id: bigint }>(
    `UPDATE tasks o SET kept_at = $4
     FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS k (user_id, bot_id, order_id)
     WHERE o.user_id = k.user_id AND o.bot_id = k.bot_id AND o.order_id = k.order_id AND o.state IN ('held', 'paid')
       AND o.kept_at IS NULL
     RETURNING o.order_id`,
    [...keyColumns(keys), now],
  );
  return rows.map((row) => Number(row.order_id));
}
