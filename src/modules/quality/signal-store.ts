import type { Queryable, Transaction } from '../../core/database.ts';
import { SUSPICIOUS_FROM, USUAL_COUNTRIES, youngIdsFrom } from './signals.ts';

/**
 * Scoring computes everything with statements over whole tables, in one transaction. The temporary tables hold what the
 * next statements share; rows of single users never leave the database.
 */

/** Days of tasks that scoring reads. Figures cover 30 days; staying after 30 days needs the weeks before. */
const READ_DAYS = 45;
export const FIGURE_DAYS = 30;

/** Copies the recent tasks with the times that the rules use, in seconds. */
export async function gatherTasks(tx: Transaction, now: Date): Promise<void> {
  // Sorting and hashing millions of rows on disk would take several times as long.
  await tx.query("SET LOCAL work_mem = '128MB'");
  await tx.query(
    `CREATE TEMP TABLE scored_tasks (
       user_id bigint NOT NULL, bot_id bigint NOT NULL, order_id bigint NOT NULL, resource_id bigint NOT NULL,
       is_recent boolean NOT NULL, is_counted boolean NOT NULL, is_refused boolean NOT NULL, tells_leaves boolean NOT NULL,
       confirmed_at timestamptz NOT NULL, age real NOT NULL, window_after real NOT NULL, joined_after real NOT NULL, left_after real
     ) ON COMMIT DROP`,
  );
  await tx.query(
    `INSERT INTO scored_tasks
     SELECT t.user_id, t.bot_id, t.order_id, t.resource_id,
            t.confirmed_at > $1::timestamptz - make_interval(days => $3),
            t.state IN ('held', 'paid', 'settled', 'reversed'), t.state IN ('notgetted', 'rejected'),
            r.type = 'channel' OR s.user_id IS NOT NULL,
            t.confirmed_at, extract(epoch FROM $1 - t.confirmed_at),
            coalesce(extract(epoch FROM t.window_ends_at - t.confirmed_at), 0),
            extract(epoch FROM CASE WHEN m.joined_at >= t.shown_at THEN least(m.joined_at, t.confirmed_at)
                                    ELSE t.confirmed_at END - t.shown_at),
            -- A user whom the advertiser removed did not leave.
            CASE WHEN t.kept_at IS NULL THEN extract(epoch FROM
              least(CASE WHEN NOT m.is_member AND m.observed_at >= t.confirmed_at THEN m.observed_at END,
                    CASE WHEN NOT s.stayed THEN s.checked_at END,
                    CASE WHEN t.state = 'reversed' THEN t.window_ends_at END) - t.confirmed_at) END
     FROM tasks t
     JOIN resources r ON r.id = t.resource_id
     LEFT JOIN memberships m ON m.user_id = t.user_id AND m.chat_id = r.chat_id
     LEFT JOIN stay_checks s ON s.user_id = t.user_id AND s.bot_id = t.bot_id AND s.order_id = t.order_id
     WHERE t.confirmed_at > $1::timestamptz - make_interval(days => $2) AND t.confirmed_at <= $1`,
    [now, READ_DAYS, FIGURE_DAYS],
  );
  await tx.query('ANALYZE scored_tasks');
}

/** A join this soon after the showing is faster than a person can read. */
const INSTANT_SECONDS = 3;
/** A leave this soon after the window looks planned. */
const SOON_SECONDS = 2 * 24 * 3600;

