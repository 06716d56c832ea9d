import { businessDay, DAY_MS } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import type { SourceFigures } from './figures.ts';
import { FIGURE_DAYS } from './gather-store.ts';

/** The figures that `scored_stays` holds. */
const STAYS = [
  'earlyOf',
  'earlyLeft',
  'earlyEnded',
  'of3',
  'left3',
  'of1',
  'stayed1',
  'of7',
  'stayed7',
  'of30',
  'stayed30',
] as const;
/** The activity of one visit ends within this time. */
const ONE_DAY = "interval '20 hours'";

type Count = Exclude<keyof SourceFigures, 'hourConcentration' | 'earlyDays'>;

interface FiguresRow extends Record<Count, bigint | null> {
  readonly bot_id: bigint;
  readonly hourConcentration: number | null;
  readonly earlyDays: number | null;
  readonly advertisers: bigint;
}

export interface AllFigures {
  /** Advertisers who paid for a subscription in the period. */
  readonly advertisers: number;
  /** By bot. */
  readonly sources: ReadonlyMap<number, SourceFigures>;
}

/**
 * Returns the figures of every source with a task in the last days. Reads the temporary tables of
 * `gather-store.ts`, so it runs on the same session.
 */
export async function readFigures(session: Queryable, now: Date): Promise<AllFigures> {
  const since = businessDay(new Date(now.getTime() - FIGURE_DAYS * DAY_MS));
  const rows = await session.query<FiguresRow>(
    `WITH by_user AS (
       SELECT p.bot_id, sum(p.counted)::bigint AS subscriptions, sum(p.refused)::bigint AS refused,
              count(*) FILTER (WHERE p.counted > 0) AS users, count(*) FILTER (WHERE p.counted BETWEEN 1 AND 2) AS "occasionalUsers",
              count(*) AS "triedUsers", count(s.user_id) AS "suspiciousUsers",
              count(*) FILTER (WHERE p.counted > 0 AND u.first_at < $2::timestamptz - interval '1 day') AS "knownUsers",
              count(*) FILTER (WHERE p.counted > 0 AND u.first_at < $2::timestamptz - interval '1 day'
                               AND u.last_at - u.first_at < ${ONE_DAY}) AS "onceUsers"
       FROM scored_pairs p JOIN scored_users u USING (user_id) LEFT JOIN suspicious_users s USING (user_id)
       GROUP BY p.bot_id
     ), stays AS (
       -- Rounded, like the concentration below, because the last digits depend on the order in which PostgreSQL adds.
       SELECT bot_id, ${STAYS.map((name) => `sum("${name}")::bigint AS "${name}"`).join(', ')},
              round(sum("earlyDays")::numeric, 3)::float8 AS "earlyDays"
       FROM scored_stays GROUP BY bot_id
     ), by_hour AS (
       SELECT bot_id, hour, sum(n)::bigint AS n FROM scored_hours GROUP BY bot_id, hour
     ), usual AS (
       SELECT bot_id, percentile_cont(0.5) WITHIN GROUP (ORDER BY n) AS n FROM by_hour GROUP BY bot_id
     ), hours AS (
       SELECT h.bot_id, count(*) AS "activeHours",
              sum(h.n) FILTER (WHERE h.n >= 20 AND h.n >= 8 * u.n)::bigint AS burst,
              round((sqrt(sum(h.n * cos(a.angle)) ^ 2 + sum(h.n * sin(a.angle)) ^ 2) / sum(h.n))::numeric, 6)::float8 AS concentration
       FROM by_hour h JOIN usual u USING (bot_id)
       CROSS JOIN LATERAL (SELECT 2 * pi() * date_part('hour', h.hour AT TIME ZONE 'UTC') / 24 AS angle) a
       GROUP BY h.bot_id
     ), owned AS (
       SELECT id AS bot_id, account_id, count(*) OVER (PARTITION BY account_id) AS bots FROM bots
     ), shared_users AS (
       SELECT bot_id, count(*) FILTER (WHERE n > 1) AS overlapping
       FROM (SELECT p.bot_id, count(*) OVER (PARTITION BY o.account_id, p.user_id) AS n
             FROM scored_pairs p JOIN owned o USING (bot_id) WHERE o.bots > 1 AND p.counted > 0) shared
       GROUP BY bot_id
     ), circle AS (
       SELECT p.bot_id, count(*) AS "circleUsers"
       FROM scored_pairs p
       JOIN (SELECT p.user_id FROM scored_pairs p JOIN scored_users u USING (user_id) JOIN owned o USING (bot_id)
             WHERE u.bots > 1 AND p.counted > 0
             GROUP BY p.user_id HAVING min(o.account_id) < max(o.account_id)) m USING (user_id)
       WHERE p.counted > 0 GROUP BY p.bot_id
     ), devices AS (
       SELECT bot_id, count(DISTINCT user_id) AS "deviceUsers", count(DISTINCT user_id) FILTER (WHERE n > 1) AS "deviceSharers"
       FROM (SELECT p.bot_id, p.user_id, count(*) OVER (PARTITION BY p.bot_id, d.mark) AS n
             FROM device_marks d JOIN scored_pairs p USING (user_id) WHERE d.kind = 'device') marked
       GROUP BY bot_id
     ), shown AS (
       SELECT bot_id, sum(shown)::bigint AS shown FROM daily_shown WHERE day >= $1 GROUP BY bot_id
     ), totals AS MATERIALIZED (
       SELECT d.bot_id, o.account_id AS advertiser_id, sum(d.counted)::bigint AS counted,
              greatest(sum(d.reward_kopecks - d.reversed_reward_kopecks), 0)::bigint AS reward
       FROM daily_totals d JOIN orders o ON o.id = d.order_id WHERE d.day >= $1
       GROUP BY d.bot_id, o.account_id
     ), connected AS MATERIALIZED (
       SELECT DISTINCT account_id, other_id FROM connected_accounts
     ), spending AS MATERIALIZED (
       SELECT advertiser_id, sum(reward)::float8 AS spent FROM totals GROUP BY advertiser_id
     ), money AS (
       SELECT t.bot_id, sum(t.counted)::bigint AS confirmed, sum(t.reward)::bigint AS reward,
              sum(t.reward) FILTER (WHERE c.account_id IS NOT NULL)::bigint AS connected
       FROM totals t JOIN owned o USING (bot_id)
       LEFT JOIN connected c ON c.account_id = o.account_id AND c.other_id = t.advertiser_id
       GROUP BY t.bot_id
     ), largest AS (
       SELECT DISTINCT ON (t.bot_id) t.bot_id, t.reward, round(100 * t.reward / greatest(s.spent, 1))::bigint AS share
       FROM totals t JOIN spending s USING (advertiser_id) ORDER BY t.bot_id, t.reward DESC, s.spent
     )
     SELECT u.*, stays.*, h."activeHours", coalesce(h.burst, 0) AS burst, h.concentration AS "hourConcentration",
            s.shown, m.confirmed, m.reward AS "rewardKopecks", m.connected AS "connectedKopecks",
            l.reward AS "largestKopecks", l.share AS "largestShareOfAdvertiser",
            o.bots AS "ownerBots", v.overlapping, c."circleUsers", e."deviceUsers", e."deviceSharers", u.bot_id,
            (SELECT count(*) FROM spending WHERE spent > 0) AS advertisers
     FROM by_user u JOIN owned o USING (bot_id)
     LEFT JOIN stays USING (bot_id) LEFT JOIN hours h USING (bot_id) LEFT JOIN shared_users v USING (bot_id)
     LEFT JOIN circle c USING (bot_id) LEFT JOIN devices e USING (bot_id)
     LEFT JOIN shown s USING (bot_id) LEFT JOIN money m USING (bot_id) LEFT JOIN largest l USING (bot_id)`,
    [since, now],
  );
  return {
    advertisers: Number(rows[0]?.advertisers ?? 0),
    sources: new Map(rows.map((row) => [Number(row.bot_id), toFigures(row)])),
  };
}

