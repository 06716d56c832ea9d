import { addDays, businessDay } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';

/**
 * Scoring computes everything with set-based statements on one session. Its temporary tables hold what the next
 * statements share; rows of single users never leave the database.
 *
 * - `scored_pairs`: the recent proven tasks of a user in a bot, summed up, and the number of the unproven ones
 * - `scored_users`: the same over all bots
 * - `scored_stays`: how long the users of a bot stay. It has a row of every slice of users, which a reader sums up.
 */

/**
 * Returns SQL of a duration. In hours, because PostgreSQL adds and subtracts days by the calendar of the time zone, which takes
 * longer than the rest of a row.
 */
export const hours = (count: number): string => `interval '${count} hours'`;

/** Tasks that scoring reads. Figures cover 30 days; staying after 30 days needs the weeks before. */
const READ_DAYS = 45;
export const FIGURE_DAYS = 30;
export const FIGURE_PERIOD = hours(FIGURE_DAYS * 24);

/** States of subscriptions that were counted. */
export const COUNTED = "('held', 'paid', 'settled', 'reversed')";

/**
 * Selects whether Telegram proved the subscription, because our bot or the advertised bot's token checked it. That of an
 * outside bot is only the advertiser's word: together with a publisher, the advertiser could give any stranger a
 * subscription, so it says nothing about users (decision 0217).
 */
export const isProven = (resource: string): string =>
  `(${resource}.type = 'channel' OR ${resource}.bot_token_encrypted IS NOT NULL)`;

/** Selects whether a row of `scored_pairs` or `scored_users` has a proven task. */
export const hasProven = (row: string): string => `(${row}.counted > 0 OR ${row}.refused > 0)`;

/** A join this soon after the showing is faster than a person can read. */
export const INSTANT_SECONDS = 3;
/** A leave this soon after the window looks planned. */
const SOON = hours(48);

/**
 * An early leave is one in the second or third day, or within two days of the window's end. The first day does not count:
 * its leaves are reversed. They show from 26 hours on, because dishonest users leave right after the usual window.
 */
const EARLY_FROM = hours(24);
const EARLY_UNTIL = hours(72);
const SHOWS_AFTER = hours(26);
/** Most leaves of the first three days come on the first, so that a subscription of this age tells enough. */
const THREE_DAYS_SHOW_AFTER = hours(30);

/** A statement sums up about this many tasks, so that it takes a few seconds. */
const SLICE_TASKS = 1_000_000;

/** Sums up the recent tasks of all bots. Returns the number of users. */
export async function gatherTasks(session: Queryable, now: Date, sliceTasks = SLICE_TASKS): Promise<number> {
  // Sorting and hashing millions of rows on disk would take several times as long.
  await session.query("SET work_mem = '128MB'");
  // A plan for any values expects few tasks and would look up each membership by itself.
  await session.query('SET plan_cache_mode = force_custom_plan');
  await createTables(session);
  const botIds = (await session.query<{ id: bigint }>('SELECT id FROM bots')).map(({ id }) => id);
  const slices = await sliceUsers(session, now, sliceTasks);
  // An index scan would read the pages of the tasks in random order. A bitmap scan may still use the index.
  await session.query('SET enable_indexscan = off');
  for (const { from, to } of slices) await session.query(GATHER_SQL, [now, botIds, from, to]);
  await session.query('RESET enable_indexscan');
  await session.query('ANALYZE scored_pairs');
  await session.query(
    `CREATE TEMP TABLE scored_users AS
     SELECT user_id, min(first_at) AS first_at, max(last_at) AS last_at, sum(counted)::int AS counted,
            (count(*) FILTER (WHERE counted > 0))::int AS bots, sum(refused)::int AS refused, sum(instant)::int AS instant,
            sum(window_over)::int AS window_over, sum(left_soon)::int AS left_soon
     FROM scored_pairs GROUP BY user_id`,
  );
  await session.query('ANALYZE scored_users');
  const [row] = await session.query<{ users: bigint }>('SELECT count(*) AS users FROM scored_users');
  return Number(row?.users ?? 0);
}

async function createTables(session: Queryable): Promise<void> {
  await session.query(
    `CREATE TEMP TABLE scored_pairs (
       bot_id bigint NOT NULL, user_id bigint NOT NULL, first_at timestamptz, last_at timestamptz, counted int NOT NULL,
       refused int NOT NULL, instant int NOT NULL, window_over int NOT NULL, left_soon int NOT NULL, unproven int NOT NULL)`,
  );
  await session.query(
    `CREATE TEMP TABLE scored_stays (
       bot_id bigint NOT NULL, "earlyOf" bigint, "earlyLeft" bigint, "earlyDays" float8, "earlyEnded" bigint, of3 bigint, left3 bigint,
       of1 bigint, stayed1 bigint, of7 bigint, stayed7 bigint, of30 bigint, stayed30 bigint)`,
  );
}

/** Divides the users into ranges of ids with about as many tasks each. */
async function sliceUsers(
  session: Queryable,
  now: Date,
  sliceTasks: number,
): Promise<readonly { readonly from: bigint; readonly to: bigint }[]> {
  const since = businessDay(addDays(now, -READ_DAYS));
  const [total] = await session.query<{ tasks: bigint }>(
    'SELECT coalesce(sum(counted), 0)::bigint AS tasks FROM daily_totals WHERE day >= $1',
    [since],
  );
  const slices = Math.max(1, Math.ceil(Number(total?.tasks ?? 0) / sliceTasks));
  const shares = Array.from({ length: slices - 1 }, (_, index) => (index + 1) / slices);
  const [found] = await session.query<{ ids: bigint[] | null }>(
    `SELECT percentile_disc($1::float8[]) WITHIN GROUP (ORDER BY user_id) AS ids FROM counted_users WHERE last_counted_on >= $2`,
    [shares, since],
  );
  const cuts = [0n, ...new Set(found?.ids ?? []), LAST_ID];
  return cuts.slice(1).map((to, index) => ({ from: cuts[index] ?? 0n, to }));
}

