/**
 * Fills the tables with SQL as 45 days of traffic would: each user has three subscriptions in one of a thousand bots in
 * the last 29 days, every third user has two older ones, and every hundredth user has 30 more in other bots. A third of
 * the users has marks of an address and a device: far more devices than the service sees, because it stores them only in
 * the human check. Rows are written in the order of time, so that those of one bot are far apart on disk.
 */
import type { Queryable } from '../../src/core/database.ts';
import type { OpenDatabase } from '../../src/db/index.ts';
import { progress } from '../stage.ts';

/** The tables with a row per user or task. */
const TABLES = ['tasks', 'memberships', 'counted_subscriptions', 'audience_users', 'device_marks'];
const BOTS = 1_000;
const ORDERS = 500;
const CHUNK = 50_000;
/** A prime, so that the ids of users do not follow the order in which they came. */
const SHUFFLE = 7_368_787;
const DAYS = 29;

/** A number from 0 to 1 that depends on the user and the salt only, so that every run has the same rows. */
const share = (salt: string): string => `(abs(hashint8(u * 31 + ${salt})) % 10000 / 10000.0::float8)`;

/** SQL of the u-th of $4 users: the id, the numbers k of the tasks, and of each task the bot, the order and the time. */
const ID_STEP = '(8800000000 / $4::bigint)';
const USER_ID = `(100000000::bigint + u::bigint * ${SHUFFLE} % $4::bigint * ${ID_STEP})`;
const TASKS_OF = 'generate_series(0, CASE WHEN u % 100 = 7 THEN 34 WHEN u % 3 = 0 THEN 4 ELSE 2 END)';
// A few bots have most users.
const BOT_OF = `(1 + floor(${share('1 + k / 10')} ^ 2 * ${BOTS}))::bigint`;
const ORDER_OF = `(1 + (u * 7 + k * 131 + abs(hashint8(u)) % 40) % ${ORDERS})::bigint`;
const CAME_AT = `($1::timestamptz - make_interval(secs => (1 - u::float8 / $4::bigint) * ${DAYS} * 86400 + 3600))`;
const SHOWN_AT = `(${CAME_AT} - CASE WHEN k BETWEEN 3 AND 4 THEN interval '15 days' ELSE k * interval '3 minutes' END)`;

/** Fills the migrated database. Returns the number of subscriptions. */
export async function fillScale(db: OpenDatabase, users: number, now: Date): Promise<number> {
  await db.query(
    `INSERT INTO accounts (id, telegram_user_id, name, created_at) OVERRIDING SYSTEM VALUE
     SELECT i, 900000000 + i, 'Account ' || i, $1 FROM generate_series(1, $2::int) i`,
    [now, BOTS + ORDERS],
  );
  await db.query(
    `INSERT INTO bots (id, account_id, username, created_at) OVERRIDING SYSTEM VALUE
     SELECT i, i, 'bot_' || i, $1::timestamptz - interval '60 days' FROM generate_series(1, $2::int) i`,
    [now, BOTS],
  );
  await db.query(
    `INSERT INTO resources (id, type, chat_id, created_at) OVERRIDING SYSTEM VALUE
     SELECT i, 'channel', -1008000000000 - i, $1 FROM generate_series(1, $2::int) i`,
    [now, ORDERS],
  );
  await db.query(
    `INSERT INTO orders (id, account_id, resource_id, name, title, link, status, price_kopecks, charge_kopecks,
                         reward_kopecks, quantity, hold_seconds, refund, created_at) OVERRIDING SYSTEM VALUE
     SELECT i, $3::int + i, i, 'Order ' || i, 'Channel ' || i, 'https://t.me/channel_' || i, 'active', 500, 500, 350,
            1000000, 86400, true, $1 FROM generate_series(1, $2::int) i`,
    [now, ORDERS, BOTS],
  );
  progress('accounts, bots and orders are filled');
  const addIndexes = await dropIndexes(db, TABLES);
  // A table that was emptied in the same transaction is written without a write-ahead log.
  await db.transaction(async (tx) => {
    await tx.query(`TRUNCATE ${TABLES.join(', ')}`);
    for (let from = 1; from <= users; from += CHUNK) {
      const to = Math.min(users, from + CHUNK - 1);
      await fillUsers(tx, [now, from, to, users]);
      progress(`${to} users are filled`);
    }
  });
  await addIndexes();
  progress('indexes are built');
  await sumUp(db);
  progress('daily totals are built');
  await db.query('VACUUM (ANALYZE)');
  const [row] = await db.query<{ count: bigint }>('SELECT count(*) AS count FROM tasks');
  return Number(row?.count);
}

