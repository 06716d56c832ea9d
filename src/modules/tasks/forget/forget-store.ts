import type { Queryable, Transaction } from '../../../core/database.ts';
import type { OwnersChunk } from '../../../core/run-in-chunks.ts';
import type { Membership } from '../../audience/index.ts';
import type { Cursor } from './scan-store.ts';

/**
 * Deletes at most `limit` tasks of the next `orders` orders that are in a final state and were decided and settled before
 * `before`. Skips locked rows. `partition` is the name of a partition or of the whole table, as SQL.
 */
export async function deleteTasks(
  db: Queryable,
  {
    partition,
    afterOrderId,
    orders,
    before,
    limit,
  }: { partition: string; afterOrderId: number; orders: number; before: Date; limit: number },
): Promise<OwnersChunk> {
  const [row] = await db.query<OwnersChunk>(
    `WITH next_orders AS MATERIALIZED (
       SELECT id FROM orders WHERE id > $1 ORDER BY id LIMIT $2
     ), old AS MATERIALIZED (
       SELECT t.* FROM next_orders n CROSS JOIN LATERAL (
         SELECT user_id, bot_id, order_id FROM ${partition}
         WHERE order_id = n.id AND confirmed_at < $3 AND state IN ('settled', 'reversed', 'rejected', 'notgetted')
           AND (settled_at IS NULL OR settled_at < $3)
         ORDER BY confirmed_at LIMIT $4 FOR UPDATE SKIP LOCKED) t
       LIMIT $4
     ), deleted AS (
       DELETE FROM ${partition} t USING old
       WHERE t.user_id = old.user_id AND t.bot_id = old.bot_id AND t.order_id = old.order_id
       RETURNING 1
     )
     SELECT (SELECT count(*) FROM deleted)::float8 AS count, (SELECT max(id) FROM next_orders)::float8 AS "lastId"`,
    [afterOrderId, orders, before, limit],
  );
  return row ?? { count: 0, lastId: null };
}

/**
 * Returns those of the memberships that no decision needs any more. `firstMemberAt` decides whether a confirm is paid
 * (decision 0011) until the user is counted for the resource. Any membership may decide the settlement of a
 * subscription that can still be reversed.
 */
export async function findIdleMemberships<Item extends Pick<Membership, 'userId' | 'chatId' | 'firstMemberAt'>>(
  tx: Transaction,
  memberships: readonly Item[],
): Promise<Item[]> {
  if (memberships.length === 0) return [];
  const rows = await tx.query<{ index: bigint }>(
    `SELECT k.index
     FROM unnest($1::bigint[], $2::bigint[], $3::boolean[]) WITH ORDINALITY AS k (user_id, chat_id, was_member, index)
     LEFT JOIN resources r ON r.chat_id = k.chat_id
     WHERE (NOT k.was_member OR EXISTS (
              SELECT 1 FROM counted_subscriptions c WHERE c.user_id = k.user_id AND c.resource_id = r.id))
       AND NOT EXISTS (
              SELECT 1 FROM tasks t WHERE t.user_id = k.user_id AND t.resource_id = r.id
                AND t.state IN ('pending', 'held', 'paid'))`,
    [
      memberships.map(({ userId }) => userId),
      memberships.map(({ chatId }) => chatId),
      memberships.map(({ firstMemberAt }) => firstMemberAt !== null),
    ],
  );
  const idle = new Set(rows.map((row) => Number(row.index) - 1));
  return memberships.filter((_, index) => idle.has(index));
}

/**
 * Deletes those of the next `limit` lists whose round ended before `endedBefore` and that have no reservation. Skips
 * locked rows. `last` is the last list that was read, undefined when there are no more. `partition` as for `deleteTasks`.
 */
export async function deleteLists(
  tx: Transaction,
  { partition, after, endedBefore, limit }: { partition: string; after: Cursor; endedBefore: Date; limit: number },
): Promise<{ readonly count: number; readonly last: Cursor | undefined }> {
  const [row] = await tx.query<{ count: bigint; lists: bigint; user_id: bigint | null; bot_id: bigint | null }>(
    `WITH next_lists AS MATERIALIZED (
       SELECT user_id, bot_id FROM ${partition} WHERE (user_id, bot_id) > ($1, $2) ORDER BY user_id, bot_id LIMIT $4
     ), idle AS MATERIALIZED (
       SELECT user_id, bot_id FROM ${partition} AS l JOIN next_lists USING (user_id, bot_id)
       WHERE l.ends_at < $3 AND l.expires_at IS NULL FOR UPDATE OF l SKIP LOCKED
     ), deleted AS (
       DELETE FROM ${partition} l USING idle WHERE l.user_id = idle.user_id AND l.bot_id = idle.bot_id RETURNING 1
     )
     SELECT (SELECT count(*) FROM deleted) AS count, (SELECT count(*) FROM next_lists) AS lists, last.user_id, last.bot_id
     FROM (VALUES (1)) AS one
     LEFT JOIN (SELECT * FROM next_lists ORDER BY user_id DESC, bot_id DESC LIMIT 1) AS last ON true`,
    [after.userId, after.otherId, endedBefore, limit],
  );
  const isLastPage = Number(row?.lists ?? 0) < limit || row?.user_id == null || row.bot_id === null;
  return {
    count: Number(row?.count ?? 0),
    last: isLastPage ? undefined : { userId: Number(row.user_id), otherId: Number(row.bot_id) },
  };
}
