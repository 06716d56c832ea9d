import type { Queryable } from '../../core/database.ts';

/** What is stored of a user: when the service first met them, what bots last sent, and what was learned since. */
export interface StoredUser {
  readonly userId: number;
  readonly firstSeenAt: Date | undefined;
  readonly learned: Readonly<Record<string, unknown>>;
}

/** People change; what was learned longer ago than this counts as unknown. */
export const LEARNED_FOR_DAYS = 90;

/** Many users in one read, in the order asked for. */
export async function readUsers(db: Queryable, userIds: readonly number[], now: Date): Promise<StoredUser[]> {
  const rows = await db.query<{
    first_seen_at: Date | null;
    learned: Record<string, unknown> | null;
  }>(
    `SELECT u.first_seen_at,
            (SELECT jsonb_object_agg(v.field, v.value) FROM audience_values v
             WHERE v.user_id = k.user_id AND v.learned_at > $2::timestamptz - make_interval(days => $3)) AS learned
     FROM unnest($1::bigint[]) WITH ORDINALITY AS k (user_id, index)
     LEFT JOIN audience_users u ON u.user_id = k.user_id
     ORDER BY k.index`,
    [userIds, now, LEARNED_FOR_DAYS],
  );
  return userIds.map((userId, i) => ({
    userId,
    firstSeenAt: rows[i]?.first_seen_at ?? undefined,
    learned: rows[i]?.learned ?? {},
  }));
}

export interface SeenUser {
  readonly userId: number;
  /** What the bot sent, reduced to what filters use. */
  readonly facts: object;
}

/** Remembers users the first time, and what is sent of them when that has changed. */
export async function recordSeen(db: Queryable, users: readonly SeenUser[], now: Date): Promise<void> {
  if (users.length === 0) return;
  // Each once and always in the same order, so that two transactions wait for each other and never both.
  const known = [...new Map(users.map(({ userId, facts }) => [userId, facts]))].sort(([a], [b]) => a - b);
  await db.query(
    `INSERT INTO audience_users AS u (user_id, first_seen_at, facts, facts_at)
     SELECT user_id, $3, facts::jsonb, $3 FROM unnest($1::bigint[], string_to_array($2::text, E'\\n')) AS t (user_id, facts)
     ON CONFLICT (user_id) DO UPDATE SET facts = excluded.facts, facts_at = excluded.facts_at
     WHERE u.facts <> excluded.facts`,
    [known.map(([userId]) => userId), known.map(([, facts]) => JSON.stringify(facts)).join('\n'), now],
  );
}

/** Users about whom the Bot API has not been asked for long; the caller takes them in hand by this very call. */
export async function claimUsersToLookUp(
  db: Queryable,
  { now, staleBefore, limit }: { now: Date; staleBefore: Date; limit: number },
): Promise<number[]> {
  const rows = await db.query<{ user_id: bigint }>(
    `UPDATE audience_users SET profile_checked_at = $1
     WHERE user_id IN (SELECT user_id FROM audience_users
                       WHERE profile_checked_at IS NULL OR profile_checked_at < $2
                       ORDER BY profile_checked_at NULLS FIRST LIMIT $3 FOR UPDATE SKIP LOCKED)
     RETURNING user_id`,
    [now, staleBefore, limit],
  );
  return rows.map((row) => Number(row.user_id));
}

/** They could not be asked about after all. */
export async function releaseUsersToLookUp(db: Queryable, userIds: readonly number[]): Promise<void> {
  await db.query('UPDATE audience_users SET profile_checked_at = NULL WHERE user_id = ANY($1::bigint[])', [userIds]);
}
