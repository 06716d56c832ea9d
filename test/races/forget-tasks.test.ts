import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import pg from 'pg';
import { MAX_BACKDATED_DAYS } from '../../src/modules/contests/index.ts';
import { forgetTasks, TASK_DAYS } from '../../src/modules/tasks/index.ts';
import { MoneyDesk } from '../support/money-desk.ts';
import { range } from '../support/users.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const STATES = ['pending', 'held', 'paid', 'settled', 'reversed', 'notgetted'] as const;
type State = (typeof STATES)[number];

let desk: MoneyDesk;
let owner: number;
let advertiser: number;
before(async () => {
  desk = await MoneyDesk.open();
});
beforeEach(async () => {
  await desk.database.db.query('SELECT sandbox.empty_service_tables()');
  owner = (await desk.person()).accountId;
  advertiser = (await desk.person()).accountId;
  await desk.database.db.query(
    `INSERT INTO resources (type, chat_id, created_at) SELECT 'channel', -n, $1 FROM generate_series(1, 3) n`,
    [desk.clock.now()],
  );
});
after(() => desk.close());

const daysAgo = (days: number): Date => new Date(desk.clock.now().getTime() - days * DAY_MS);

async function addOrders(count: number): Promise<void> {
  await desk.database.db.query(
    `INSERT INTO orders (account_id, resource_id, name, title, link, status, price_kopecks, charge_kopecks, reward_kopecks,
                         quantity, hold_seconds, refund, created_at)
     SELECT $1, 1, 'An order', 'An order', 'https://t.me/an_order', 'completed', 1000, 1000, 700, 10, 86400, true, $3
     FROM generate_series(1, $2::int)`,
    [advertiser, count, desk.clock.now()],
  );
}

interface TaskLike {
  readonly userId: number;
  readonly orderId?: number;
  readonly state: State;
  readonly confirmedDaysAgo: number;
  readonly settledDaysAgo?: number;
}

async function addTasks(tasks: readonly TaskLike[]): Promise<void> {
  await desk.database.db.query(
    `INSERT INTO tasks (user_id, bot_id, order_id, account_id, resource_id, round, position, state, charge_kopecks,
                         reward_kopecks, hold_seconds, refund, shown_at, expires_at, confirmed_at, settled_at)
     SELECT user_id, 1, order_id, $1, 1, 1, 1, state, 1000, 700, 86400, true, confirmed_at, confirmed_at, confirmed_at,
            settled_at
     FROM unnest($2::bigint[], $3::bigint[], $4::text[], $5::timestamptz[], $6::timestamptz[])
       AS t (user_id, order_id, state, confirmed_at, settled_at)`,
    [
      owner,
      tasks.map(({ userId }) => userId),
      tasks.map(({ orderId = 1 }) => orderId),
      tasks.map(({ state }) => state),
      tasks.map(({ confirmedDaysAgo }) => daysAgo(confirmedDaysAgo)),
      tasks.map(({ state, confirmedDaysAgo, settledDaysAgo = confirmedDaysAgo - 1 }) =>
        state === 'settled' ? daysAgo(settledDaysAgo) : null,
      ),
    ],
  );
}

const forget = (signal?: AbortSignal, batch?: number, db = desk.database.db) =>
  forgetTasks({ db, clock: desk.clock, neededSince: () => desk.contests.neededSince() }, signal, batch);

async function usersLeft(): Promise<number[]> {
  const rows = await desk.database.db.query<{ user_id: bigint }>('SELECT user_id FROM tasks ORDER BY user_id');
  return rows.map((row) => Number(row.user_id));
}

test('final tasks are deleted after their retention, reversible ones never', async () => {
  await addOrders(1);
  const ages = [1, TASK_DAYS - 1, TASK_DAYS + 2, 5 * TASK_DAYS];
  const tasks = STATES.flatMap((state, s) =>
    ages.map((confirmedDaysAgo, a) => ({ userId: 10 * s + a, state, confirmedDaysAgo })),
  );
  await addTasks(tasks);
  assert.equal(await forget(), 3 * 2);
  const expected = tasks.filter(
    ({ state, confirmedDaysAgo }) =>
      confirmedDaysAgo < TASK_DAYS || state === 'pending' || state === 'held' || state === 'paid',
  );
  assert.deepEqual(
    await usersLeft(),
    expected.map(({ userId }) => userId),
  );
  assert.equal(await forget(), 0);
});

test('the retention of a settled task starts at its settlement', async () => {
  await addOrders(1);
  await addTasks([
    { userId: 1, state: 'settled', confirmedDaysAgo: TASK_DAYS + 100, settledDaysAgo: TASK_DAYS - 1 },
    { userId: 2, state: 'settled', confirmedDaysAgo: TASK_DAYS + 100, settledDaysAgo: TASK_DAYS + 1 },
  ]);
  assert.equal(await forget(), 1);
  assert.deepEqual(await usersLeft(), [1]);
});

