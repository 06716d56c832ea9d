import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts';
import {
  deleteSubscriptions,
  findTasks,
  insertSubscriptions,
  moveTasks,
  readConfirmFacts,
} from '../confirm/confirm-store.ts';
import { readHistories, readRecentSubscribers } from '../show/show-store.ts';
import { insertOrders, minutesLater, NOON, taskWith, writeTasks } from '../task.fixture.ts';
import type { Task, TaskKey } from '../task.ts';
import { insertLists } from '../task-list-store.ts';
import { checkSoon, findReversibleTasks, findWaitingForJoin, leaseDueTasks } from './settle-store.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await database.db.query('SELECT sandbox.empty_service_tables()');
});
after(() => database.drop());

const keyOf = ({ userId, botId, orderId }: TaskKey): string => `${userId}:${botId}:${orderId}`;
const keysOf = (tasks: readonly Task[]): string[] => tasks.map(keyOf).sort();

/** Each task differs from the first one in one part of its key. */
const NEIGHBOURS = [
  { userId: 1, botId: 1, orderId: 1 },
  { userId: 2, botId: 1, orderId: 1 },
  { userId: 1, botId: 2, orderId: 1 },
  { userId: 1, botId: 1, orderId: 2 },
] as const;
const [FIRST] = NEIGHBOURS;

const nextChecks = async (): Promise<Record<string, Date | null>> => {
  const rows = await database.db.query<{ key: string; next_check_at: Date | null }>(
    "SELECT concat_ws(':', user_id, bot_id, order_id) AS key, next_check_at FROM tasks",
  );
  return Object.fromEntries(rows.map((row) => [row.key, row.next_check_at]));
};

test('due reversible tasks are leased once, the longest waiting first', async () => {
  await writeTasks(database.db, [
    { userId: 1, state: 'held', nextCheckAt: NOON },
    { userId: 2, state: 'paid', nextCheckAt: minutesLater(-2) },
    { userId: 3, state: 'pending', nextCheckAt: minutesLater(-1) },
    { userId: 4, state: 'settled', nextCheckAt: minutesLater(-1) },
    { userId: 5, state: 'held', nextCheckAt: minutesLater(1) },
    { userId: 1, orderId: 12, nextCheckAt: minutesLater(2) },
  ]);
  const claim = async (limit: number): Promise<string[]> =>
    keysOf(await leaseDueTasks(database.db, { now: NOON, limit }));
  assert.deepEqual(await claim(1), ['2:3:11']);
  assert.deepEqual(await claim(10), ['1:3:11', '3:3:11']);
  assert.deepEqual(await claim(10), []);
  const lease = minutesLater(0.5);
  assert.deepEqual(await nextChecks(), {
    '1:3:11': lease,
    '2:3:11': lease,
    '3:3:11': lease,
    '4:3:11': minutesLater(-1),
    '5:3:11': minutesLater(1),
    '1:3:12': minutesLater(2),
  });
});

test('a leave finds the held and paid tasks for that resource, and no others', async () => {
  await writeTasks(database.db, [
    { userId: 1, orderId: 1, resourceId: 5, state: 'held' },
    { userId: 1, orderId: 2, resourceId: 5, state: 'paid' },
    { userId: 1, orderId: 3, resourceId: 5, state: 'pending' },
    { userId: 1, orderId: 4, resourceId: 6, state: 'held' },
    { userId: 2, orderId: 1, resourceId: 5, state: 'held' },
  ]);
  assert.deepEqual(keysOf(await findReversibleTasks(database.db, 1, 5)), ['1:3:1', '1:3:2']);
});