/** Fills the tables of sums, the large ones for some bots at a time. */
async function sumUp(db: OpenDatabase): Promise<void> {
  const addIndexes = await dropIndexes(db, ['daily_totals', 'daily_shown', 'counted_users']);
  await db.query(
    `INSERT INTO bot_progress (bot_id, shown_total, confirmed_total)
     SELECT bot_id, count(*) * 2, count(*) FROM tasks GROUP BY bot_id`,
  );
  await db.query(
    'INSERT INTO counted_users (user_id, last_counted_on) SELECT user_id, max(business_day(confirmed_at)) FROM tasks GROUP BY 1',
  );
  for (let from = 1; from <= BOTS; from += BOTS / 20) {
    const range = [from, from + BOTS / 20 - 1];
    await db.query(
      `INSERT INTO daily_totals (day, bot_id, order_id, counted, charge_kopecks, reward_kopecks)
       SELECT business_day(confirmed_at), bot_id, order_id, count(*), sum(charge_kopecks), sum(reward_kopecks)
       FROM tasks WHERE bot_id BETWEEN $1 AND $2 GROUP BY 1, 2, 3`,
      range,
    );
    await db.query(
      `INSERT INTO daily_shown (day, bot_id, order_id, shown)
       SELECT day, bot_id, order_id, counted * 2 FROM daily_totals WHERE bot_id BETWEEN $1 AND $2`,
      range,
    );
  }
  await addIndexes();
}

/** Drops the keys and indexes of these tables, because filling them row by row takes several times as long. Returns how to add them. */
async function dropIndexes(db: OpenDatabase, tables: readonly string[]): Promise<() => Promise<void>> {
  const keys = await db.query<{ table: string; name: string; definition: string }>(
    `SELECT conrelid::regclass::text AS table, conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
     WHERE contype = 'p' AND conrelid = ANY($1::regclass[])`,
    [tables],
  );
  for (const { table, name } of keys) await db.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  const indexes = await db.query<{ name: string; definition: string }>(
    'SELECT indexname AS name, indexdef AS definition FROM pg_indexes WHERE tablename = ANY($1::text[])',
    [tables],
  );
  for (const { name } of indexes) await db.query(`DROP INDEX ${name}`);
  return async () => {
    for (const { table, name, definition } of keys)
      await db.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
    for (const { definition } of indexes) await db.query(definition);
  };
}

/** Creates the users of a chunk with their subscriptions. A statement for all of them would exceed the time limit. */
async function fillUsers(
  db: Queryable,
  params: readonly [now: Date, from: number, to: number, users: number],
): Promise<void> {
  await db.query(
    `INSERT INTO audience_users (user_id, first_seen_at, facts, facts_at)
     SELECT ${USER_ID}, ${CAME_AT}, '{"languageCode": "ru", "isPremium": false, "hasUsername": true}', ${CAME_AT}
     FROM generate_series($2::int, $3::int) u`,
    params,
  );
  await db.query(
    `WITH new_tasks AS (
       INSERT INTO tasks (user_id, bot_id, order_id, account_id, resource_id, round, position, state, charge_kopecks,
                          reward_kopecks, hold_seconds, refund, shown_at, expires_at, confirmed_at, release_at,
                          window_ends_at, settled_at)
       SELECT ${USER_ID}, ${BOT_OF}, ${ORDER_OF}, ${BOT_OF}, ${ORDER_OF}, 1, k + 1,
              CASE WHEN ${share('k * 7 + 5')} < 0.09 THEN 'reversed' ELSE 'settled' END, 500, 350, 86400, true, shown,
              shown + interval '1 hour', shown + interval '30 seconds', shown + interval '1 day', shown + interval '1 day',
              shown + interval '1 day'
       FROM generate_series($2::int, $3::int) u, ${TASKS_OF} k, LATERAL (SELECT ${SHOWN_AT} AS shown) times
       RETURNING user_id, bot_id, order_id, resource_id, state, confirmed_at
     ), subscriptions AS (
       INSERT INTO counted_subscriptions (user_id, resource_id, bot_id, order_id, counted_at)
       SELECT user_id, resource_id, bot_id, order_id, confirmed_at FROM new_tasks
     )
     INSERT INTO memberships (user_id, chat_id, is_member, first_member_at, joined_at, source, observed_at)
     SELECT t.user_id, r.chat_id, t.state = 'settled' AND t.user_id / ${ID_STEP} % 4 <> 0, t.confirmed_at, t.confirmed_at, 'update',
            t.confirmed_at + interval '12 hours'
     FROM new_tasks t JOIN resources r ON r.id = t.resource_id`,
    params,
  );
  await db.query(
    `INSERT INTO device_marks (mark, user_id, kind, source, seen_at)
     SELECT decode(md5(kind || CASE WHEN u / 900 % 10 > 0 THEN -u WHEN kind = 'address' THEN u / 90 ELSE u / 9 END), 'hex'), ${USER_ID}, kind, 'smart_link', ${CAME_AT}
     FROM generate_series($2::int, $3::int) u CROSS JOIN unnest(ARRAY['address', 'device']) AS kind WHERE u % 3 = 0`,
    params,
  );
}
