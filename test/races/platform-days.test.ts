import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import pg from 'pg';
import { businessDay } from '../../src/core/clock.ts';
import { closePlatformDays } from '../../src/modules/statistics/index.ts';
import { describePlatform } from '../../src/modules/statistics/platform-stats.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { TestClock } from '../support/money-desk.ts';

const DAY_SECONDS = 24 * 60 * 60;

let database: TestDatabase;
let clock: TestClock;
before(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  clock = new TestClock();
  await database.db.query('SELECT sandbox.empty_service_tables()');
});
after(() => database.drop());

const close = () => closePlatformDays({ db: database.db, clock });
const allTime = async () => (await describePlatform(database.db, clock.now())).all_time;
const today = (): string => businessDay(clock.now());

/** Writes the totals of a day as a confirm does: a charge of ten rubles and a reward of seven. */
const FACTS_SQL = `
  INSERT INTO daily_totals AS d (day, bot_id, order_id, counted, charge_kopecks, reward_kopecks, new_users)
  SELECT $1::date, bot, bot % 10, 1, 1000, 700, 1 FROM generate_series($2::int, $3::int) AS bot
  ON CONFLICT (bot_id, order_id, day) DO UPDATE SET counted = d.counted + 1,
    charge_kopecks = d.charge_kopecks + 1000, reward_kopecks = d.reward_kopecks + 700, new_users = d.new_users + 1`;

async function record(day: string, firstBot = 1, lastBot = firstBot): Promise<void> {
  await database.db.query(FACTS_SQL, [day, firstBot, lastBot]);
}

