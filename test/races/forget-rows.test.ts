import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { businessDay, type Clock } from '../../src/core/clock.ts';
import type { Database } from '../../src/core/database.ts';
import { ANSWER_DAYS, forgetAnswers } from '../../src/modules/accounts/index.ts';
import { forgetValues, LEARNED_FOR_DAYS } from '../../src/modules/audience/index.ts';
import { CLICK_DAYS, forgetClicks, reportClicks, totalClicks } from '../../src/modules/links/index.ts';
import { forgetShown, MAX_DAYS, SHOWN_DAYS } from '../../src/modules/statistics/index.ts';
import { DIALOGUE_DAYS, forgetDialogues } from '../../src/telegram/index.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { TestClock } from '../support/money-desk.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

let database: TestDatabase;
const clock = new TestClock();
before(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  const { db } = database;
  await db.query('SELECT sandbox.empty_service_tables()');
  const at = [clock.now()];
  await db.query("INSERT INTO accounts (telegram_user_id, name, created_at) VALUES (1, 'An owner', $1)", at);
  await db.query("INSERT INTO resources (type, chat_id, created_at) VALUES ('channel', -1, $1)", at);
  await db.query(
    `INSERT INTO orders (account_id, resource_id, name, title, link, status, price_kopecks, charge_kopecks, reward_kopecks,
                         quantity, hold_seconds, refund, created_at)
     SELECT 1, 1, 'An order', 'An order', 'https://t.me/an_order', 'completed', 1000, 1000, 700, 10, 0, true, $1
     FROM generate_series(1, 250)`,
    at,
  );
  await db.query(
    `INSERT INTO links (account_id, code, url, name, rules, created_at)
     SELECT 1, 'code-' || n, 'https://example.com/', 'A link', '[]', $1 FROM generate_series(1, 250) n`,
    at,
  );
});
after(() => database.drop());

const daysAgo = (days: number): Date => new Date(clock.now().getTime() - days * DAY_MS);

interface Case {
  readonly what: string;
  readonly table: string;
  readonly days: number;
  /** Inserts the rows with the numbers in $1 (1 to 250) and the time of the last change in $2. */
  readonly sql: string;
  /** True when the table stores a business day instead of a time. */
  readonly byDay?: boolean;
  readonly forget: (deps: { db: Database; clock: Clock }, signal?: AbortSignal, batch?: number) => Promise<number>;
}

const CASES: readonly Case[] = [
  {
    what: 'values learned about users',
    table: 'audience_values',
    days: LEARNED_FOR_DAYS,
    sql: `INSERT INTO audience_values SELECT n, 'os', '"iOS"', 'mini_app', $2::timestamptz FROM unnest($1::int[]) n`,
    forget: forgetValues,
  },
  {
    what: 'answers to requests with an Idempotency-Key',
    table: 'idempotency_keys',
    days: ANSWER_DAYS,
    sql: `INSERT INTO idempotency_keys SELECT 1, 'key ' || n, '\\x00', '{}', $2::timestamptz FROM unnest($1::int[]) n`,
    forget: forgetAnswers,
  },
  {
    what: 'dialogues of people gone silent',
    table: 'bot_dialogues',
    days: DIALOGUE_DAYS,
    sql: 'INSERT INTO bot_dialogues (telegram_user_id, updated_at) SELECT n, $2::timestamptz FROM unnest($1::int[]) n',
    forget: forgetDialogues,
  },
  {
    what: 'tasks shown by day',
    table: 'daily_shown',
    days: SHOWN_DAYS,
    sql: 'INSERT INTO daily_shown SELECT $2::date, 1, n, 5 FROM unnest($1::int[]) n',
    byDay: true,
    forget: forgetShown,
  },
  {
    what: 'clicks by day',
    table: 'link_clicks',
    days: CLICK_DAYS,
    sql: "INSERT INTO link_clicks SELECT n, $2::date, 'RU', '', '', 3 FROM unnest($1::int[]) n",
    byDay: true,
    forget: forgetClicks,
  },
];

for (const { what, table, days, sql, byDay = false, forget } of CASES) {
  describe(what, () => {
    const add = (from: number, to: number, age: number): Promise<object[]> => {
      const time = byDay ? businessDay(daysAgo(age)) : daysAgo(age);
      return database.db.query(sql, [Array.from({ length: to - from + 1 }, (_, i) => from + i), time]);
    };
    const left = async (): Promise<number> => {
      const [row] = await database.db.query<{ count: bigint }>(`SELECT count(*) AS count FROM ${table}`);
      return Number(row?.count);
    };
    const run = (batch?: number, db: Database = database.db, signal?: AbortSignal) =>
      forget({ db, clock }, signal, batch);

    test('are deleted after their retention, and not before', async () => {
      await add(1, 10, days + 1);
      await add(11, 15, days - 1);
      await add(16, 20, 0);
      assert.equal(await run(), 10);
      assert.equal(await left(), 10);
      assert.equal(await run(), 0);
    });

    test('are deleted once each by simultaneous workers in many batches', async () => {
      await add(1, 240, days + 50);
      await add(241, 250, 5);
      const counts = await Promise.all([run(20), run(20), run(15)]);
      counts.push(await run()); // a worker skips rows that another worker has locked
      assert.equal(
        counts.reduce((sum, count) => sum + count, 0),
        240,
      );
      assert.equal(await left(), 10);
    });

    test('are deleted in whole batches by a stopped run, and the next run continues', async () => {
      await add(1, 100, days + 50);
      const stop = new AbortController();
      const { db } = database;
      const stopping: Database = {
        ...db,
        query(text, params) {
          if (text.includes('DELETE')) stop.abort(); // not at the statement that lists partitions
          return db.query(text, params);
        },
      };
      assert.equal(await run(20, stopping, stop.signal), 20);
      assert.equal(await left(), 80);
      assert.equal(await run(20), 80);
    });
  });
}

test('clicks deleted from the days of a link stay in its total and leave its report', async () => {
  const { db } = database;
  const count = (linkId: number, age: number, clicks: number) =>
    db.query("INSERT INTO link_clicks VALUES ($1, $2::date, 'RU', 'smartphone', 'iOS', $3)", [
      linkId,
      businessDay(daysAgo(age)),
      clicks,
    ]);
  for (const age of [CLICK_DAYS + 2, CLICK_DAYS + 1, CLICK_DAYS - 1, 0]) await count(1, age, 7);
  await count(2, CLICK_DAYS + 1, 5);
  const totals = async () => [...(await totalClicks(db, [1, 2, 3]))].sort(([a], [b]) => a - b);
  const before = await totals();
  assert.deepEqual(before, [
    [1, 28],
    [2, 5],
    [3, 0],
  ]);
  assert.equal(await forgetClicks({ db, clock }), 3);
  assert.deepEqual(await totals(), before);
  const report = await reportClicks(db, { linkId: 1, from: '2000-01-01', to: '2999-01-01' });
  assert.deepEqual(
    report.day.map(({ clicks }) => clicks),
    [7, 7],
  );
});

test('rows are kept longer than the longest period of a report', () => {
  assert.ok(SHOWN_DAYS > MAX_DAYS && CLICK_DAYS > MAX_DAYS);
});
