import { addDays, businessDay } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import type { SourceFigures } from './figures.ts';
import { COUNTED, FIGURE_DAYS, FIGURE_PERIOD, hasProven, hours, isProven } from './gather-store.ts';

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
const ONE_VISIT = hours(20);

type Count = Exclude<keyof SourceFigures, 'hourConcentration' | 'earlyDays'>;

interface FiguresRow extends Partial<Record<Count, bigint | null>> {
  readonly bot_id: bigint;
  readonly hourConcentration?: number | null;
  readonly earlyDays?: number | null;
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
  const sinceDay = businessDay(addDays(now, -FIGURE_DAYS));
  const found = new Map<bigint, FiguresRow>();
  for (const row of await readUsers(session, now)) found.set(row.bot_id, row);
  const { sources: money, advertisers } = await readMoney(session, sinceDay);
  for (const rows of [await readStays(session), await readHours(session, now), await readShared(session), money]) {
    for (const row of rows) {
      const known = found.get(row.bot_id);
      if (known !== undefined) found.set(row.bot_id, { ...known, ...row });
    }
  }
  return { advertisers, sources: new Map([...found].map(([botId, row]) => [Number(botId), toFigures(row)])) };
}

/** Only sources that this returns have figures. */
async function readUsers(session: Queryable, now: Date): Promise<FiguresRow[]> {
  return session.query(
    `SELECT p.bot_id, sum(p.counted + p.unproven)::bigint AS volume, sum(p.counted)::bigint AS subscriptions,
            sum(p.refused)::bigint AS refused,
            count(*) FILTER (WHERE p.counted > 0) AS users, count(*) FILTER (WHERE p.counted BETWEEN 1 AND 2) AS "occasionalUsers",
            count(*) FILTER (WHERE p.counted > 0 OR s.user_id IS NOT NULL) AS "countedOrSuspiciousUsers", count(s.user_id) AS "suspiciousUsers",
            count(*) FILTER (WHERE p.counted > 0 AND u.first_at < $1::timestamptz - ${hours(24)}) AS "knownUsers",
            count(*) FILTER (WHERE p.counted > 0 AND u.first_at < $1::timestamptz - ${hours(24)}
                             AND u.last_at < u.first_at + ${ONE_VISIT}) AS "onceUsers"
     FROM scored_pairs p JOIN scored_users u USING (user_id)
     LEFT JOIN suspicious_users s ON s.user_id = p.user_id AND ${hasProven('p')}
     GROUP BY p.bot_id ORDER BY p.bot_id`,
    [now],
  );
}

/** Sums up the slices. Rounds, because the last digits depend on the order in which PostgreSQL adds. */
async function readStays(session: Queryable): Promise<FiguresRow[]> {
  return session.query(
    `SELECT bot_id, ${STAYS.map((name) => `sum("${name}")::bigint AS "${name}"`).join(', ')},
            round(sum("earlyDays")::numeric, 3)::float8 AS "earlyDays"
     FROM scored_stays GROUP BY bot_id`,
  );
}

async function readHours(session: Queryable, now: Date): Promise<FiguresRow[]> {
  return session.query(
    `WITH by_hour AS MATERIALIZED (
       SELECT bot_id, floor(date_part('epoch', confirmed_at) / 3600)::int AS hour, count(*) AS n
       FROM tasks t JOIN resources r ON r.id = t.resource_id
       WHERE state IN ${COUNTED} AND ${isProven('r')}
         AND confirmed_at > $1::timestamptz - ${FIGURE_PERIOD} AND confirmed_at <= $1
       GROUP BY 1, 2
     ), usual AS (
       SELECT bot_id, count(*) AS hours, percentile_cont(0.5) WITHIN GROUP (ORDER BY n) AS n FROM by_hour GROUP BY bot_id
     ), bursts AS (
       SELECT h.bot_id, sum(h.n)::bigint AS n FROM by_hour h JOIN usual u USING (bot_id)
       WHERE h.n >= 20 AND h.n >= 8 * u.n GROUP BY h.bot_id
     ), by_hour_of_day AS (
       SELECT bot_id, 2 * pi() * (hour % 24) / 24 AS angle, sum(n)::float8 AS n FROM by_hour GROUP BY 1, 2
     ), concentrations AS (
       SELECT bot_id, sqrt(sum(n * cos(angle)) ^ 2 + sum(n * sin(angle)) ^ 2) / sum(n) AS concentration
       FROM by_hour_of_day GROUP BY bot_id
     )
     SELECT u.bot_id, u.hours AS "activeHours", b.n AS burst, round(c.concentration::numeric, 6)::float8 AS "hourConcentration"
     FROM usual u JOIN concentrations c USING (bot_id) LEFT JOIN bursts b USING (bot_id)`,
    [now],
  );
}