test('checkSoon brings the next check forward, never delays it, and changes only the given reversible tasks', async () => {
  await writeTasks(database.db, [
    ...NEIGHBOURS.map((key) => ({ ...key, nextCheckAt: minutesLater(9) })),
    { userId: 5, botId: 1, orderId: 1, nextCheckAt: minutesLater(-9) },
    { userId: 6, botId: 1, orderId: 1, state: 'settled' as const, nextCheckAt: minutesLater(9) },
  ]);
  await checkSoon(database.db, [FIRST, { ...FIRST, userId: 5 }, { ...FIRST, userId: 6 }], NOON);
  assert.deepEqual(await nextChecks(), {
    '1:1:1': NOON,
    '2:1:1': minutesLater(9),
    '1:2:1': minutesLater(9),
    '1:1:2': minutesLater(9),
    '5:1:1': minutesLater(-9),
    '6:1:1': minutesLater(9),
  });
});

test('only held tasks of the user and chat whose hold is over wait for a join', async () => {
  await insertOrders(database.db, 2);
  await writeTasks(database.db, [
    { userId: 1, orderId: 1, resourceId: 1, releaseAt: NOON },
    { userId: 1, orderId: 2, resourceId: 2, releaseAt: NOON },
    { userId: 1, orderId: 3, resourceId: 1, releaseAt: minutesLater(1) },
    { userId: 1, orderId: 4, resourceId: 1, releaseAt: NOON, state: 'paid' },
    { userId: 2, orderId: 1, resourceId: 1, releaseAt: NOON },
  ]);
  assert.deepEqual(keysOf(await findWaitingForJoin(database.db, { userId: 1, chatId: -1, now: NOON })), ['1:3:1']);
});

test('moveTasks changes the given task and no neighbour', async () => {
  await writeTasks(database.db, [...NEIGHBOURS]);
  const [before] = await findTasks(database.db, [FIRST]);
  assert.ok(before);
  const moved = { ...before, state: 'settled' as const, releaseAt: minutesLater(1), windowEndsAt: minutesLater(2) };
  await database.db.transaction((tx) =>
    moveTasks(tx, [{ ...moved, nextCheckAt: minutesLater(3), settledAt: minutesLater(4) }]),
  );
  const tasks = await findTasks(database.db, NEIGHBOURS);
  assert.deepEqual(
    tasks.map((task) => [keyOf(task), task.state]),
    [
      ['1:1:1', 'settled'],
      ['1:1:2', 'held'],
      ['1:2:1', 'held'],
      ['2:1:1', 'held'],
    ],
  );
  assert.deepEqual(tasks[0], moved);
  assert.deepEqual((await nextChecks())['1:1:1'], minutesLater(3));
});

test('a subscription counts once per user and resource, and only its own task frees it', async () => {
  const task = taskWith();
  const claim = (tasks: readonly Task[]) => database.db.transaction((tx) => insertSubscriptions(tx, tasks, NOON));
  const free = (tasks: readonly Task[]) => database.db.transaction((tx) => deleteSubscriptions(tx, tasks));
  assert.deepEqual(await claim([task]), [{ userId: 7, resourceId: 5 }]);
  assert.deepEqual(await claim([task, { ...task, resourceId: 6 }]), [{ userId: 7, resourceId: 6 }]);
  await free([
    { ...task, orderId: 12 },
    { ...task, botId: 4 },
    { ...task, userId: 8 },
    { ...task, resourceId: 9 },
  ]);
  assert.deepEqual(await claim([task]), [], 'another task has no say');
  await free([task]);
  assert.deepEqual(await claim([task, { ...task, resourceId: 6 }]), [{ userId: 7, resourceId: 5 }]);
});