/** Sums up the recent tasks by user and bot, and by user. Returns the number of users. */
export async function gatherUsers(tx: Transaction): Promise<number> {
  await tx.query(
    `CREATE TEMP TABLE scored_pairs ON COMMIT DROP AS
     SELECT bot_id, user_id, min(confirmed_at) FILTER (WHERE is_counted) AS first_at,
            max(confirmed_at) FILTER (WHERE is_counted) AS last_at, count(*) FILTER (WHERE is_counted) AS counted, count(*) FILTER (WHERE is_refused) AS refused,
            count(*) FILTER (WHERE is_counted AND joined_after < ${INSTANT_SECONDS}) AS instant,
            count(*) FILTER (WHERE is_counted AND tells_leaves AND window_after > 0
                             AND (left_after IS NOT NULL OR age > window_after + ${SOON_SECONDS})) AS window_over,
            count(*) FILTER (WHERE is_counted AND tells_leaves AND window_after > 0 AND left_after > window_after
                             AND left_after <= window_after + ${SOON_SECONDS}) AS left_soon
     FROM scored_tasks WHERE is_recent GROUP BY bot_id, user_id`,
  );
  await tx.query('ANALYZE scored_pairs');
  await tx.query(
    `CREATE TEMP TABLE scored_users ON COMMIT DROP AS
     SELECT user_id, min(first_at) AS first_at, max(last_at) AS last_at, sum(counted)::bigint AS counted, count(*) FILTER (WHERE counted > 0) AS bots,
            sum(refused)::bigint AS refused, sum(instant)::bigint AS instant, sum(window_over)::bigint AS window_over,
            sum(left_soon)::bigint AS left_soon
     FROM scored_pairs GROUP BY user_id`,
  );
  await tx.query('CREATE UNIQUE INDEX ON scored_users (user_id)');
  await tx.query('ANALYZE scored_users');
  await tx.query(
    `CREATE TEMP TABLE found_signals (user_id bigint NOT NULL, signal text NOT NULL, strength smallint NOT NULL,
                                      figures jsonb NOT NULL, source text NOT NULL) ON COMMIT DROP`,
  );
  const [row] = await tx.query<{ users: bigint }>('SELECT count(*) AS users FROM scored_users');
  return Number(row?.users ?? 0);
}

/** Telegram assigns these ids since 2024. Farms register accounts as they need them, so older neighbours say nothing. */
const RECENT_IDS_FROM = 7_000_000_000;
/** About ten minutes of registrations: Telegram assigns 1.5 million ids a day. */
const NEIGHBOUR_IDS = 10_000;
/** The ids of young accounts among which those of a bot's honest users are spread. */
const ID_RANGE = 300_000_000;

/**
 * Writes the signals of `scored_users` to `found_signals`. The limits are far from what one person does by chance; each
 * stands in docs/fraud.md.
 */
export async function findSignals(tx: Transaction, now: Date): Promise<void> {
  // Five or more neighbours, and eight times as many as a bot of this size has by chance.
  await tx.query(
    `INSERT INTO found_signals
     SELECT user_id, 'registered_together', 70, jsonb_build_object('neighbours', max(neighbours), 'within', ${NEIGHBOUR_IDS}), 'tasks'
     FROM (SELECT user_id, count(*) OVER (PARTITION BY bot_id ORDER BY user_id
                    RANGE BETWEEN ${NEIGHBOUR_IDS} PRECEDING AND ${NEIGHBOUR_IDS} FOLLOWING) - 1 AS neighbours,
                  count(*) OVER (PARTITION BY bot_id) AS users
           FROM scored_pairs WHERE counted > 0 AND user_id >= ${RECENT_IDS_FROM}) near
     WHERE neighbours >= 5 + 8 * (users * 2.0 * ${NEIGHBOUR_IDS} / ${ID_RANGE})
     GROUP BY user_id`,
  );
  await tx.query(
    `INSERT INTO found_signals
     SELECT user_id, 'young_account', 15, jsonb_build_object('days', 45), 'tasks'
     FROM scored_users WHERE user_id >= $1 AND counted > 0
     UNION ALL
     SELECT user_id, 'instant_join', 35, jsonb_build_object('instant', instant, 'of', counted, 'seconds', ${INSTANT_SECONDS}), 'tasks'
     FROM scored_users WHERE instant >= 3 AND instant >= counted * 0.6
     UNION ALL
     SELECT user_id, 'left_after_window', 50, jsonb_build_object('left', left_soon, 'of', window_over), 'memberships'
     FROM scored_users WHERE left_soon >= 3 AND left_soon >= window_over * 0.6
     UNION ALL
     SELECT user_id, 'subscribes_everywhere', 40, jsonb_build_object('subscriptions', counted, 'bots', bots), 'tasks'
     FROM scored_users WHERE counted >= 40 AND bots >= 4`,
    [youngIdsFrom(now)],
  );
  await tx.query(
    `INSERT INTO found_signals
     SELECT user_id, 'many_subscriptions', least(60, 20 + greatest(hour - 25, (day - 60) / 2, 0) * 2),
            jsonb_build_object('hour', hour, 'day', day), 'tasks'
     FROM (SELECT user_id, max(hour) AS hour, max(day) AS day
           FROM (SELECT user_id, count(*) AS hour, sum(count(*)) OVER (PARTITION BY user_id, date_trunc('day', hour)) AS day
                 FROM (SELECT t.user_id, date_trunc('hour', t.confirmed_at) AS hour
                       FROM scored_tasks t JOIN scored_users u USING (user_id)
                       WHERE u.counted >= 25 AND t.is_counted AND t.is_recent) times
                 GROUP BY user_id, hour) hours
           GROUP BY user_id) peaks
     WHERE hour >= 25 OR day >= 60`,
  );
  await tx.query(
    `INSERT INTO found_signals
     SELECT u.user_id, 'refused_confirms', 20,
            jsonb_build_object('refused', u.refused + r.refused, 'of', u.refused + r.refused + u.counted), 'tasks'
     FROM scored_users u
     JOIN (SELECT user_id, sum(refused)::bigint AS refused FROM confirm_refusals
           WHERE day >= business_day($1) - ${FIGURE_DAYS} GROUP BY user_id HAVING sum(refused) >= 5) r USING (user_id)
     WHERE u.refused + r.refused >= 10 AND u.refused + r.refused >= 3 * u.counted`,
    [now],
  );
  await findSameChannels(tx);
  await findProfileSignals(tx);
  await findSharedDevices(tx);
}