/** Beyond all ids that Telegram assigns. */
const LAST_ID = 2n ** 52n;

const isOlder = (than: string): string => `confirmed_at < $1::timestamptz - ${than}`;
const leftAfter = (time: string): string => `left_at > confirmed_at + ${time}`;
const leftWithin = (time: string): string => `left_at <= confirmed_at + ${time}`;

const stayed = (days: number): string => {
  const old = isOlder(hours(days * 24));
  return `count(*) FILTER (WHERE ${old}), count(*) FILTER (WHERE ${old} AND (${leftAfter(hours(days * 24))}) IS NOT FALSE)`;
};

/**
 * Reads the tasks of a range of users with the times that the rules use, and sums them up. PostgreSQL reads whole tables, or
 * uses their indexes (tasks: all bots and the time) when most of the history is older. The range of the memberships follows
 * from that of the tasks, but PostgreSQL does not conclude it.
 */
const GATHER_SQL = `
  WITH facts AS MATERIALIZED (
    SELECT t.user_id, t.bot_id, t.confirmed_at, t.confirmed_at > $1::timestamptz - ${FIGURE_PERIOD} AS is_recent,
           t.state IN ${COUNTED} AS was_counted, t.state IN ${COUNTED} AND ${isProven('r')} AS is_counted,
           t.state = 'notgetted' AND ${isProven('r')} AS is_refused,
           r.type = 'channel' OR s.user_id IS NOT NULL AS tells_leaves,
           coalesce(t.window_ends_at, t.confirmed_at) AS window_at,
           CASE WHEN m.joined_at >= t.shown_at THEN least(m.joined_at, t.confirmed_at) ELSE t.confirmed_at END
             < t.shown_at + interval '${INSTANT_SECONDS} seconds' AS is_instant,
           -- A user whom the advertiser removed did not leave.
           CASE WHEN t.kept_at IS NULL THEN
             least(CASE WHEN NOT m.is_member AND NOT m.was_removed AND m.observed_at >= t.confirmed_at THEN m.observed_at END,
                   CASE WHEN NOT s.stayed THEN s.checked_at END,
                   CASE WHEN t.state = 'reversed' THEN t.window_ends_at END) END AS left_at
    FROM tasks t
    JOIN resources r ON r.id = t.resource_id
    LEFT JOIN memberships m ON m.user_id = t.user_id AND m.chat_id = r.chat_id AND m.user_id >= $3 AND m.user_id < $4
    LEFT JOIN stay_checks s ON s.user_id = t.user_id AND s.bot_id = t.bot_id AND s.order_id = t.order_id
    WHERE t.bot_id = ANY($2::bigint[]) AND t.user_id >= $3 AND t.user_id < $4
      AND t.confirmed_at > $1::timestamptz - ${hours(READ_DAYS * 24)} AND t.confirmed_at <= $1
  ), pairs AS (
    INSERT INTO scored_pairs
    SELECT bot_id, user_id, min(confirmed_at) FILTER (WHERE is_counted), max(confirmed_at) FILTER (WHERE is_counted),
           count(*) FILTER (WHERE is_counted), count(*) FILTER (WHERE is_refused),
           count(*) FILTER (WHERE is_counted AND is_instant),
           count(*) FILTER (WHERE is_counted AND tells_leaves AND window_at > confirmed_at
                            AND (left_at IS NOT NULL OR window_at < $1::timestamptz - ${SOON})),
           count(*) FILTER (WHERE is_counted AND tells_leaves AND window_at > confirmed_at
                            AND left_at > window_at AND left_at <= window_at + ${SOON}),
           count(*) FILTER (WHERE was_counted AND NOT is_counted)
    FROM facts WHERE is_recent GROUP BY bot_id, user_id
  )
  INSERT INTO scored_stays
  SELECT bot_id,
         count(*) FILTER (WHERE is_recent AND ${isOlder(SHOWS_AFTER)} AND (${leftAfter(EARLY_FROM)}) IS NOT FALSE),
         count(*) FILTER (WHERE is_recent AND ${isOlder(SHOWS_AFTER)} AND ${leftAfter(EARLY_FROM)}
                          AND (${leftWithin(EARLY_UNTIL)} OR left_at BETWEEN window_at AND window_at + ${SOON})),
         -- The exposure to early leaves, in days.
         sum(date_part('epoch', least(left_at, $1, confirmed_at + ${EARLY_UNTIL}) - (confirmed_at + ${EARLY_FROM})) / 86400)
           FILTER (WHERE is_recent AND ${isOlder(EARLY_FROM)} AND (${leftAfter(EARLY_FROM)}) IS NOT FALSE),
         count(*) FILTER (WHERE is_recent AND ${leftAfter(EARLY_FROM)} AND ${leftWithin(EARLY_UNTIL)}),
         count(*) FILTER (WHERE is_recent AND ${isOlder(THREE_DAYS_SHOW_AFTER)}),
         count(*) FILTER (WHERE is_recent AND ${isOlder(THREE_DAYS_SHOW_AFTER)} AND ${leftWithin(EARLY_UNTIL)}),
         ${[1, 7, 30].map(stayed).join(', ')}
  FROM facts WHERE is_counted AND tells_leaves GROUP BY bot_id`;
