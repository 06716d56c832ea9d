import type { Queryable, Transaction } from '../../core/database.ts';

/** An update reports every change; a membership check reports only the state at its own time. */
type MembershipSource = 'update' | 'check';

export interface Membership {
  readonly userId: number;
  readonly chatId: number;
  readonly isMember: boolean;
  readonly firstMemberAt: Date | null;
  /** The latest join that an update reported. */
  readonly joinedAt: Date | null;
  readonly source: MembershipSource;
  readonly observedAt: Date;
}

export interface Observation {
  readonly userId: number;
  readonly chatId: number;
  readonly isMember: boolean;
  /** The state before an update. It separates a join from a member whose rights changed. */
  readonly wasMember?: boolean;
  /** Whether an administrator removed the user. */
  readonly isRemoval?: boolean;
  readonly source: MembershipSource;
  readonly observedAt: Date;
}

/**
 * Stores the newest observation of each user and chat, and the first time the user was seen as a member. A leave
 * without an earlier observation means that the user was a member for an unknown time, so `first_member_at` becomes the
 * epoch.
 */
export async function recordMemberships(tx: Queryable, observations: readonly Observation[]): Promise<void> {
  if (observations.length === 0) return;
  await tx.query(
    `INSERT INTO memberships AS m (user_id, chat_id, is_member, first_member_at, joined_at, source, observed_at, was_removed)
     SELECT DISTINCT ON (user_id, chat_id) user_id, chat_id, is_member,
            CASE WHEN is_member THEN observed_at WHEN was_member THEN to_timestamp(0) END,
            CASE WHEN is_member AND NOT was_member AND source = 'update' THEN observed_at END, source, observed_at,
            is_removal AND was_member
     FROM unnest($1::bigint[], $2::bigint[], $3::boolean[], $4::text[], $5::timestamptz[], $6::boolean[], $7::boolean[])
       AS t (user_id, chat_id, is_member, source, observed_at, was_member, is_removal)
     ORDER BY user_id, chat_id, observed_at DESC
     ON CONFLICT (user_id, chat_id) DO UPDATE SET
       first_member_at = CASE WHEN NOT excluded.is_member AND m.first_member_at <= excluded.observed_at
         THEN m.first_member_at ELSE least(m.first_member_at, excluded.first_member_at) END,
       joined_at = greatest(m.joined_at, excluded.joined_at),
       is_member = CASE WHEN excluded.observed_at >= m.observed_at THEN excluded.is_member ELSE m.is_member END,
       source = CASE WHEN excluded.observed_at >= m.observed_at THEN excluded.source ELSE m.source END,
       -- The unban that follows a removal does not make a leave of it, and a ban after a leave is no removal.
       was_removed = CASE WHEN excluded.observed_at < m.observed_at THEN m.was_removed
         ELSE excluded.was_removed OR (m.was_removed AND NOT excluded.is_member) END,
       observed_at = greatest(m.observed_at, excluded.observed_at)`,
    [
      observations.map(({ userId }) => userId),
      observations.map(({ chatId }) => chatId),
      observations.map(({ isMember }) => isMember),
      observations.map(({ source }) => source),
      observations.map(({ observedAt }) => observedAt),
      observations.map(({ wasMember }) => wasMember ?? false),
      observations.map(({ isRemoval }) => isRemoval ?? false),
    ],
  );
}

/** Moves the memberships of one chat to another chat. */
export async function moveMemberships(tx: Transaction, { from, to }: { from: number; to: number }): Promise<void> {
  await tx.query(
    `WITH old AS (DELETE FROM memberships WHERE chat_id = $1 RETURNING *)
     INSERT INTO memberships AS m (user_id, chat_id, is_member, first_member_at, joined_at, source, observed_at, was_removed)
     SELECT user_id, $2, is_member, first_member_at, joined_at, source, observed_at, was_removed FROM old
     ON CONFLICT (user_id, chat_id) DO UPDATE SET
       first_member_at = least(m.first_member_at, excluded.first_member_at),
       joined_at = greatest(m.joined_at, excluded.joined_at),
       is_member = CASE WHEN excluded.observed_at > m.observed_at THEN excluded.is_member ELSE m.is_member END,
       source = CASE WHEN excluded.observed_at > m.observed_at THEN excluded.source ELSE m.source END,
       was_removed = CASE WHEN excluded.observed_at > m.observed_at THEN excluded.was_removed ELSE m.was_removed END,
       observed_at = greatest(m.observed_at, excluded.observed_at)`,
    [from, to],
  );
}

export const MEMBERSHIP_COLUMNS = `m.user_id::float8 AS "userId", m.chat_id::float8 AS "chatId",
  m.is_member AS "isMember", m.first_member_at AS "firstMemberAt",
  m.joined_at AS "joinedAt", m.source, m.observed_at AS "observedAt"`;

/**
 * Returns the chats that each user is a member of, and since when. Reads only memberships from updates, because the
 * result of an old check may be outdated.
 */
export async function memberChatsOf(
  db: Queryable,
  userIds: readonly number[],
): Promise<Map<number, Map<number, Date>>> {
  const rows = await db.query<{ user_id: bigint; chat_id: bigint; first_member_at: Date }>(
    `SELECT user_id, chat_id, coalesce(first_member_at, observed_at) AS first_member_at FROM memberships
     WHERE user_id = ANY($1::bigint[]) AND is_member AND source = 'update'`,
    [userIds],
  );
  const chatsOf = new Map<number, Map<number, Date>>();
  for (const row of rows) {
    const userId = Number(row.user_id);
    const chats = chatsOf.get(userId) ?? new Map<number, Date>();
    chatsOf.set(userId, chats.set(Number(row.chat_id), row.first_member_at));
  }
  return chatsOf;
}

export async function findMemberships(
  db: Queryable,
  pairs: readonly { userId: number; chatId: number }[],
): Promise<Membership[]> {
  return db.query<Membership>(
    `SELECT ${MEMBERSHIP_COLUMNS}
     FROM memberships m JOIN unnest($1::bigint[], $2::bigint[]) AS t (user_id, chat_id) USING (user_id, chat_id)`,
    [pairs.map(({ userId }) => userId), pairs.map(({ chatId }) => chatId)],
  );
}

export interface UserBan {
  readonly userId: number;
  readonly reason: string;
  readonly at: Date;
}

export async function findUserBan(db: Queryable, userId: number): Promise<UserBan | undefined> {
  const [row] = await db.query<UserBan>(
    'SELECT user_id::float8 AS "userId", reason, banned_at AS at FROM banned_users WHERE user_id = $1',
    [userId],
  );
  return row;
}

/** Returns `false` when the user was already banned. */
export async function banUser(tx: Transaction, ban: UserBan): Promise<boolean> {
  const rows = await tx.query(
    `INSERT INTO banned_users (user_id, reason, banned_at) VALUES ($1, $2, $3)
     ON CONFLICT (user_id) DO NOTHING RETURNING user_id`,
    [ban.userId, ban.reason, ban.at],
  );
  return rows.length > 0;
}

/** Returns whether the user was banned. */
export async function unbanUser(tx: Transaction, userId: number): Promise<boolean> {
  const rows = await tx.query('DELETE FROM banned_users WHERE user_id = $1 RETURNING user_id', [userId]);
  return rows.length > 0;
}
