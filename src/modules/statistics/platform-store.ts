import type { Queryable } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';

/** Closes at most `atMost` days up to `last`, in one transaction. Returns the number of closed days. */
export async function closeDays(db: Queryable, last: string, atMost: number): Promise<number> {
  const [row] = await db.query<{ closed: number }>('SELECT close_platform_days($1::date, $2) AS closed', [
    last,
    atMost,
  ]);
  return row?.closed ?? 0;
}

export interface PlatformFigures {
  readonly subscriptions: number;
  readonly reversals: number;
  readonly revenueKopecks: Kopecks;
  readonly turnoverKopecks: Kopecks;
  readonly payoutsKopecks: Kopecks;
  readonly activeBots: number;
  readonly activeOrders: number;
  readonly uniqueUsers: number;
}

export interface PlatformFiguresByPeriod {
  readonly last7Days: PlatformFigures;
  readonly last30Days: PlatformFigures;
  readonly allTime: PlatformFigures;
}

/** Returns the figures since each of the two days, and for all time. */
export async function readPlatformFigures(
  db: Queryable,
  { since7, since30 }: { since7: string; since30: string },
): Promise<PlatformFiguresByPeriod> {
  const [closed] = await db.query<{ through: string | null }>('SELECT max(day) AS through FROM platform_days');
  // Pass the day as a value, so that the planner knows how few rows follow it. If more days are closed before the
  // second statement, the sum stays the same.
  const rows = await db.query<PlatformFigures>(READ_SQL, [closed?.through ?? '-infinity', since7, since30]);
  const [last7Days, last30Days, allTime] = rows;
  if (last7Days === undefined || last30Days === undefined || allTime === undefined) {
    throw new Error('the statistics of a period are missing');
  }
  return { last7Days, last30Days, allTime };
}

// Reads closed days from their single rows and later days from the facts. Unique users cannot be added up over days,
// because a user of two days counts once. For all time, they are the sum of the new users.
const READ_SQL = `
  WITH open_days AS MATERIALIZED (
    SELECT * FROM daily_totals WHERE day > $1::date
  ), days AS MATERIALIZED (
    SELECT day, subscriptions, reversals, revenue_kopecks AS revenue, turnover_kopecks AS turnover,
           payouts_kopecks AS payouts, new_users
    FROM platform_days WHERE day <= $1::date
    UNION ALL
    SELECT day, sum(counted), sum(reversed), sum(reward_kopecks - reversed_reward_kopecks),
           sum(charge_kopecks - returned_charge_kopecks), 0, sum(new_users)
    FROM open_days GROUP BY day
    UNION ALL
    SELECT business_day(closed_at), 0, 0, 0, 0, amount_kopecks, 0
    FROM payouts WHERE status = 'sent' AND closed_at >= business_day_start($1::date + 1)
  ), sources AS MATERIALIZED (
    SELECT kind, id, max(last_counted_on) AS last_counted_on
    FROM (SELECT kind, id, last_counted_on FROM platform_sources
          UNION ALL SELECT 'bot', bot_id, day FROM open_days WHERE counted > 0
          UNION ALL SELECT 'order', order_id, day FROM open_days WHERE counted > 0) AS counted
    GROUP BY kind, id
  ), users AS MATERIALIZED (
    SELECT count(*) FILTER (WHERE last_counted_on >= $2::date) AS week, count(*) AS month
    FROM counted_users WHERE last_counted_on >= $3::date
  )
  SELECT d.subscriptions, d.reversals, d.revenue AS "revenueKopecks", d.turnover AS "turnoverKopecks",
         d.payouts AS "payoutsKopecks", s.bots AS "activeBots", s.orders AS "activeOrders",
         coalesce(p.users, d.new_users)::float8 AS "uniqueUsers"
  FROM (VALUES (1, $2::date, (SELECT week FROM users)), (2, $3::date, (SELECT month FROM users)),
               (3, '-infinity', NULL)) AS p (index, since, users)
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(subscriptions), 0)::float8 AS subscriptions, coalesce(sum(reversals), 0)::float8 AS reversals,
           coalesce(sum(revenue), 0)::bigint AS revenue, coalesce(sum(turnover), 0)::bigint AS turnover,
           coalesce(sum(payouts), 0)::bigint AS payouts, coalesce(sum(new_users), 0)::bigint AS new_users
    FROM days WHERE day >= p.since) AS d
  CROSS JOIN LATERAL (
    SELECT (count(*) FILTER (WHERE kind = 'bot'))::float8 AS bots,
           (count(*) FILTER (WHERE kind = 'order'))::float8 AS orders
    FROM sources WHERE last_counted_on >= p.since) AS s
  ORDER BY p.index`;
