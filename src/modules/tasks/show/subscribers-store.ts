import type { Queryable } from '../../../core/database.ts';

/** The users whose subscriptions to an order were counted last, reversed ones included. */
export async function readRecentSubscribers(db: Queryable, orderId: number, limit: number): Promise<number[]> {
  const rows = await db.query<{ user_id: bigint }>(
    `SELECT user_id FROM tasks
     WHERE order_id = $1 AND confirmed_at IS NOT NULL AND state <> 'notgetted'
     ORDER BY confirmed_at DESC LIMIT $2`,
    [orderId, limit],
  );
  return rows.map((row) => Number(row.user_id));
}
