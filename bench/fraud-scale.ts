/**
 * Measures one run of the hourly scoring with a million users. `npm run bench -- fraud-scale`, or `node
 * bench/fraud-scale.ts --users 100000` for fewer.
 *
 * Fills the tables with SQL as a month of traffic would: each user has three subscriptions in one of a thousand bots,
 * and a third of the users has device marks.
 */
import { parseArgs } from 'node:util';
import { readConfig } from '../src/config.ts';
import { migrate, type OpenDatabase, serviceMigrations } from '../src/db/index.ts';
import { scoreSources } from '../src/modules/quality/index.ts';
import { sandboxMigrations } from '../src/sandbox/index.ts';
import { GOALS } from './fraud/parameters.ts';
import { onStage, progress } from './stage.ts';

const { values } = parseArgs({ options: { users: { type: 'string', default: '1000000' } } });
const users = Number(values.users);
if (!Number.isInteger(users) || users < 1) throw new Error('--users is a number of users');
const BOTS = 1_000;
const ORDERS = 500;
const SUBSCRIPTIONS_A_USER = 3;
const RUNS = 2;
const CHUNK = 25_000;

/** A number from 0 to 1 that depends on the user and the salt only, so that every run has the same rows. */
const share = (salt: string): string => `(abs(hashint8(u * 31 + ${salt})) % 10000 / 10000.0::float8)`;

/** SQL of the u-th user: the id, the bot (a few bots have most users), the k-th order and the time of the showing. */
const USER_ID = '(100000000::bigint + u * 8000)';
const BOT_OF = `(1 + floor(${share('1')} ^ 2 * ${BOTS}))::bigint`;
const ORDER_OF = `(1 + (u * 7 + k * 131 + abs(hashint8(u)) % 40) % ${ORDERS})::bigint`;
const SHOWN_AT = `($1::timestamptz - make_interval(secs => ${share('2')} * 29 * 86400 + 3600))`;

await onStage(async ({ db, databaseUrl }) => {
  await migrate(databaseUrl, [sandboxMigrations, serviceMigrations]);
  const now = new Date('2026-05-31T12:00:00Z');
  const begin = performance.now();
  await fill(db, now);
  progress(`${users} users with ${users * SUBSCRIPTIONS_A_USER} subscriptions, filled in ${secondsSince(begin)} s`);
  const seconds: number[] = [];
  // The second run finds the scores and signals of the first, as every run after the first hour does.
  for (let run = 1; run <= RUNS; run++) {
    const start = performance.now();
    await scoreSources({ db, clock: { now: () => now }, settings: readConfig({}).quality });
    seconds.push(secondsSince(start));
    progress(`scoring ${run} of ${RUNS}: ${seconds.at(-1)} s`);
  }
  const slowest = Math.max(...seconds);
  const levels = await db.query<{ level: string; bots: bigint }>(
    'SELECT level, count(*) AS bots FROM bot_quality GROUP BY 1 ORDER BY 1',
  );
  console.log(`levels: ${levels.map(({ level, bots }) => `${bots} ${level}`).join(', ')}`);
  const isReached = slowest <= GOALS.scoringSeconds;
  console.log(`${isReached ? '✔' : '✗'} scoring of ${users} users: ${slowest} s (goal ≤ ${GOALS.scoringSeconds} s)`);
  console.log(`\n${JSON.stringify({ name: 'fraud-scale', users, seconds, isReached })}`);
  process.exitCode = isReached ? 0 : 1;
});

function secondsSince(begin: number): number {
  return Math.round((performance.now() - begin) / 100) / 10;
}

async function fill(db: OpenDatabase, now: Date): Promise<void> {
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
  for (let from = 1; from <= users; from += CHUNK) {
    await fillUsers(db, [now, from, Math.min(users, from + CHUNK - 1)]);
    progress(`${Math.min(users, from + CHUNK - 1)} users are filled`);
  }
  await db.query(
    `INSERT INTO bot_progress (bot_id, shown_total, confirmed_total)
     SELECT bot_id, count(*) * 2, count(*) FROM tasks GROUP BY bot_id`,
  );
  await db.query(
    `INSERT INTO daily_totals (day, bot_id, order_id, counted, charge_kopecks, reward_kopecks)
     SELECT confirmed_at::date, bot_id, order_id, count(*), sum(charge_kopecks), sum(reward_kopecks)
     FROM tasks GROUP BY 1, 2, 3`,
  );
  await db.query('VACUUM (ANALYZE)');
}

/** Creates the users of a chunk with their subscriptions. A statement for all of them would exceed the time limit. */
async function fillUsers(db: OpenDatabase, params: readonly [now: Date, from: number, to: number]): Promise<void> {
  await db.query(
    `INSERT INTO audience_users (user_id, first_seen_at, facts, facts_at)
     SELECT ${USER_ID}, shown, '{"languageCode": "ru", "isPremium": false, "hasUsername": true}', shown
     FROM generate_series($2::int, $3::int) u, LATERAL (SELECT ${SHOWN_AT} AS shown) times`,
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
       FROM generate_series($2::int, $3::int) u CROSS JOIN generate_series(0, ${SUBSCRIPTIONS_A_USER - 1}) k,
         LATERAL (SELECT ${SHOWN_AT} AS shown) times
       RETURNING user_id, bot_id, order_id, resource_id, state, confirmed_at
     ), subscriptions AS (
       INSERT INTO counted_subscriptions (user_id, resource_id, bot_id, order_id, counted_at)
       SELECT user_id, resource_id, bot_id, order_id, confirmed_at FROM new_tasks
     )
     INSERT INTO memberships (user_id, chat_id, is_member, first_member_at, joined_at, source, observed_at)
     SELECT t.user_id, r.chat_id, t.state = 'settled' AND t.user_id % 4 <> 0, t.confirmed_at, t.confirmed_at, 'update',
            t.confirmed_at + interval '12 hours'
     FROM new_tasks t JOIN resources r ON r.id = t.resource_id`,
    params,
  );
  await db.query(
    `INSERT INTO device_marks (mark, user_id, kind, source, seen_at)
     SELECT decode(md5(kind || u / CASE kind WHEN 'address' THEN 30 ELSE 2 END), 'hex'), ${USER_ID}, kind, 'smart_link', ${SHOWN_AT}
     FROM generate_series($2::int, $3::int) u CROSS JOIN unnest(ARRAY['address', 'device']) AS kind WHERE u % 3 = 0`,
    params,
  );
}