/**
 * Finds users of several bots with nearly the same channels. Two sets with nine channels of ten in common have the same
 * two smallest hashes with a probability of 0.8, so users with the same pair of hashes have nearly the same sets. Two
 * pairs find 19 of 20 such users without comparing each user with each.
 */
async function findSameChannels(tx: Transaction): Promise<void> {
  const hash = (seed: number): string => `min(hashint8extended(t.resource_id, ${seed})) AS hash${seed}`;
  await tx.query(
    `WITH sets AS MATERIALIZED (
       SELECT t.user_id, u.counted, ${[1, 2, 3, 4].map(hash).join(', ')}
       FROM scored_tasks t JOIN scored_users u USING (user_id)
       WHERE u.counted >= 15 AND u.bots >= 2 AND t.is_counted AND t.is_recent
       GROUP BY t.user_id, u.counted
     ), alike AS (
       SELECT user_id, counted, count(*) OVER (PARTITION BY hash1, hash2) - 1 AS others FROM sets
       UNION ALL SELECT user_id, counted, count(*) OVER (PARTITION BY hash3, hash4) - 1 FROM sets
     )
     INSERT INTO found_signals
     SELECT user_id, 'same_channels', 30, jsonb_build_object('users', max(others), 'subscriptions', max(counted)), 'tasks'
     FROM alike WHERE others >= 3 GROUP BY user_id`,
  );
}

async function findProfileSignals(tx: Transaction): Promise<void> {
  const pairs = Object.entries(USUAL_COUNTRIES).flatMap(([language, countries]) =>
    countries.map((country) => [language, country] as const),
  );
  await tx.query(
    `INSERT INTO found_signals
     SELECT u.user_id, 'generated_name', 25, '{}', 'profile'
     FROM scored_users u JOIN audience_users a USING (user_id)
     WHERE u.counted > 0 AND a.facts @> '{"hasGeneratedName": true}'`,
  );
  await tx.query(
    `WITH usual AS MATERIALIZED (SELECT * FROM unnest($1::text[], $2::text[]) AS t (language, country))
     INSERT INTO found_signals
     SELECT u.user_id, 'language_country', 10, '{}', 'profile'
     FROM scored_users u
     JOIN audience_values v ON v.user_id = u.user_id AND v.field = 'country'
     JOIN audience_users a ON a.user_id = u.user_id AND NOT a.facts ? 'isLanguageAssumed'
     CROSS JOIN LATERAL (SELECT split_part(lower(a.facts->>'languageCode'), '-', 1) AS language,
                                upper(v.value #>> '{}') AS country) known
     WHERE NOT a.facts ? 'isLanguageAssumed' AND known.language IN (SELECT language FROM usual)
       AND NOT EXISTS (SELECT FROM usual n WHERE n.language = known.language AND n.country = known.country)`,
    [pairs.map(([language]) => language), pairs.map(([, country]) => country)],
  );
}

/** An address can be that of a whole mobile network, so it says little; a device mark says much. */
async function findSharedDevices(tx: Transaction): Promise<void> {
  await tx.query(
    `INSERT INTO found_signals
     SELECT d.user_id, CASE d.kind WHEN 'device' THEN 'shared_device' ELSE 'shared_address' END,
            CASE d.kind WHEN 'device' THEN least(70, 20 * (max(s.users) - 2)) ELSE 15 END,
            jsonb_build_object('users', max(s.users)), 'device_marks'
     FROM (SELECT mark, count(*) AS users FROM device_marks GROUP BY mark HAVING count(*) >= 3) s
     JOIN device_marks d USING (mark) JOIN scored_users u ON u.user_id = d.user_id
     WHERE d.kind = 'device' OR s.users >= 20
     GROUP BY d.user_id, d.kind`,
  );
}