/** Returns what the users of a source share: bots of the owner, bots of others, devices. */
async function readShared(session: Queryable): Promise<FiguresRow[]> {
  return session.query(
    `WITH owned AS MATERIALIZED (
       SELECT id AS bot_id, account_id, count(*) OVER (PARTITION BY account_id) AS bots FROM bots
     ), several AS MATERIALIZED (
       SELECT p.bot_id, p.user_id, o.account_id FROM scored_users u JOIN scored_pairs p USING (user_id) JOIN owned o USING (bot_id)
       WHERE u.bots > 1 AND p.counted > 0
     ), overlap AS (
       SELECT bot_id, count(*) AS overlapping
       FROM (SELECT bot_id, count(*) OVER (PARTITION BY account_id, user_id) AS n FROM several) shared
       WHERE n > 1 GROUP BY bot_id
     ), circle AS (
       SELECT s.bot_id, count(*) AS users
       FROM several s
       JOIN (SELECT user_id FROM several GROUP BY user_id HAVING min(account_id) < max(account_id)) m USING (user_id)
       GROUP BY s.bot_id
     ), marked AS MATERIALIZED (
       SELECT p.bot_id, p.user_id, d.mark FROM device_marks d JOIN scored_pairs p USING (user_id)
       WHERE d.kind = 'device' AND ${hasProven('p')}
     ), devices AS (
       SELECT bot_id, count(DISTINCT user_id) AS users FROM marked GROUP BY bot_id
     ), sharers AS (
       SELECT bot_id, count(DISTINCT user_id) AS users
       FROM marked JOIN (SELECT bot_id, mark FROM marked GROUP BY bot_id, mark HAVING count(*) > 1) s USING (bot_id, mark)
       GROUP BY bot_id
     )
     SELECT o.bot_id, o.bots AS "ownerBots", v.overlapping, c.users AS "circleUsers", d.users AS "deviceUsers",
            s.users AS "deviceSharers"
     FROM owned o LEFT JOIN overlap v USING (bot_id) LEFT JOIN circle c USING (bot_id) LEFT JOIN devices d USING (bot_id)
     LEFT JOIN sharers s USING (bot_id)`,
  );
}

async function readMoney(
  session: Queryable,
  sinceDay: string,
): Promise<{ readonly sources: readonly FiguresRow[]; readonly advertisers: number }> {
  const rows = await session.query<FiguresRow & { advertisers: bigint }>(
    // Sums of whole kopecks are exact as float8 and take half the time of PostgreSQL's sums of bigint, which are numeric.
    `WITH totals AS MATERIALIZED (
       SELECT d.bot_id, o.account_id AS advertiser_id, sum(d.counted) AS counted,
              greatest(sum((d.reward_kopecks - d.reversed_reward_kopecks)::float8), 0) AS reward
       FROM daily_totals d JOIN orders o ON o.id = d.order_id WHERE d.day >= $1
       GROUP BY d.bot_id, o.account_id
     ), spending AS MATERIALIZED (
       SELECT advertiser_id, sum(reward) AS spent FROM totals GROUP BY advertiser_id
     ), sums AS MATERIALIZED (
       SELECT bot_id, sum(counted)::bigint AS confirmed, sum(reward) AS reward, max(reward) AS largest FROM totals GROUP BY bot_id
     ), connected AS (
       SELECT t.bot_id, sum(t.reward) AS reward
       FROM (SELECT DISTINCT account_id, other_id FROM connected_accounts) c
       JOIN bots b ON b.account_id = c.account_id JOIN totals t ON t.bot_id = b.id AND t.advertiser_id = c.other_id
       GROUP BY t.bot_id
     ), largest AS (
       SELECT t.bot_id, max(round(100 * t.reward / greatest(a.spent, 1)))::bigint AS share
       FROM sums s JOIN totals t ON t.bot_id = s.bot_id AND t.reward = s.largest JOIN spending a USING (advertiser_id)
       GROUP BY t.bot_id
     ), shown AS (
       SELECT bot_id, sum(shown)::bigint AS shown FROM daily_shown WHERE day >= $1 GROUP BY bot_id
     )
     SELECT bot_id, h.shown, s.confirmed, s.reward::bigint AS "rewardKopecks", c.reward::bigint AS "connectedKopecks",
            s.largest::bigint AS "largestKopecks", l.share AS "largestShareOfAdvertiser",
            (SELECT count(*) FROM spending WHERE spent > 0) AS advertisers
     FROM shown h FULL JOIN sums s USING (bot_id) LEFT JOIN connected c USING (bot_id) LEFT JOIN largest l USING (bot_id)`,
    [sinceDay],
  );
  return { sources: rows, advertisers: Number(rows[0]?.advertisers ?? 0) };
}

function toFigures(row: FiguresRow): SourceFigures {
  const number = (key: Count): number => Number(row[key] ?? 0);
  return {
    volume: number('volume'),
    subscriptions: number('subscriptions'),
    users: number('users'),
    countedOrSuspiciousUsers: number('countedOrSuspiciousUsers'),
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
