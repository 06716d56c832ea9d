import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts';
import { addSeconds } from '../../../core/clock.ts';
import type { MembershipStatus } from '../membership.ts';
import { insertOrders, minutesLater, NOON, writeTasks } from '../task.fixture.ts';
import { createTaskFlow, type TaskFlowDeps } from '../task-flow.ts';
import { deleteDoubts, insertDoubts, keepTasks, keepTasksOfResource, listDoubts } from './access-store.ts';
import { recordLostAccess, reportDeniedAccess, verifyAccess } from './lost-access.ts';

const HOLD = 3_600;
const DAY = 24 * 60 * 60;

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await database.db.query('SELECT sandbox.empty_service_tables()');
  await insertOrders(database.db, 3, HOLD);
});
after(() => database.drop());

/** Returns the tasks whose rewards are protected from reversal, as `user:order`. */
async function kept(): Promise<string[]> {
  const rows = await database.db.query<{ user_id: bigint; order_id: bigint }>(
    'SELECT user_id, order_id FROM tasks WHERE kept_at IS NOT NULL ORDER BY user_id, bot_id, order_id',
  );
  return rows.map((row) => `${row.user_id}:${row.order_id}`);
}

async function statuses(): Promise<string[]> {
  const rows = await database.db.query<{ status: string }>('SELECT status FROM orders ORDER BY id');
  return rows.map(({ status }) => status);
}

const doubted = async (): Promise<number[]> =>
  (await listDoubts(database.db, minutesLater(1_000), 10)).map(({ resourceId }) => resourceId);

describe('doubts', () => {
  test('are listed once they are old enough, the oldest first', async () => {
    await insertDoubts(database.db, { resourceIds: [2], userId: 8, now: minutesLater(1) });
    await insertDoubts(database.db, { resourceIds: [1], userId: 9, now: minutesLater(2) });
    assert.deepEqual(await listDoubts(database.db, minutesLater(0), 10), []);
    assert.deepEqual(await listDoubts(database.db, minutesLater(1), 10), [{ resourceId: 2, userId: 8 }]);
    assert.deepEqual(await listDoubts(database.db, minutesLater(2), 10), [
      { resourceId: 2, userId: 8 },
      { resourceId: 1, userId: 9 },
    ]);
    assert.deepEqual(await listDoubts(database.db, minutesLater(2), 1), [{ resourceId: 2, userId: 8 }]);
  });

  test('keep their first user and time when they are reported again', async () => {
    await insertDoubts(database.db, { resourceIds: [1], userId: 8, now: NOON });
    await insertDoubts(database.db, { resourceIds: [1, 3], userId: 9, now: minutesLater(5) });
    assert.deepEqual(await listDoubts(database.db, NOON, 10), [{ resourceId: 1, userId: 8 }]);
    assert.deepEqual(await doubted(), [1, 3]);
  });

  test('are deleted one by one', async () => {
    await insertDoubts(database.db, { resourceIds: [1, 2, 3], userId: 8, now: NOON });
    await deleteDoubts(database.db, [2]);
    assert.deepEqual(await doubted(), [1, 3]);
  });
});

