import type { Queryable } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';
import type { QualityLevel } from '../quality/index.ts';

export interface SourceTotals {
  readonly botId: number;
  readonly username: string;
  readonly isExcluded: boolean;
  readonly counted: number;
  readonly reversed: number;
  readonly spentKopecks: Kopecks;
  /** The quality of the bot; null while it has no score. */
  readonly score: number | null;
  readonly level: QualityLevel;
}

/** Returns the bots that brought subscribers to an order, and the excluded bots, the most counted first. */
export async function readSources(db: Queryable, orderId: number, limit: number): Promise<SourceTotals[]> {
  return db.query<SourceTotals>(
    `WITH totals AS (
       SELECT bot_id, sum(counted)::bigint AS counted, sum(reversed)::bigint AS reversed,
              sum(charge_kopecks - returned_charge_kopecks)::bigint AS spent
       FROM daily_totals WHERE order_id = $1 GROUP BY bot_id
     ), excluded AS (
       SELECT DISTINCT unnest(excluded_bot_ids) AS bot_id, true AS is_excluded FROM orders WHERE id = $1
     )
     SELECT b.id::float8 AS "botId", b.username, coalesce(is_excluded, false) AS "isExcluded",
            coalesce(counted, 0)::float8 AS counted, coalesce(reversed, 0)::float8 AS reversed,
            coalesce(spent, 0) AS "spentKopecks", q.score, coalesce(q.override_level, q.level, 'new') AS level
     FROM totals FULL JOIN excluded USING (bot_id) JOIN bots b ON b.id = bot_id LEFT JOIN bot_quality q ON q.bot_id = b.id
     ORDER BY 4 DESC, b.id LIMIT $2`,
    [orderId, limit],
  );
}

export interface BotOrderTotals {
  readonly orderId: number;
  readonly link: string;
  readonly subscribers: number;
  readonly revenueKopecks: Kopecks;
}

/** Returns the orders to which a bot brought subscribers on these business days, the most rewarded first. */
export async function readBotOrders(
  db: Queryable,
  { botId, first, last, limit }: { botId: number; first: string; last: string; limit: number },
): Promise<BotOrderTotals[]> {
  return db.query<BotOrderTotals>(
    `SELECT t.order_id::float8 AS "orderId", o.link, sum(t.counted - t.reversed)::float8 AS subscribers,
            sum(t.reward_kopecks - t.reversed_reward_kopecks)::bigint AS "revenueKopecks"
     FROM daily_totals t JOIN orders o ON o.id = t.order_id
     WHERE t.bot_id = $1 AND t.day BETWEEN $2::date AND $3::date
     GROUP BY t.order_id, o.link ORDER BY 4 DESC, t.order_id LIMIT $4`,
    [botId, first, last, limit],
  );
}

/** How many subscriptions reached an age, and how many of those users were still members at that age. */
export interface Retention {
  readonly eligible: number;
  readonly kept: number;
}

/**
 * Returns the retention of an order by source bot, over its latest confirms that have reached the age. The limit
 * applies to the rows that are read, including confirms that were not counted.
 */
export async function readRetention(
  db: Queryable,
  { orderId, ageSeconds, now, limit }: { orderId: number; ageSeconds: number; now: Date; limit: number },
): Promise<ReadonlyMap<number, Retention>> {
  const rows = await db.query<Retention & { botId: number }>(RETENTION_SQL, [orderId, now, ageSeconds, limit]);
  return new Map(rows.map(({ botId, ...retention }) => [botId, retention]));
}

// Only a Telegram update gives the time of a leave. A reversal without an update was found by a membership check before
// the window ended, so its user does not count as kept. A user whose update is later than the age was kept, even if the
// task was reversed. A membership row from before the confirm says nothing about a leave. The lateral join reads
// memberships by key: for a plain join the planner would read the whole, ever growing table.
const RETENTION_SQL = `
  SELECT bot_id::float8 AS "botId", count(*)::float8 AS eligible,
         (count(*) FILTER (WHERE CASE WHEN state IN ('reversed', 'rejected')
                                        THEN coalesce(left_at > aged_at AND left_at <= window_ends_at, false)
                                      ELSE coalesce(left_at > aged_at, true) END))::float8 AS kept
  FROM (SELECT user_id, bot_id, state, confirmed_at, window_ends_at, confirmed_at + make_interval(secs => $3) AS aged_at
        FROM tasks
        WHERE order_id = $1 AND confirmed_at IS NOT NULL AND confirmed_at <= $2::timestamptz - make_interval(secs => $3)
        ORDER BY confirmed_at DESC LIMIT $4) AS latest
  LEFT JOIN LATERAL (
    SELECT observed_at AS left_at FROM memberships m
    WHERE m.user_id = latest.user_id AND m.chat_id = (
        SELECT r.chat_id FROM orders o JOIN resources r ON r.id = o.resource_id WHERE o.id = $1)
      AND NOT is_member AND observed_at > latest.confirmed_at
    LIMIT 1) AS seen ON true
  WHERE state IN ('held', 'paid', 'settled', 'reversed', 'rejected')
  GROUP BY bot_id`;
