import type { Queryable, Transaction } from '../../core/database.ts';
import type { Membership } from '../audience/index.ts';

export interface ForgottenOffers {
  readonly count: number;
  /** The last order that was looked at; null behind the last of all. */
  readonly lastOrderId: number | null;
}

/**
 * Forgets offers of the next `orders` orders that are over and were decided and settled before then, at most `limit` of
 * them. Reversible ones are never among them, nor any that somebody is busy with.
 */
export async function deleteOffers(
  db: Queryable,
  { afterOrderId, orders, before, limit }: { afterOrderId: number; orders: number; before: Date; limit: number },
): Promise<ForgottenOffers> {
  const [row] = await db.query<{ count: bigint; last_order_id: bigint | null }>(
    `WITH next_orders AS MATERIALIZED (
       SELECT id FROM orders WHERE id > $1 ORDER BY id LIMIT $2
     ), old AS MATERIALIZED (
       SELECT o.* FROM next_orders n CROSS JOIN LATERAL (
         SELECT user_id, bot_id, order_id FROM offers
         WHERE order_id = n.id AND confirmed_at < $3 AND state IN ('settled', 'reversed', 'notgetted')
           AND (settled_at IS NULL OR settled_at < $3)
         ORDER BY confirmed_at LIMIT $4 FOR UPDATE SKIP LOCKED) o
       LIMIT $4
     ), gone AS (
       DELETE FROM offers o USING old
       WHERE o.user_id = old.user_id AND o.bot_id = old.bot_id AND o.order_id = old.order_id
       RETURNING 1
     )
     SELECT (SELECT count(*) FROM gone) AS count, (SELECT max(id) FROM next_orders) AS last_order_id`,
    [afterOrderId, orders, before, limit],
  );
  return { count: Number(row?.count ?? 0), lastOrderId: row?.last_order_id == null ? null : Number(row.last_order_id) };
}

/**
 * Of these memberships, those that can decide nothing any more. One that says since when a user has belonged to a chat
 * decides whether a confirm is paid (decision 0011), until the user is counted there: from then on that decides. One
 * that says nothing of the kind matters only to a subscription that can still be reversed.
 */
export async function findIdleMemberships<Known extends Pick<Membership, 'userId' | 'chatId' | 'firstMemberAt'>>(
  tx: Transaction,
  memberships: readonly Known[],
): Promise<Known[]> {
  if (memberships.length === 0) return [];
  const rows = await tx.query<{ index: bigint }>(
    `SELECT k.index
     FROM unnest($1::bigint[], $2::bigint[], $3::boolean[]) WITH ORDINALITY AS k (user_id, chat_id, was_member, index)
     LEFT JOIN resources r ON r.chat_id = k.chat_id
     WHERE (NOT k.was_member OR EXISTS (
              SELECT 1 FROM counted_subscriptions c WHERE c.user_id = k.user_id AND c.resource_id = r.id))
       AND NOT EXISTS (
              SELECT 1 FROM offers o WHERE o.user_id = k.user_id AND o.resource_id = r.id
                AND o.state IN ('pending', 'held', 'paid'))`,
    [
      memberships.map(({ userId }) => userId),
      memberships.map(({ chatId }) => chatId),
      memberships.map(({ firstMemberAt }) => firstMemberAt !== null),
    ],
  );
  const idle = new Set(rows.map((row) => Number(row.index) - 1));
  return memberships.filter((_, index) => idle.has(index));
}
