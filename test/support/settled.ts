import type { Database } from '../../src/core/database.ts';
import { freshUser } from './sandbox.ts';

/** Inserts settled subscriptions of a publisher for an order, without the task flow. Moves no money. */
export async function insertSettled(
  db: Database,
  { orderId, accountId, times }: { orderId: number; accountId: number; times: readonly Date[] },
): Promise<void> {
  await db.query(
    `INSERT INTO tasks (user_id, bot_id, order_id, account_id, resource_id, round, position, state, charge_kopecks,
       reward_kopecks, hold_seconds, refund, shown_at, expires_at, settled_at)
     SELECT t.user_id, 1, o.id, $2, o.resource_id, 1, 0, 'settled', o.charge_kopecks, o.reward_kopecks, 0, true, t.at,
       t.at, t.at
     FROM orders o, unnest($3::bigint[], $4::timestamptz[]) AS t (user_id, at) WHERE o.id = $1`,
    [orderId, accountId, times.map(() => freshUser()), times],
  );
}
