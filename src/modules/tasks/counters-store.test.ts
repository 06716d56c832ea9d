import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { addSeconds } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import { addShown, addToTotals, changeBots, lockBots, type TotalsChange } from './counters-store.ts';
import { type Cursor, scanTable } from './forget/scan-store.ts';
import { selectSubscriptions, summarizeSelection } from './settle/selection-store.ts';
import { readNextCheck, readTasksToExpire, readTasksToSettle } from './settle/settle-store.ts';
import { minutesLater, NOON, taskWith, writeTasks } from './task.fixture.ts';
import { insertLists } from './task-list-store.ts';
import { listUserTasks } from './user-tasks-store.ts';

const DAY = '2026-05-10';
let database: TestDatabase;
let db: Database;
before(async () => {
  database = await createTestDatabase();
  db = database.db;
});
beforeEach(async () => {
  await db.query('SELECT sandbox.empty_service_tables()');
});
after(() => database.drop());

test('the totals of a day add up by bot and order', async () => {
  const add = (changes: readonly TotalsChange[], day = DAY) => db.transaction((tx) => addToTotals(tx, changes, day));
  const change = {
    ...{ botId: 3, orderId: 11, counted: 1, chargeKopecks: 1000n, rewardKopecks: 700n },
    ...{ reversed: 2, returnedChargeKopecks: 10n, reversedRewardKopecks: 7n },
  };
  await add([
    { ...change, userId: 1 },
    { ...change, userId: 2 },
    { ...change, userId: 2, orderId: 12 },
  ]);
  await add([{ ...change, userId: 3 }]);
  await add([{ ...change, userId: 1 }], '2026-05-11');
  await add([]);
  const rows = await db.query(
    `SELECT day::text, order_id::int AS order, counted, charge_kopecks AS charge, reward_kopecks AS reward, reversed,
            returned_charge_kopecks AS returned, reversed_reward_kopecks AS taken, new_users
     FROM daily_totals ORDER BY day, order_id`,
  );
  const once = { counted: 1, charge: 1000n, reward: 700n, reversed: 2, returned: 10n, taken: 7n, new_users: 0 };
  assert.deepEqual(rows, [
    {
      ...{ day: DAY, order: 11, counted: 3, charge: 3000n, reward: 2100n, reversed: 6, returned: 30n, taken: 21n },
      new_users: 3,
    },
    { ...once, day: DAY, order: 12 },
    { ...once, day: '2026-05-11', order: 11 },
  ]);
});

test('a new user counts for the order that counted the user, not for one that only reversed', async () => {
  const none = { botId: 3, chargeKopecks: 0n, rewardKopecks: 0n, reversed: 1, userId: 1 };
  await db.transaction((tx) =>
    addToTotals(
      tx,
      [
        { ...none, orderId: 11, counted: 0 },
        { ...none, orderId: 12, counted: 1 },
      ],
      DAY,
    ),
  );
  const rows = await db.query('SELECT order_id::int AS order, new_users FROM daily_totals ORDER BY order_id');
  assert.deepEqual(rows, [
    { order: 11, new_users: 0 },
    { order: 12, new_users: 1 },
  ]);
});

test('showings of a day add up by bot and order', async () => {
  const add = (orderIds: readonly number[]) =>
    db.transaction((tx) =>
      addShown(
        tx,
        orderIds.map((orderId) => ({ botId: 3, orderId })),
        DAY,
      ),
    );
  await add([1, 2, 1]);
  await add([1]);
  await add([]);
  assert.deepEqual(await db.query('SELECT order_id, shown FROM daily_shown ORDER BY order_id'), [
    { order_id: 1n, shown: 3 },
    { order_id: 2n, shown: 1 },
  ]);
});

test('the counters of each bot change by the given amounts', async () => {
  await db.transaction((tx) => lockBots(tx, [3, 4]));
  await db.transaction((tx) =>
    changeBots(tx, [
      { botId: 3, reserved: 2 },
      { botId: 3, shown: 3, confirmed: 4 },
      { botId: 4, reversed: 5 },
    ]),
  );
  const bots = await db.transaction((tx) => lockBots(tx, [4, 3, 5]));
  const none = { reservedCount: 0, shownTotal: 0, confirmedTotal: 0, reversedTotal: 0 };
  assert.deepEqual(
    new Map([...bots].sort(([a], [b]) => a - b)),
    new Map([
      [3, { ...none, reservedCount: 2, shownTotal: 3, confirmedTotal: 4 }],
      [4, { ...none, reversedTotal: 5 }],
      [5, none],
    ]),
  );
});

