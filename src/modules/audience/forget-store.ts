import { addDays, type Clock } from '../../core/clock.ts';
import type { Queryable, Transaction } from '../../core/database.ts';
import { sumOverPartitions } from '../../core/partitions.ts';
import { ROWS_AT_ONCE, runFullChunks } from '../../core/run-in-chunks.ts';
import { MEMBERSHIP_COLUMNS, type Membership } from './store.ts';
import { LEARNED_FOR_DAYS } from './user-store.ts';

/** Returns the next memberships of a partition, ordered by key. `partition` is its name or that of the whole table, as SQL. */
export async function listMemberships(
  db: Queryable,
  {
    partition,
    after,
    limit,
  }: { partition: string; after: { readonly userId: number; readonly chatId: number }; limit: number },
): Promise<Membership[]> {
  return db.query<Membership>(
    `SELECT ${MEMBERSHIP_COLUMNS} FROM ${partition} m
     WHERE (user_id, chat_id) > ($1, $2) ORDER BY user_id, chat_id LIMIT $3`,
    [after.userId, after.chatId, limit],
  );
}

/** Deletes memberships of a partition, except those with a newer observation. Skips locked rows. */
export async function deleteMemberships(
  tx: Transaction,
  pairs: readonly { readonly userId: number; readonly chatId: number }[],
  { partition, observedBefore }: { readonly partition: string; readonly observedBefore: Date },
): Promise<number> {
  if (pairs.length === 0) return 0;
  const rows = await tx.query(
    `WITH old AS MATERIALIZED (
       SELECT user_id, chat_id FROM ${partition} AS m JOIN unnest($1::bigint[], $2::bigint[]) AS t (user_id, chat_id)
         USING (user_id, chat_id)
       WHERE observed_at < $3 FOR UPDATE OF m SKIP LOCKED
     )
     DELETE FROM ${partition} m USING old WHERE m.user_id = old.user_id AND m.chat_id = old.chat_id RETURNING 1`,
    [pairs.map(({ userId }) => userId), pairs.map(({ chatId }) => chatId), observedBefore],
  );
  return rows.length;
}

/** Deletes values learned before this time, oldest first. Skips locked rows. Returns the number of deleted values. */
async function deleteValues(
  db: Queryable,
  { partition, learnedBefore, limit }: { partition: string; learnedBefore: Date; limit: number },
): Promise<number> {
  const rows = await db.query(
    `WITH old AS MATERIALIZED (
       SELECT user_id, field FROM ${partition} WHERE learned_at <= $1
       ORDER BY learned_at LIMIT $2 FOR UPDATE SKIP LOCKED
     )
     DELETE FROM ${partition} v USING old WHERE v.user_id = old.user_id AND v.field = old.field RETURNING 1`,
    [learnedBefore, limit],
  );
  return rows.length;
}

/** Deletes learned values that are too old to be used. Returns the number of deleted values. */
export async function forgetValues(
  { db, clock }: { readonly db: Queryable; readonly clock: Clock },
  signal?: AbortSignal,
  limit = ROWS_AT_ONCE,
): Promise<number> {
  const learnedBefore = addDays(clock.now(), -LEARNED_FOR_DAYS);
  return sumOverPartitions(db, 'audience_values', (partition, withinMs) =>
    runFullChunks(limit, () => deleteValues(db, { partition, learnedBefore, limit }), { signal, withinMs }),
  );
}
