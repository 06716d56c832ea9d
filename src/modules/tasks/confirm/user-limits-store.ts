import { addDays, HOUR_MS } from '../../../core/clock.ts';
import type { Queryable, Transaction } from '../../../core/database.ts';
import { columnsOf } from '../task-rows.ts';
import type { UserUse } from './confirm-rules.ts';

const NO_LIMIT = 2 ** 31 - 1;

/** Returns the limit of users per device as a parameter of `beyondDevice`. */
export const deviceLimit = (usersPerDevice: number): number => (usersPerDevice === 0 ? NO_LIMIT : usersPerDevice);

/**
 * Selects how often the user was counted since an hour ago and since a day ago. The times are parameters, because
 * PostgreSQL would subtract the intervals again for every subscription of the user.
 */
export const recentCounts = (userId: string, hourAgo: string, dayAgo: string): string =>
  `SELECT (count(*) FILTER (WHERE c.counted_at > ${hourAgo}::timestamptz))::int AS last_hour, count(*)::int AS last_day
   FROM counted_subscriptions c WHERE c.user_id = ${userId} AND c.counted_at > ${dayAgo}::timestamptz`;

export const recentSince = (now: Date): readonly [hourAgo: Date, dayAgo: Date] => [
  new Date(now.getTime() - HOUR_MS),
  addDays(now, -1),
];

/** Selects whether one of the user's devices has `limit` users whom the service saw before this one. */
export const beyondDevice = (userId: string, limit: string): string =>
  `EXISTS (SELECT FROM device_marks d JOIN audience_users me ON me.user_id = d.user_id
           WHERE d.user_id = ${userId} AND d.kind = 'device'
             -- Most devices have few users, so the first condition saves the second.
             AND (SELECT count(*) FROM device_marks o WHERE o.mark = d.mark) > ${limit}::int
             AND (SELECT count(*) FROM device_marks o JOIN audience_users a ON a.user_id = o.user_id
                  WHERE o.mark = d.mark AND (a.first_seen_at, a.user_id) < (me.first_seen_at, me.user_id)) >= ${limit}::int)`;

/** Lets other transactions that count subscriptions of these users wait. In the order of the ids, so without a deadlock. */
export async function lockUsers(tx: Transaction, userIds: readonly number[]): Promise<void> {
  await tx.query(
    `SELECT pg_advisory_xact_lock(hashtextextended('subscriptions of a user', id))
     FROM (SELECT id FROM unnest($1::bigint[]) AS t (id) ORDER BY id) ids`,
    [userIds],
  );
}

/**
 * Returns how many subscriptions of each user were counted since a time, and whether the user was ever counted for the
 * resource, in the same order.
 */
export async function readCountedSince(
  tx: Transaction,
  reads: readonly { readonly userId: number; readonly resourceId: number; readonly readAt: Date }[],
): Promise<{ readonly count: number; readonly isCounted: boolean }[]> {
  const rows = await tx.query<{ count: bigint; is_counted: boolean }>(
    `SELECT (SELECT count(*) FROM counted_subscriptions c WHERE c.user_id = r.user_id AND c.counted_at >= r.since) AS count,
            EXISTS (SELECT FROM counted_subscriptions c WHERE c.user_id = r.user_id AND c.resource_id = r.resource_id)
              AS is_counted
     FROM unnest($1::bigint[], $2::bigint[], $3::timestamptz[]) WITH ORDINALITY AS r (user_id, resource_id, since, index)
     ORDER BY r.index`,
    [...columnsOf(reads, 'userId', 'resourceId'), reads.map(({ readAt }) => readAt)],
  );
  return rows.map((row) => ({ count: Number(row.count), isCounted: row.is_counted }));
}

/** Returns what one user has used of the limits. */
export async function readUserUse(
  db: Queryable,
  { userId, now, usersPerDevice }: { readonly userId: number; readonly now: Date; readonly usersPerDevice: number },
): Promise<UserUse> {
  const [row] = await db.query<{ last_hour: number; last_day: number; is_beyond_device: boolean }>(
    `SELECT c.*, ${beyondDevice('$1', '$4')} AS is_beyond_device FROM (${recentCounts('$1', '$2', '$3')}) c`,
    [userId, ...recentSince(now), deviceLimit(usersPerDevice)],
  );
  return {
    lastHour: row?.last_hour ?? 0,
    lastDay: row?.last_day ?? 0,
    isBeyondDevice: row?.is_beyond_device ?? false,
  };
}