/**
 * Stores the found signals, deletes those that no longer hold for a user who was seen, and gathers the suspicious users.
 * A signal that stays the same is written once a day only, so that an hourly run rewrites few rows. Returns the number
 * of suspicious users.
 */
export async function storeSignals(tx: Transaction, now: Date): Promise<number> {
  await tx.query(
    `DELETE FROM user_signals s USING scored_users u
     WHERE s.user_id = u.user_id
       AND NOT EXISTS (SELECT FROM found_signals f WHERE f.user_id = s.user_id AND f.signal = s.signal)`,
  );
  await tx.query(
    `INSERT INTO user_signals AS s (user_id, signal, strength, figures, source, observed_at)
     SELECT user_id, signal, strength, figures, source, $1 FROM found_signals ORDER BY user_id, signal
     ON CONFLICT (user_id, signal) DO UPDATE
     SET strength = excluded.strength, figures = excluded.figures, source = excluded.source, observed_at = excluded.observed_at
     WHERE (s.strength, s.figures) IS DISTINCT FROM (excluded.strength, excluded.figures)
        OR s.observed_at < excluded.observed_at - interval '1 day'`,
    [now],
  );
  // The human check halves the suspicion: a person may look unusual, but a farm can pass the check by hand.
  await tx.query(
    `CREATE TEMP TABLE suspicious_users ON COMMIT DROP AS
     SELECT f.user_id FROM found_signals f LEFT JOIN human_checks h USING (user_id)
     GROUP BY f.user_id HAVING sum(f.strength) >= CASE WHEN count(h.user_id) > 0 THEN 2 ELSE 1 END * ${SUSPICIOUS_FROM}`,
  );
  await tx.query('CREATE UNIQUE INDEX ON suspicious_users (user_id)');
  await tx.query('ANALYZE suspicious_users');
  const [row] = await tx.query<{ users: bigint }>('SELECT count(*) AS users FROM suspicious_users');
  return Number(row?.users ?? 0);
}

export interface StoredSignal {
  readonly userId: number;
  readonly signal: string;
  readonly strength: number;
  readonly figures: Readonly<Record<string, number>>;
  readonly observedAt: Date;
}

/** Returns the stored signals of these users, the strongest first. */
export async function findUserSignals(db: Queryable, userIds: readonly number[]): Promise<StoredSignal[]> {
  const rows = await db.query<{
    user_id: bigint;
    signal: string;
    strength: number;
    figures: Record<string, number>;
    observed_at: Date;
  }>('SELECT * FROM user_signals WHERE user_id = ANY($1::bigint[]) ORDER BY strength DESC, signal', [userIds]);
  return rows.map(({ user_id, signal, strength, figures, observed_at }) => ({
    userId: Number(user_id),
    signal,
    strength,
    figures,
    observedAt: observed_at,
  }));
}

/** Deletes signals and sampled checks that were made before this time. Returns how many. */
export async function deleteSignals(db: Queryable, before: Date, limit: number): Promise<number> {
  const [row] = await db.query<{ count: bigint }>(
    `WITH old_signals AS MATERIALIZED (
       SELECT user_id, signal FROM user_signals WHERE observed_at <= $1 ORDER BY observed_at LIMIT $2 FOR UPDATE SKIP LOCKED
     ), old_checks AS MATERIALIZED (
       SELECT user_id, bot_id, order_id FROM stay_checks WHERE checked_at <= $1 ORDER BY checked_at LIMIT $2 FOR UPDATE SKIP LOCKED
     ), signals AS (
       DELETE FROM user_signals s USING old_signals o WHERE s.user_id = o.user_id AND s.signal = o.signal RETURNING 1
     ), checks AS (
       DELETE FROM stay_checks c USING old_checks o
       WHERE c.user_id = o.user_id AND c.bot_id = o.bot_id AND c.order_id = o.order_id RETURNING 1
     )
     SELECT (SELECT count(*) FROM signals) + (SELECT count(*) FROM checks) AS count`,
    [before, limit],
  );
  return Number(row?.count ?? 0);
}
