import { addSeconds, DAY_MS, SECOND_MS } from '../../core/clock.ts';
import type { Queryable, Transaction } from '../../core/database.ts';
import { type Membership, type MembershipRow, toMembership } from './store.ts';

/** Once all have been looked at, the next look at the first of them is this far away. */
const REST_SECONDS = DAY_MS / SECOND_MS;

export interface MembershipsPage {
  readonly memberships: readonly Membership[];
  readonly hasMore: boolean;
}

const NOTHING: MembershipsPage = { memberships: [], hasMore: false };

/**
 * The next memberships in the order of their keys. The place is kept in the database, by the transaction that looks at
 * them; another that comes meanwhile gets none.
 */
export async function takeMembershipsToReview(
  tx: Transaction,
  { now, limit }: { now: Date; limit: number },
): Promise<MembershipsPage> {
  // Only where there is none yet: it would wait for whoever holds the row.
  await tx.query(
    `INSERT INTO membership_review (is_only) SELECT true WHERE NOT EXISTS (SELECT FROM membership_review)
     ON CONFLICT DO NOTHING`,
  );
  const [place] = await tx.query<{ user_id: bigint; chat_id: bigint; rests_until: Date | null }>(
    'SELECT user_id, chat_id, rests_until FROM membership_review FOR UPDATE SKIP LOCKED',
  );
  if (place === undefined || (place.rests_until !== null && place.rests_until > now)) return NOTHING;
  const rows = await tx.query<MembershipRow>(
    'SELECT * FROM memberships WHERE (user_id, chat_id) > ($1, $2) ORDER BY user_id, chat_id LIMIT $3',
    [place.user_id, place.chat_id, limit],
  );
  const last = rows.length < limit ? undefined : rows.at(-1);
  await tx.query('UPDATE membership_review SET user_id = $1, chat_id = $2, rests_until = $3', [
    last?.user_id ?? 0n,
    last?.chat_id ?? 0n,
    last === undefined ? addSeconds(now, REST_SECONDS) : null,
  ]);
  return { memberships: rows.map(toMembership), hasMore: last !== undefined };
}

/** Forgets these, but for those of which something was heard since; passes by what somebody is writing. */
export async function deleteMemberships(
  tx: Transaction,
  pairs: readonly { readonly userId: number; readonly chatId: number }[],
  observedBefore: Date,
): Promise<number> {
  if (pairs.length === 0) return 0;
  const rows = await tx.query(
    `WITH old AS MATERIALIZED (
       SELECT user_id, chat_id FROM memberships JOIN unnest($1::bigint[], $2::bigint[]) AS t (user_id, chat_id)
         USING (user_id, chat_id)
       WHERE observed_at < $3 FOR UPDATE OF memberships SKIP LOCKED
     )
     DELETE FROM memberships m USING old WHERE m.user_id = old.user_id AND m.chat_id = old.chat_id RETURNING 1`,
    [pairs.map(({ userId }) => userId), pairs.map(({ chatId }) => chatId), observedBefore],
  );
  return rows.length;
}

/** Forgets values learned before then, oldest first; passes by what is being learned anew. Answers how many. */
export async function deleteValues(db: Queryable, learnedBefore: Date, limit: number): Promise<number> {
  const rows = await db.query(
    `WITH old AS MATERIALIZED (
       SELECT user_id, field FROM audience_values WHERE learned_at <= $1
       ORDER BY learned_at LIMIT $2 FOR UPDATE SKIP LOCKED
     )
     DELETE FROM audience_values v USING old WHERE v.user_id = old.user_id AND v.field = old.field RETURNING 1`,
    [learnedBefore, limit],
  );
  return rows.length;
}
