import type { Queryable } from '../../core/database.ts';
import { COUNTED, FIGURE_DAYS, FIGURE_PERIOD, hasProven, INSTANT_SECONDS, isProven } from './gather-store.ts';
import {
  CIRCUMSTANCES,
  FORGEABLE_SIGNALS,
  SUPPORT_FROM,
  SUSPICIOUS_FROM,
  USUAL_COUNTRIES,
  youngIdsFrom,
} from './signals.ts';

/** Telegram assigns these ids since 2024. Farms register accounts as they need them, so older neighbours say nothing. */
const RECENT_IDS_FROM = 7_000_000_000;
/** About ten minutes of registrations: Telegram assigns 1.5 million ids a day. */
const NEIGHBOUR_IDS = 10_000;
/** The ids of young accounts among which those of a bot's honest users are spread. */
const ID_RANGE = 300_000_000;

/** Only the tasks of users with this many subscriptions are compared. */
const ACTIVE_FROM = 15;

/**
 * Writes the signals of `scored_users` to `found_signals`. The limits are far from what one person does by chance; each
 * stands in docs/fraud.md.
 */
export async function findSignals(session: Queryable, now: Date): Promise<void> {
  await session.query(
    `CREATE TEMP TABLE found_signals (user_id bigint NOT NULL, signal text NOT NULL, strength smallint NOT NULL,
                                      figures jsonb NOT NULL, source text NOT NULL)`,
  );
  // Five or more neighbours, and eight times as many as a bot of this size has by chance.
  await session.query(
    `INSERT INTO found_signals
     SELECT user_id, 'registered_together', 70, jsonb_build_object('neighbours', max(neighbours), 'within', ${NEIGHBOUR_IDS}), 'tasks'
     FROM (SELECT user_id, count(*) OVER (PARTITION BY bot_id ORDER BY user_id
                    RANGE BETWEEN ${NEIGHBOUR_IDS} PRECEDING AND ${NEIGHBOUR_IDS} FOLLOWING) - 1 AS neighbours,
                  count(*) OVER (PARTITION BY bot_id) AS users
           FROM scored_pairs WHERE counted > 0 AND user_id >= ${RECENT_IDS_FROM}) near
     WHERE neighbours >= 5 + 8 * (users * 2.0 * ${NEIGHBOUR_IDS} / ${ID_RANGE})
     GROUP BY user_id`,
  );
  await session.query(
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
  await session.query(
    `CREATE TEMP TABLE active_tasks AS
     SELECT u.user_id, u.counted, u.bots, t.resource_id, t.confirmed_at
     FROM scored_users u JOIN tasks t ON t.user_id = u.user_id JOIN resources r ON r.id = t.resource_id
     WHERE u.counted >= ${ACTIVE_FROM} AND t.state IN ${COUNTED} AND ${isProven('r')}
       AND t.confirmed_at > $1::timestamptz - ${FIGURE_PERIOD} AND t.confirmed_at <= $1`,
    [now],
  );
  await session.query(
    `INSERT INTO found_signals
     SELECT user_id, 'many_subscriptions', least(60, 20 + greatest(hour - 25, (day - 60) / 2, 0) * 2),
            jsonb_build_object('hour', hour, 'day', day), 'tasks'
     FROM (SELECT user_id, max(hour) AS hour, max(day) AS day
           FROM (SELECT user_id, count(*) AS hour, sum(count(*)) OVER (PARTITION BY user_id, date_trunc('day', hour)) AS day
                 FROM (SELECT user_id, date_trunc('hour', confirmed_at) AS hour FROM active_tasks WHERE counted >= 25) times
                 GROUP BY user_id, hour) hours
           GROUP BY user_id) peaks
     WHERE hour >= 25 OR day >= 60`,
  );
  await session.query(
    `INSERT INTO found_signals
     SELECT u.user_id, 'refused_confirms', 20,
            jsonb_build_object('refused', u.refused + r.refused, 'of', u.refused + r.refused + u.counted), 'tasks'
     FROM scored_users u
     JOIN (SELECT user_id, sum(refused)::bigint AS refused FROM confirm_refusals
           WHERE day >= business_day($1) - ${FIGURE_DAYS} GROUP BY user_id HAVING sum(refused) >= 5) r USING (user_id)
     WHERE u.refused + r.refused >= 10 AND u.refused + r.refused >= 3 * u.counted`,
    [now],
  );
  await findSameChannels(session);
  await findProfileSignals(session);
  await findSharedDevices(session);
  await dropUnsupported(session);
}

/** A publisher must not be able to make the users of another one suspicious by what it sends (decision 0217). */
async function dropUnsupported(session: Queryable): Promise<void> {
  await session.query(
    `DELETE FROM found_signals f
     WHERE f.signal = ANY($1::text[])
       AND NOT EXISTS (SELECT FROM (SELECT user_id FROM found_signals WHERE signal <> ALL($1) AND signal <> ALL($2::text[])
                                    GROUP BY user_id HAVING sum(strength) >= ${SUPPORT_FROM}) supported
                       WHERE supported.user_id = f.user_id)`,
    [FORGEABLE_SIGNALS, CIRCUMSTANCES],
  );
}

/**
 * Finds users of several bots with nearly the same channels. Two sets with nine channels of ten in common have the same
 * two smallest hashes with a probability of 0.8, so users with the same pair of hashes have nearly the same sets. Two
 * pairs find 19 of 20 such users without comparing each user with each.
 */
async function findSameChannels(session: Queryable): Promise<void> {
  const hash = (seed: number): string => `min(hashint8extended(resource_id, ${seed})) AS hash${seed}`;
  await session.query(
    `WITH sets AS MATERIALIZED (
       SELECT user_id, counted, ${[1, 2, 3, 4].map(hash).join(', ')}
       FROM active_tasks WHERE counted >= ${ACTIVE_FROM} AND bots >= 2 GROUP BY user_id, counted
     ), alike AS (
       SELECT user_id, counted, count(*) OVER (PARTITION BY hash1, hash2) - 1 AS others FROM sets
       UNION ALL SELECT user_id, counted, count(*) OVER (PARTITION BY hash3, hash4) - 1 FROM sets
     )
     INSERT INTO found_signals
     SELECT user_id, 'same_channels', 30, jsonb_build_object('users', max(others), 'subscriptions', max(counted)), 'tasks'
     FROM alike WHERE others >= 3 GROUP BY user_id`,
  );
}

async function findProfileSignals(session: Queryable): Promise<void> {
  const pairs = Object.entries(USUAL_COUNTRIES).flatMap(([language, countries]) =>
    countries.map((country) => [language, country] as const),
  );
  await session.query(
    `INSERT INTO found_signals
     SELECT u.user_id, 'generated_name', 25, '{}', 'profile'
     FROM scored_users u JOIN audience_users a USING (user_id)
     WHERE u.counted > 0 AND a.facts @> '{"hasGeneratedName": true}'`,
  );
  await session.query(
    `WITH usual AS MATERIALIZED (SELECT * FROM unnest($1::text[], $2::text[]) AS t (language, country))
     INSERT INTO found_signals
     SELECT u.user_id, 'language_country', 10, '{}', 'profile'
     FROM scored_users u
     JOIN audience_values v ON v.user_id = u.user_id AND v.field = 'country'
     JOIN audience_users a ON a.user_id = u.user_id AND NOT a.facts ? 'isLanguageAssumed'
     CROSS JOIN LATERAL (SELECT split_part(lower(a.facts->>'languageCode'), '-', 1) AS language,
                                upper(v.value #>> '{}') AS country) known
     WHERE ${hasProven('u')} AND NOT a.facts ? 'isLanguageAssumed' AND known.language IN (SELECT language FROM usual)
       AND NOT EXISTS (SELECT FROM usual n WHERE n.language = known.language AND n.country = known.country)`,
    [pairs.map(([language]) => language), pairs.map(([, country]) => country)],
  );
}

/** An address can be that of a whole mobile network, so it says little; a device mark says much. */
async function findSharedDevices(session: Queryable): Promise<void> {
  await session.query(
    `INSERT INTO found_signals
     SELECT d.user_id, CASE d.kind WHEN 'device' THEN 'shared_device' ELSE 'shared_address' END,
            CASE d.kind WHEN 'device' THEN least(70, 20 * (max(s.users) - 2)) ELSE 15 END,
            jsonb_build_object('users', max(s.users)), 'device_marks'
     FROM (SELECT mark, count(*) AS users FROM device_marks GROUP BY mark HAVING count(*) >= 3) s
     JOIN device_marks d USING (mark) JOIN scored_users u ON u.user_id = d.user_id
     WHERE (d.kind = 'device' OR s.users >= 20) AND ${hasProven('u')}
     GROUP BY d.user_id, d.kind`,
  );
}

/**
 * Stores the found signals, deletes those that no longer hold for a user who was seen, and gathers the suspicious users.
 * A signal that stays the same is written once a day only, so that an hourly run rewrites few rows. Returns the number
 * of suspicious users.
 */
export async function storeSignals(session: Queryable, now: Date): Promise<number> {
  await session.query('ANALYZE found_signals');
  await session.query(
    `DELETE FROM user_signals s USING scored_users u
     WHERE s.user_id = u.user_id
       AND NOT EXISTS (SELECT FROM found_signals f WHERE f.user_id = s.user_id AND f.signal = s.signal)`,
  );
  // Reads the stored signals first: ON CONFLICT alone would lock, and so write, every row that stays as it is.
  await session.query(
    `INSERT INTO user_signals (user_id, signal, strength, figures, source, observed_at)
     SELECT f.user_id, f.signal, f.strength, f.figures, f.source, $1
     FROM found_signals f LEFT JOIN user_signals s ON s.user_id = f.user_id AND s.signal = f.signal
     WHERE s.user_id IS NULL OR s.strength <> f.strength OR s.figures <> f.figures
        OR s.observed_at < $1::timestamptz - interval '1 day'
     ORDER BY f.user_id, f.signal
     ON CONFLICT (user_id, signal) DO UPDATE
     SET strength = excluded.strength, figures = excluded.figures, source = excluded.source, observed_at = excluded.observed_at`,
    [now],
  );
  // The human check halves the suspicion: a person may look unusual, but a farm can pass the check by hand.
  await session.query(
    `CREATE TEMP TABLE suspicious_users AS
     SELECT f.user_id FROM found_signals f LEFT JOIN human_checks h USING (user_id)
     GROUP BY f.user_id HAVING sum(f.strength) >= CASE WHEN count(h.user_id) > 0 THEN 2 ELSE 1 END * ${SUSPICIOUS_FROM}`,
  );
  await session.query('ANALYZE suspicious_users');
  const [row] = await session.query<{ users: bigint }>('SELECT count(*) AS users FROM suspicious_users');
  return Number(row?.users ?? 0);
}

/**
 * Deletes the requests for the human check of users who are no longer suspicious. Their tasks come without a link to the
 * check; if such a request stayed, those tasks would wait for the check when the users become suspicious again.
 */
export async function withdrawCheckRequests(session: Queryable, checkStrength: number): Promise<void> {
  await session.query(
    `DELETE FROM human_check_requests r USING scored_users u
     WHERE u.user_id = r.user_id
       AND (SELECT coalesce(sum(s.strength), 0) FROM user_signals s WHERE s.user_id = r.user_id) < $1::int`,
    [checkStrength],
  );
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
  return db.query<StoredSignal>(
    `SELECT user_id::float8 AS "userId", signal, strength, figures, observed_at AS "observedAt" FROM user_signals
     WHERE user_id = ANY($1::bigint[]) ORDER BY strength DESC, signal`,
    [userIds],
  );
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