test('a confirm reads the facts of its own user, chat and task', async () => {
  await writeTasks(database.db, [
    { ...FIRST, rewardKopecks: 1n },
    { ...FIRST, userId: 2, rewardKopecks: 2n },
    { ...FIRST, botId: 2, rewardKopecks: 3n },
    { ...FIRST, orderId: 2, rewardKopecks: 4n },
  ]);
  await database.db.query('INSERT INTO banned_users (user_id, reason, banned_at) VALUES (2, $1, $2)', ['spam', NOON]);
  await database.db.query(
    `INSERT INTO memberships (user_id, chat_id, is_member, first_member_at, joined_at, source, observed_at) VALUES
       (1, -1, true, $1, $1, 'update', $1), (1, -2, true, $1, $1, 'check', $1), (2, -1, false, $1, $1, 'update', $1)`,
    [NOON],
  );
  const keys = [
    { ...FIRST, chatId: -1 },
    { ...FIRST, userId: 2, chatId: -1 },
    { ...FIRST, botId: 2, chatId: -2 },
    { ...FIRST, orderId: 2, chatId: -3 },
    { ...FIRST, orderId: 3, chatId: -1 },
  ];
  const tasks = await readConfirmFacts(
    database.db,
    keys.map((key) => ({ ...key, now: NOON })),
    0,
  );
  assert.deepEqual(
    tasks.map((task) => [task.task?.rewardKopecks, task.isBanned, task.isMemberByUpdate, task.firstMemberAt]),
    [
      [1n, false, true, NOON],
      [2n, true, false, NOON],
      [3n, false, false, NOON],
      [4n, false, false, null],
      [undefined, false, true, NOON],
    ],
  );
});

test('a confirm finds its task only in the list of its own user and bot', async () => {
  const list = (userId: number, botId: number, rewardKopecks: bigint) => ({
    ...{ userId, botId, accountId: 2, round: { userId, botId, number: 1, requested: 5, endsAt: minutesLater(600) } },
    tasks: [taskWith({ userId, botId, orderId: 1, rewardKopecks })],
  });
  await database.db.transaction((tx) => insertLists(tx, [list(1, 1, 1n), list(2, 1, 2n), list(1, 2, 3n)]));
  const keys = [FIRST, { ...FIRST, userId: 2 }, { ...FIRST, botId: 2 }, { ...FIRST, userId: 3 }];
  const tasks = await readConfirmFacts(
    database.db,
    keys.map((key) => ({ ...key, chatId: -1, now: NOON })),
    0,
  );
  assert.deepEqual(
    tasks.map(({ task }) => [task?.rewardKopecks, task?.confirmUntil]),
    [...[1n, 2n, 3n].map((reward) => [reward, minutesLater(600 + 24 * 60)]), [undefined, undefined]],
  );
});

test('a history excludes other users and bots, and a rejected task bars only its order', async () => {
  await writeTasks(database.db, [
    { userId: 1, botId: 1, orderId: 1, resourceId: 11 },
    { userId: 1, botId: 1, orderId: 2, resourceId: 12, state: 'rejected' },
    { userId: 1, botId: 2, orderId: 3, resourceId: 13 },
    { userId: 2, botId: 1, orderId: 4, resourceId: 14 },
  ]);
  await database.db.transaction((tx) =>
    insertSubscriptions(tx, [taskWith({ userId: 1, botId: 2, resourceId: 13 }), taskWith({ userId: 2 })], NOON),
  );
  assert.deepEqual(
    await readHistories(database.db, [
      { userId: 3, botId: 1 },
      { userId: 1, botId: 1 },
    ]),
    [
      { countedResources: new Set(), doneOrders: new Set(), doneResources: new Set() },
      { countedResources: new Set([13]), doneOrders: new Set([1, 2]), doneResources: new Set([11]) },
    ],
  );
});

test('the recent subscribers of an order are its counted users, newest first', async () => {
  await writeTasks(database.db, [
    { userId: 1, orderId: 1, confirmedAt: minutesLater(1) },
    { userId: 2, orderId: 1, confirmedAt: minutesLater(3), state: 'reversed' },
    { userId: 3, orderId: 1, confirmedAt: minutesLater(2) },
    { userId: 4, orderId: 1, confirmedAt: minutesLater(9), state: 'notgetted' },
    { userId: 5, orderId: 1, confirmedAt: null },
    { userId: 6, orderId: 2, confirmedAt: minutesLater(4) },
  ]);
  assert.deepEqual(await readRecentSubscribers(database.db, 1, 10), [2, 3, 1]);
  assert.deepEqual(await readRecentSubscribers(database.db, 1, 2), [2, 3]);
});