function toFigures(row: FiguresRow): SourceFigures {
  const number = (key: Count): number => Number(row[key] ?? 0);
  return {
    subscriptions: number('subscriptions'),
    users: number('users'),
    triedUsers: number('triedUsers'),
    suspiciousUsers: number('suspiciousUsers'),
    occasionalUsers: number('occasionalUsers'),
    of3: number('of3'),
    left3: number('left3'),
    knownUsers: number('knownUsers'),
    onceUsers: number('onceUsers'),
    earlyOf: number('earlyOf'),
    earlyLeft: number('earlyLeft'),
    earlyDays: row.earlyDays ?? 0,
    earlyEnded: number('earlyEnded'),
    of1: number('of1'),
    stayed1: number('stayed1'),
    of7: number('of7'),
    stayed7: number('stayed7'),
    of30: number('of30'),
    stayed30: number('stayed30'),
    shown: number('shown'),
    confirmed: number('confirmed'),
    refused: number('refused'),
    hourConcentration: row.hourConcentration ?? 0,
    activeHours: number('activeHours'),
    burst: number('burst'),
    overlapping: number('overlapping'),
    circleUsers: number('circleUsers'),
    deviceUsers: number('deviceUsers'),
    deviceSharers: number('deviceSharers'),
    ownerBots: number('ownerBots'),
    rewardKopecks: number('rewardKopecks'),
    connectedKopecks: number('connectedKopecks'),
    largestKopecks: number('largestKopecks'),
    largestShareOfAdvertiser: number('largestShareOfAdvertiser'),
  };
}