test('the backlog contains due tasks that are not processed yet', async () => {
  const late = minutesLater(-5);
  await writeTasks(db, [
    { userId: 1, state: 'held', releaseAt: late, nextCheckAt: NOON },
    { userId: 2, state: 'paid', windowEndsAt: NOON, nextCheckAt: addSeconds(NOON, 30) },
    { userId: 3, state: 'held', releaseAt: addSeconds(NOON, 1), nextCheckAt: NOON },
    { userId: 4, state: 'paid', windowEndsAt: NOON, nextCheckAt: addSeconds(NOON, 31) },
    { userId: 5, state: 'settled', nextCheckAt: late },
    { userId: 6, state: 'pending', nextCheckAt: minutesLater(-1) },
  ]);
  assert.deepEqual(await readTasksToSettle(db, NOON), { count: 3, oldestDueAt: late });
  assert.deepEqual(await readNextCheck(db, NOON), addSeconds(NOON, 30));
  assert.equal(await readNextCheck(db, minutesLater(1)), null);

  const list = (userId: number, expiresAt: Date) => ({
    ...{ userId, botId: 3, accountId: 2, round: undefined },
    tasks: [taskWith({ userId, expiresAt })],
  });
  assert.deepEqual(await readTasksToExpire(db, NOON), { count: 0, oldestDueAt: null });
  await db.transaction((tx) => insertLists(tx, [list(1, late), list(2, NOON), list(3, minutesLater(1))]));
  assert.deepEqual(await readTasksToExpire(db, NOON), { count: 2, oldestDueAt: late });
});

test('subscriptions are selected by bot, order and time', async () => {
  await writeTasks(db, [
    { userId: 1, botId: 3, orderId: 1, state: 'held', confirmedAt: NOON },
    { userId: 2, botId: 3, orderId: 2, state: 'settled', confirmedAt: minutesLater(1), refund: false, accountId: 4 },
    { userId: 3, botId: 5, orderId: 1, state: 'paid', confirmedAt: minutesLater(2) },
    { userId: 4, botId: 3, orderId: 1, state: 'reversed', confirmedAt: NOON },
    { userId: 5, botId: 3, orderId: 1, state: 'held', confirmedAt: minutesLater(-1) },
    { userId: 6, botId: 3, orderId: 1, state: 'held', confirmedAt: minutesLater(3) },
  ]);
  const time = { from: NOON, until: minutesLater(3) };
  const select = async (botId: number | null, orderId: number | null, limit = 10): Promise<number[]> =>
    (await selectSubscriptions(db, { botId, orderId, ...time }, limit)).map(({ userId }) => userId);
  assert.deepEqual(await select(null, null), [1, 2, 3]);
  assert.deepEqual(await select(null, null, 2), [1, 2]);
  assert.deepEqual(await select(3, null), [1, 2]);
  assert.deepEqual(await select(null, 1), [1, 3]);
  assert.deepEqual(await select(3, 1), [1]);
  assert.deepEqual(await summarizeSelection(db, { botId: null, orderId: null, ...time }), {
    ...{ count: 3, rewardKopecks: 2100n, settledKopecks: 700n, returnedKopecks: 2000n, publishers: 2 },
  });
});

test('a scan continues at its own cursor and pauses for a day at the end', async () => {
  const places: Cursor[] = [];
  const walk = (name: string, ends: readonly (Cursor | undefined)[], now = NOON): Promise<number> => {
    const left = [...ends];
    return scanTable(
      { db, now },
      name,
      async (_, from) => {
        places.push(from);
        return { count: 2, last: left.shift() };
      },
      undefined,
    );
  };
  const middle = { userId: 5, otherId: 6 };
  const start = { userId: 0, otherId: 0 };
  assert.equal(await walk('one', [middle, undefined]), 4);
  assert.deepEqual(places, [start, middle]);
  assert.equal(await walk('one', [undefined], addSeconds(NOON, 86_399)), 0, 'it rests');
  assert.equal(await walk('other', [undefined]), 2, 'another does not');
  assert.equal(await walk('one', [undefined], addSeconds(NOON, 86_400)), 2);
  assert.deepEqual(places, [start, middle, start, start]);

  const stop = new AbortController();
  let looks = 0;
  const transaction = (work: Parameters<Database['transaction']>[0]) => {
    looks += 1;
    if (looks > 1) stop.abort();
    return db.transaction(work);
  };
  const watched = { ...db, transaction } as unknown as Database;
  await scanTable({ db: watched, now: addSeconds(NOON, 86_400) }, 'one', () => assert.fail('it rests'), stop.signal);
  assert.equal(looks, 1, 'one that rests is not looked at again and again');
});

test('the tasks of a user are the counted and reversed ones, the newest first, with their protection', async () => {
  await writeTasks(db, [
    { orderId: 1, state: 'held', confirmedAt: NOON, windowEndsAt: minutesLater(9) },
    { orderId: 2, state: 'reversed', confirmedAt: minutesLater(2) },
    { orderId: 3, state: 'notgetted', confirmedAt: minutesLater(3) },
    { orderId: 4, state: 'settled', confirmedAt: minutesLater(1), userId: 8 },
  ]);
  await db.query('UPDATE tasks SET kept_at = $1 WHERE order_id = 1', [NOON]);
  const task = { rewardKopecks: 700n, windowEndsAt: null, isKept: false };
  const newest = { ...task, orderId: 2, state: 'reversed' };
  assert.deepEqual(await listUserTasks(db, 7, 9), [
    newest,
    { ...task, orderId: 1, state: 'held', windowEndsAt: minutesLater(9), isKept: true },
  ]);
  assert.deepEqual(await listUserTasks(db, 7, 1), [newest]);
});