describe('the rewards for a resource', () => {
  const keep = (resourceId: number, now = NOON): Promise<number> =>
    database.db.transaction((tx) => keepTasksOfResource(tx, resourceId, now));

  test('are protected while they are reversible, and rewards for other resources are not', async () => {
    await writeTasks(database.db, [
      { userId: 1, orderId: 1, state: 'held' },
      { userId: 2, orderId: 1, state: 'paid' },
      { userId: 3, orderId: 1, state: 'pending' },
      { userId: 4, orderId: 1, state: 'settled' },
      { userId: 5, orderId: 2, state: 'held' },
    ]);
    assert.equal(await keep(1), 2);
    assert.deepEqual(await kept(), ['1:1', '2:1']);
    assert.equal(await keep(1, minutesLater(1)), 0, 'they are kept already');
  });

  test('are protected when confirmed within the hold plus two days', async () => {
    const now = addSeconds(NOON, HOLD + 2 * DAY);
    await writeTasks(database.db, [
      { userId: 1, orderId: 1, confirmedAt: NOON },
      { userId: 2, orderId: 1, confirmedAt: addSeconds(NOON, 1) },
    ]);
    assert.equal(await keep(1, now), 1);
    assert.deepEqual(await kept(), ['2:1']);
  });

  test('are protected only for the given tasks', async () => {
    await writeTasks(database.db, [
      { userId: 1, botId: 3, orderId: 1 },
      { userId: 1, botId: 4, orderId: 1 },
      { userId: 1, botId: 3, orderId: 2 },
      { userId: 2, botId: 3, orderId: 1 },
      { userId: 3, botId: 3, orderId: 3, state: 'settled' },
    ]);
    const named = [
      { userId: 1, botId: 3, orderId: 1 },
      { userId: 3, botId: 3, orderId: 3 },
    ];
    const again = () => database.db.transaction((tx) => keepTasks(tx, named, NOON));
    assert.deepEqual(await again(), [1]);
    assert.deepEqual(await kept(), ['1:1']);
    assert.deepEqual(await again(), [], 'they are kept already');
  });
});

describe('lost access', () => {
  const deps = () => ({ db: database.db, clock: { now: () => NOON } });

  test('pauses the orders, protects the rewards and notifies the owner', async () => {
    await writeTasks(database.db, [
      { userId: 1, orderId: 1 },
      { userId: 1, orderId: 2 },
    ]);
    for (const resourceId of [1, 3, 1]) await recordLostAccess(deps(), resourceId);
    assert.deepEqual(await statuses(), ['paused', 'active', 'paused']);
    assert.deepEqual(await kept(), ['1:1']);
    const notices = await database.db.query('SELECT kind, data FROM notices ORDER BY id');
    assert.deepEqual(notices, [
      { kind: 'order_paused', data: { order_id: 1, title: 'An order', is_bot: false } },
      { kind: 'order_paused', data: { order_id: 3, title: 'An order', is_bot: false } },
    ]);
  });

  test('of a chat pauses its orders; a chat without an order changes nothing', async () => {
    const flow = createTaskFlow({ db: database.db, clock: { now: () => NOON } } as unknown as TaskFlowDeps);
    await flow.loseAccess(-99);
    assert.deepEqual(await statuses(), ['active', 'active', 'active']);
    await flow.loseAccess(-2);
    assert.deepEqual(await statuses(), ['active', 'paused', 'active']);
  });

  test('is recorded when a check a minute later confirms it, not before', async () => {
    const statusOf: Record<number, MembershipStatus> = { 1: 'no_access', 2: 'left', 3: 'unavailable' };
    const asked: string[] = [];
    const never = () => assert.fail('asked out of turn');
    const verify = (now: Date, signal?: AbortSignal): Promise<number> =>
      verifyAccess(
        {
          db: database.db,
          clock: { now: () => now },
          membershipChecker: {
            check: never,
            checkKnownMember: never,
            checkIfAffordable: never,
            checkInTurn: async ({ id }, userId) => {
              asked.push(`${id} about ${userId}`);
              return statusOf[id] ?? 'member';
            },
          },
        },
        signal,
      );
    await reportDeniedAccess(deps(), [{ id: 3 }, { id: 1 }, { id: 2 }], 8);
    assert.equal(await verify(addSeconds(NOON, 59)), 0);
    assert.equal(await verify(addSeconds(NOON, 60), AbortSignal.abort()), 3);
    assert.deepEqual(asked, []);
    assert.equal(await verify(addSeconds(NOON, 60)), 3);
    assert.deepEqual(asked, ['1 about 8', '2 about 8', '3 about 8']);
    assert.deepEqual(await statuses(), ['paused', 'active', 'active']);
    assert.deepEqual(await doubted(), [3], 'an unavailable check keeps the doubt');
  });
});