/** Runs `work` with a separate connection that stands for a second process. */
async function withClient(work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** Waits until another transaction is blocked by this client. */
async function isWaitedFor(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const behind = 'SELECT 1 FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))';
  await eventually('somebody waits for the other transaction', async () => {
    return (await database.db.query(behind, [rows[0]?.pid])).length > 0;
  });
}

async function closedDays(): Promise<string[]> {
  const rows = await database.db.query<{ day: string }>('SELECT day FROM platform_days ORDER BY day');
  return rows.map((row) => row.day);
}

test('a day is closed one hour after its end and not earlier', async () => {
  const first = today(); // 15:00 in Moscow
  await record(first);
  assert.equal(await close(), 0);
  clock.advance(9 * 60 * 60 + 59 * 60); // 00:59 of the next day
  assert.equal(await close(), 0);
  clock.advance(60);
  assert.equal(await close(), 1);
  assert.equal(await close(), 0);
  assert.deepEqual(await closedDays(), [first]);
});

test('an open transaction keeps its day and later days open, and its facts are counted after the commit', async () => {
  const late = today();
  await record(late);
  await withClient(async (writer) => {
    await writer.query('BEGIN');
    await writer.query(FACTS_SQL, [late, 1, 3]);
    clock.advance(3 * DAY_SECONDS);
    await record(today());
    assert.equal(await close(), 0);
    assert.equal((await allTime()).subscriptions, 2);
    await writer.query('COMMIT');
  });
  assert.equal((await allTime()).subscriptions, 5);
  assert.equal(await close(), 3);
  assert.equal((await allTime()).subscriptions, 5);
});

test('a fact written to a closed day is counted there once', async () => {
  const late = today();
  await record(late);
  clock.advance(3 * DAY_SECONDS);
  await close();
  await record(late, 1, 2);
  const { all_time: ever, last_7_days: week } = await describePlatform(database.db, clock.now());
  assert.deepEqual(
    [ever.subscriptions, ever.revenue, ever.turnover, ever.active_bots, ever.active_orders, ever.unique_users],
    [3, 21, 30, 2, 2, 3],
  );
  assert.deepEqual([week.subscriptions, week.active_bots], [3, 2]);
  assert.equal(await close(), 0);
});

test('a fact of a day before the first closed day is counted', async () => {
  const late = today();
  clock.advance(20 * DAY_SECONDS);
  await record(today());
  clock.advance(2 * DAY_SECONDS);
  await close();
  await record(late);
  assert.equal((await allTime()).subscriptions, 2);
});

test('a fact written while its day is being closed waits for the closing and is counted once', async () => {
  const late = today();
  await record(late);
  clock.advance(2 * DAY_SECONDS);
  await withClient(async (closer) => {
    await closer.query('BEGIN');
    const { rows } = await closer.query<{ closed: number }>('SELECT close_platform_days($1, 100) AS closed', [late]);
    assert.equal(rows[0]?.closed, 1);
    const written = record(late, 1, 3);
    await isWaitedFor(closer);
    await closer.query('COMMIT');
    await written;
  });
  assert.equal((await allTime()).subscriptions, 4);
  assert.equal((await allTime()).revenue, 28);
});

test('simultaneous facts of a closed day are all counted without a deadlock', async () => {
  const late = today();
  await record(late, 1, 5);
  clock.advance(2 * DAY_SECONDS);
  await close();
  for (let round = 1; round <= 10; round++) {
    // Each fact has its own bot, so that the writers share only the row of the closed day.
    await Promise.all(Array.from({ length: 8 }, (_, i) => record(late, 10 * round + i)));
    const ever = await allTime();
    assert.deepEqual([ever.subscriptions, ever.active_bots], [5 + 8 * round, 5 + 8 * round]);
  }
});

test('a payout written to a closed day is counted there', async () => {
  const { db } = database;
  const sentAt = clock.now();
  await db.query("INSERT INTO accounts (telegram_user_id, name, created_at) VALUES (1, 'A publisher', $1)", [sentAt]);
  await db.query(
    `INSERT INTO payouts (account_id, request_key, amount_kopecks, method, destination, status, spend_id, created_at)
     SELECT 1, n::text, 1000 + n, 'manual', 'a card', 'approved', 'spend id number ' || n, $1 FROM generate_series(1, 2) n`,
    [sentAt],
  );
  const send = (id: number) =>
    db.query("UPDATE payouts SET status = 'sent', reference = 'paid', closed_at = $2 WHERE id = $1", [id, sentAt]);
  await send(1);
  assert.equal((await allTime()).payouts, 10.01);
  clock.advance(2 * DAY_SECONDS);
  assert.equal(await close(), 2);
  assert.equal((await allTime()).payouts, 10.01);
  await send(2);
  assert.equal((await allTime()).payouts, 20.03);
});

test('processes that close the same days at once during traffic close each day once and lose no fact', async () => {
  for (let day = 0; day < 250; day += 50) {
    await record(today(), 1, 4);
    clock.advance(50 * DAY_SECONDS);
  }
  await record(today());
  const traffic = Array.from({ length: 20 }, () => record(today()));
  const closed = await Promise.all(Array.from({ length: 8 }, close));
  await Promise.all(traffic);
  // A process that loses a race stops early, so one more run closes the days that are left.
  closed.push(await close());
  const days = await closedDays();
  assert.equal(days.length, 250);
  assert.ok(closed.reduce((sum, count) => sum + count, 0) >= 250);
  assert.deepEqual([(await allTime()).subscriptions, (await allTime()).unique_users], [41, 41]);
});

test('the figures do not depend on the rows of closed days', async () => {
  for (let day = 0; day < 40; day++) {
    await record(today(), 1, 500);
    clock.advance(DAY_SECONDS);
  }
  await record(today(), 1, 7);
  await close();
  await database.db.query('ANALYZE');
  const expected = await describePlatform(database.db, clock.now());
  assert.equal(expected.all_time.subscriptions, 40 * 500 + 7);
  assert.deepEqual([expected.last_30_days.active_bots, expected.last_7_days.active_orders], [500, 10]);

  const undo = new Error('undo');
  const attempt = database.db.transaction(async (tx) => {
    const touched = async (): Promise<bigint> => {
      const [row] = await tx.query<{ rows: bigint }>(
        `SELECT (seq_tup_read + idx_tup_fetch)::bigint AS rows FROM pg_stat_xact_user_tables WHERE relname = 'daily_totals'`,
      );
      assert.ok(row);
      return row.rows;
    };
    const before = await touched();
    await describePlatform(tx, clock.now());
    assert.equal((await touched()) - before, 7n, 'it read the rows of today, and no other');

    await tx.query('DELETE FROM daily_totals WHERE day < $1', [today()]);
    assert.deepEqual(await describePlatform(tx, clock.now()), expected);
    throw undo;
  });
  await assert.rejects(attempt, undo);
});

test('the database and the service agree on when a business day begins', async () => {
  for (let minute = 0; minute < 48 * 60; minute += 7) {
    const time = new Date(Date.UTC(2027, 11, 31) + minute * 60_000);
    const [row] = await database.db.query<{ day: string; starts: Date }>(
      'SELECT business_day($1) AS day, business_day_start(business_day($1)) AS starts',
      [time],
    );
    assert.ok(row);
    assert.equal(row.day, businessDay(time));
    assert.equal(businessDay(row.starts), row.day);
    assert.notEqual(businessDay(new Date(row.starts.getTime() - 1)), row.day);
  }
});
