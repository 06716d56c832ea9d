import type { Queryable } from '../../core/database.ts';

/** A settled subscription whose user is checked again. */
export interface StayToCheck {
  readonly userId: number;
  readonly botId: number;
  readonly orderId: number;
}

/** How long after the settlement the check waits, and how old a settlement may be. */
const AFTER_HOURS = 24;
const WITHIN_DAYS = 14;

/**
 * Returns settled subscriptions of watched and low sources that have not been checked, oldest first. The sample is a hash
 * of the task, so every process and every run selects the same one. The publisher knows the ids of the task, so the hash
 * has a secret seed: otherwise only the users of the sample would stay.
 */
export async function findStaysToCheck(
  db: Queryable,
  {
    now,
    samplePercent,
    seed,
    limit,
  }: { readonly now: Date; readonly samplePercent: number; readonly seed: bigint; readonly limit: number },
): Promise<StayToCheck[]> {
  return db.query<StayToCheck>(
    `SELECT t.user_id::float8 AS "userId", t.bot_id::float8 AS "botId", t.order_id::float8 AS "orderId"
     FROM bot_quality q
     JOIN tasks t ON t.bot_id = q.bot_id AND t.confirmed_at IS NOT NULL
     JOIN resources r ON r.id = t.resource_id
     WHERE coalesce(q.override_level, q.level) IN ('watched', 'low')
       AND t.state = 'settled' AND t.kept_at IS NULL
       AND t.settled_at <= $1::timestamptz - make_interval(hours => ${AFTER_HOURS})
       AND t.settled_at > $1::timestamptz - make_interval(days => ${WITHIN_DAYS})
       AND (r.type = 'channel' OR r.bot_token_encrypted IS NOT NULL)
       AND abs(hashint8extended(t.user_id, hashint8extended(t.order_id, $4::bigint)) % 100) < $2
       AND NOT EXISTS (SELECT FROM stay_checks s
                       WHERE s.user_id = t.user_id AND s.bot_id = t.bot_id AND s.order_id = t.order_id)
     ORDER BY t.settled_at LIMIT $3`,
    [now, samplePercent, limit, seed],
  );
}

/** Stores the results of sampled checks. */
export async function recordStays(
  db: Queryable,
  stays: readonly (StayToCheck & { readonly stayed: boolean })[],
  now: Date,
): Promise<void> {
  if (stays.length === 0) return;
  await db.query(
    `INSERT INTO stay_checks (user_id, bot_id, order_id, stayed, checked_at)
     SELECT *, $5 FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::boolean[])
     ON CONFLICT DO NOTHING`,
    [
      stays.map(({ userId }) => userId),
      stays.map(({ botId }) => botId),
      stays.map(({ orderId }) => orderId),
      stays.map(({ stayed }) => stayed),
      now,
    ],
  );
}
