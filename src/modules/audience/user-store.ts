import type { Queryable } from '../../core/database.ts';

/** When the service first saw a user, and the values learned about the user. */
export interface StoredUser {
  readonly userId: number;
  readonly firstSeenAt: Date | undefined;
  readonly learned: Readonly<Record<string, unknown>>;
  /** Whether the user passed the human check of the module `devices`. */
  readonly isHumanChecked?: boolean;
}

/** Older values count as unknown, because properties of users change. */
export const LEARNED_FOR_DAYS = 90;

/** Reads many users in one query and returns them in the given order. */
export async function readUsers(db: Queryable, userIds: readonly number[], now: Date): Promise<StoredUser[]> {
  const rows = await db.query<{
    first_seen_at: Date | null;
    learned: Record<string, unknown> | null;
    is_checked: boolean;
  }>(
    `SELECT u.first_seen_at, h.user_id IS NOT NULL AS is_checked,
            (SELECT jsonb_object_agg(v.field, v.value) FROM audience_values v
             WHERE v.user_id = k.user_id AND v.learned_at > $2::timestamptz - make_interval(days => $3)) AS learned
     FROM unnest($1::bigint[]) WITH ORDINALITY AS k (user_id, index)
     LEFT JOIN audience_users u ON u.user_id = k.user_id
     LEFT JOIN human_checks h ON h.user_id = k.user_id
     ORDER BY k.index`,
    [userIds, now, LEARNED_FOR_DAYS],
  );
  return userIds.map((userId, i) => ({
    userId,
    firstSeenAt: rows[i]?.first_seen_at ?? undefined,
    learned: rows[i]?.learned ?? {},
    isHumanChecked: rows[i]?.is_checked === true,
  }));
}

export interface SeenUser {
  readonly userId: number;
  /** The facts that the bot sent, reduced to those that filters use. */
  readonly facts: object;
}

/** Stores new users, and the facts of known users when they have changed. */
export async function recordSeen(db: Queryable, users: readonly SeenUser[], now: Date): Promise<void> {
  if (users.length === 0) return;
  // Remove duplicates and sort by id, so that two transactions cannot deadlock.
  const known = [...new Map(users.map(({ userId, facts }) => [userId, facts]))].sort(([a], [b]) => a - b);
  await db.query(
    `INSERT INTO audience_users AS u (user_id, first_seen_at, facts, facts_at)
     SELECT user_id, $3, facts::jsonb, $3 FROM unnest($1::bigint[], string_to_array($2::text, E'\\n')) AS t (user_id, facts)
     ON CONFLICT (user_id) DO UPDATE SET facts = excluded.facts, facts_at = excluded.facts_at
     WHERE u.facts <> excluded.facts`,
    [known.map(([userId]) => userId), known.map(([, facts]) => JSON.stringify(facts)).join('\n'), now],
  );
}

/** Claims users whose profile was not read from the Bot API since `staleBefore`. */
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

/** Releases users whose profile could not be read. */
export async function releaseUsersToLookUp(db: Queryable, userIds: readonly number[]): Promise<void> {
  await db.query('UPDATE audience_users SET profile_checked_at = NULL WHERE user_id = ANY($1::bigint[])', [userIds]);
}

/** Where a learned value came from. */
export type ProfileSource = 'smart_link' | 'mini_app' | 'bot_api';

export interface LearnedValue {
  readonly field: string;
  readonly value: unknown;
  readonly source: ProfileSource;
  readonly learnedAt: Date;
}

/** Stores values; a newer value replaces an older one, field by field. */
export async function learnValues(
  db: Queryable,
  userId: number,
  values: Readonly<Record<string, unknown>>,
  { source, at }: { source: ProfileSource; at: Date },
): Promise<void> {
  const fields = Object.entries(values).filter(([, value]) => value !== undefined);
  if (fields.length === 0) return;
  await db.query(
    `INSERT INTO audience_values AS v (user_id, field, value, source, learned_at)
     SELECT $1, field, value::jsonb, $4, $5 FROM unnest($2::text[], $3::text[]) AS t (field, value)
     ON CONFLICT (user_id, field) DO UPDATE SET value = excluded.value, source = excluded.source,
       learned_at = excluded.learned_at
     WHERE excluded.learned_at >= v.learned_at`,
    [userId, fields.map(([field]) => field), fields.map(([, value]) => JSON.stringify(value)), source, at],
  );
}

export async function learnedValues(db: Queryable, userId: number): Promise<LearnedValue[]> {
  return db.query<LearnedValue>(
    'SELECT field, value, source, learned_at AS "learnedAt" FROM audience_values WHERE user_id = $1 ORDER BY field',
    [userId],
  );
}