test('while a contest runs, every settlement of its period is kept and counted', async () => {
  await addOrders(1);
  const startsAt = daysAgo(MAX_BACKDATED_DAYS);
  const race = { key: 'a', name: 'A long race', startsAt, endsAt: daysAgo(-200), prizesKopecks: [100n] };
  const tooEarly = await desk.contests.create({ ...race, startsAt: daysAgo(MAX_BACKDATED_DAYS + 1) });
  assert.deepEqual(tooEarly, {
    kind: 'invalid',
    message: `the start must not lie more than ${MAX_BACKDATED_DAYS} days back`,
  });
  assert.equal((await desk.contests.create(race)).kind, 'created');
  await addTasks([
    { userId: 1, state: 'settled', confirmedDaysAgo: MAX_BACKDATED_DAYS + 1, settledDaysAgo: MAX_BACKDATED_DAYS - 1 },
    { userId: 2, state: 'settled', confirmedDaysAgo: MAX_BACKDATED_DAYS + 2, settledDaysAgo: MAX_BACKDATED_DAYS + 1 },
  ]);
  desk.clock.advance(190 * 24 * 60 * 60);
  assert.equal(await forget(), 1);
  assert.deepEqual(await usersLeft(), [1]);

  desk.clock.advance(11 * 24 * 60 * 60);
  assert.equal(await desk.contests.finish(), 1);
  const [contest] = await desk.contests.list(1);
  assert.ok(contest);
  assert.deepEqual(
    (await desk.contests.standings(contest, 10)).map(({ accountId, score }) => [accountId, score]),
    [[owner, 1]],
  );
  assert.equal(await forget(), 1);
});

test('simultaneous workers delete each task once, over many orders and batches', async () => {
  await addOrders(450);
  const old = range(2_000).map((n) => ({
    userId: n,
    orderId: 1 + ((n * 7) % 450),
    state: 'settled' as const,
    confirmedDaysAgo: 300,
  }));
  const young = range(300).map((n) => ({
    ...old[n],
    userId: 10_000 + n,
    orderId: 1 + n,
    state: 'settled' as const,
    confirmedDaysAgo: 30,
  }));
  await addTasks([...old, ...young]);
  const counts = await Promise.all([forget(undefined, 100), forget(undefined, 100), forget(undefined, 70)]);
  counts.push(await forget());
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    2_000,
  );
  assert.deepEqual(
    await usersLeft(),
    young.map(({ userId }) => userId),
  );
});

test('a locked task is skipped without waiting', async () => {
  await addOrders(1);
  await addTasks(range(3).map((n) => ({ userId: n, state: 'reversed', confirmedDaysAgo: 300 })));
  const busy = new pg.Client({ connectionString: desk.url });
  await busy.connect();
  try {
    await busy.query('BEGIN');
    await busy.query('SELECT 1 FROM tasks WHERE user_id = 1 FOR UPDATE');
    assert.equal(await forget(), 2);
    assert.deepEqual(await usersLeft(), [1]);
  } finally {
    await busy.end();
  }
  assert.equal(await forget(), 1);
});

test('a run that stops between two batches leaves whole batches, and the next run continues', async () => {
  await addOrders(2);
  await addTasks(
    range(50).map((n) => ({ userId: n, orderId: 1 + (n % 2), state: 'notgetted', confirmedDaysAgo: 300 })),
  );
  const stop = new AbortController();
  const { db } = desk.database;
  const stopping: typeof db = {
    ...db,
    query(sql, params) {
      if (sql.includes('DELETE')) stop.abort();
      return db.query(sql, params);
    },
  };
  assert.equal(await forget(stop.signal, 20, stopping), 20);
  assert.equal((await usersLeft()).length, 30);
  assert.equal(await forget(undefined, 20), 30);
});

test('old tasks are found by an index', async () => {
  await addOrders(3);
  await addTasks(
    range(3_000).map((n) => ({ userId: n, orderId: 1 + (n % 3), state: 'settled', confirmedDaysAgo: 20 })),
  );
  await desk.database.db.query('ANALYZE tasks, orders');
  const undo = new Error('undo');
  const attempt = desk.database.db.transaction(async (tx) => {
    const read = async (): Promise<bigint> => {
      const [row] = await tx.query<{ rows: bigint }>(
        `SELECT (seq_tup_read + idx_tup_fetch)::bigint AS rows FROM pg_stat_xact_user_tables WHERE relname = 'tasks'`,
      );
      return row?.rows ?? 0n;
    };
    const before = await read();
    await forgetTasks({ db: tx, clock: desk.clock, neededSince: async () => null });
    // The limit is above zero because the planner itself reads the ends of an index.
    assert.ok((await read()) - before < 20n, 'young tasks were read');
    throw undo;
  });
  await assert.rejects(attempt, undo);
});
