import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { minutesLater, NOON, taskWith } from './task.fixture.ts';
import { EXTRA_ROUND, TASK_STATES, type Task } from './task.ts';
import {
  firstExpiry,
  keepConfirmable,
  lapsedTasks,
  packTasks,
  tasksToKeep,
  unpackShown,
  unpackTask,
  unpackTasks,
  withStates,
} from './task-list.ts';

const DAY = 24 * 60;
const PAIR = { userId: 7, botId: 3 };
const list = (tasks: readonly Task[]) => ({ ...PAIR, accountId: 2, round: undefined, tasks });
const orderIds = (tasks: readonly Task[]): number[] => tasks.map(({ orderId }) => orderId);

const anyTask = fc
  .record({
    orderId: fc.maxSafeNat(),
    resourceId: fc.maxSafeNat(),
    round: fc.nat(),
    position: fc.nat(),
    state: fc.constantFrom(...TASK_STATES),
    chargeKopecks: fc.bigInt(0n, BigInt(Number.MAX_SAFE_INTEGER)),
    rewardKopecks: fc.bigInt(0n, BigInt(Number.MAX_SAFE_INTEGER)),
    holdSeconds: fc.nat(),
    refund: fc.boolean(),
    shownAt: fc.date({ noInvalidDate: true }),
    expiresAt: fc.date({ noInvalidDate: true }),
    lateUntil: fc.option(fc.date({ noInvalidDate: true })),
  })
  .map((fields) => taskWith(fields));

test('packed tasks unpack to the same kopecks and milliseconds', () => {
  fc.assert(
    fc.property(fc.array(anyTask), (tasks) => {
      assert.deepEqual(unpackTasks(PAIR, 2, packTasks(tasks)), tasks);
      for (const [i, shown] of unpackShown(PAIR, packTasks(tasks)).entries()) {
        const { orderId, resourceId, round, position, state, rewardKopecks, expiresAt } = tasks[i] ?? taskWith();
        assert.deepEqual(shown, { ...PAIR, orderId, resourceId, round, position, state, rewardKopecks, expiresAt });
      }
    }),
  );
});

test('a task is found in its list by its order id', () => {
  const text = packTasks([taskWith({ orderId: 1, rewardKopecks: 5n }), taskWith({ orderId: 2, rewardKopecks: 6n })]);
  assert.equal(unpackTask({ ...PAIR, orderId: 2 }, text)?.rewardKopecks, 6n);
  assert.equal(unpackTask({ ...PAIR, orderId: 3 }, text), undefined);
});

test('a list keeps reserved tasks, tasks of the running round, and late tasks', () => {
  const tasks = [
    taskWith({ orderId: 1, round: 1, state: 'shown' }),
    taskWith({ orderId: 2, round: EXTRA_ROUND, state: 'shown' }),
    taskWith({ orderId: 3, round: 1, state: 'expired' }),
    taskWith({ orderId: 4, round: 2, state: 'expired' }),
    taskWith({ orderId: 5, round: 2, state: 'held' }),
    taskWith({ orderId: 6, round: EXTRA_ROUND, state: 'held' }),
  ];
  const round = { ...PAIR, number: 2, requested: 5, endsAt: minutesLater(90) };
  const dayAfterExpiry = minutesLater(60 + DAY);
  assert.deepEqual(orderIds(tasksToKeep(tasks, round, dayAfterExpiry)), [1, 2, 4, 5]);
  assert.deepEqual(orderIds(tasksToKeep(tasks, undefined, dayAfterExpiry)), [1, 2]);
  assert.deepEqual(orderIds(tasksToKeep(tasks, round, minutesLater(59 + DAY))), [1, 2, 4, 5, 3]);
  const late = tasks.map((task) => keepConfirmable(task, { ...round, number: 1 }));
  assert.deepEqual(orderIds(tasksToKeep(late, round, minutesLater(89 + DAY))), [1, 2, 4, 5, 3]);
  assert.deepEqual(orderIds(tasksToKeep(late, round, minutesLater(90 + DAY))), [1, 2, 4, 5]);
});

test('a newer round keeps undecided tasks confirmable until the end of the old round, but not done or extra ones', () => {
  const ended = { ...PAIR, number: 1, requested: 5, endsAt: minutesLater(90) };
  const lateUntil = (changes: Partial<Task>): Date | null => keepConfirmable(taskWith(changes), ended).lateUntil;
  assert.deepEqual(lateUntil({}), minutesLater(90 + DAY));
  assert.deepEqual(lateUntil({ state: 'expired' }), minutesLater(90 + DAY));
  assert.deepEqual(lateUntil({ lateUntil: minutesLater(5) }), minutesLater(5));
  assert.equal(lateUntil({ state: 'held' }), null);
  assert.equal(lateUntil({ round: EXTRA_ROUND }), null);
});

test('a list keeps the 50 newest late tasks', () => {
  const tasks = Array.from({ length: 60 }, (_, i) =>
    taskWith({ orderId: i, round: 1, state: 'expired', shownAt: minutesLater(i) }),
  );
  const kept = orderIds(tasksToKeep(tasks, undefined, NOON));
  assert.deepEqual([kept.length, Math.min(...kept)], [50, 10]);
});

test('the first expiry is that of the first reserved task', () => {
  const soon = taskWith({ expiresAt: minutesLater(5) });
  const gone = taskWith({ expiresAt: minutesLater(1), state: 'expired' });
  assert.deepEqual(firstExpiry([taskWith(), soon, gone]), minutesLater(5));
  assert.equal(firstExpiry([gone]), null);
});

test('a reserved task becomes expired at its expiry time', () => {
  const tasks = [
    taskWith({ orderId: 1, expiresAt: NOON }),
    taskWith({ orderId: 2, expiresAt: minutesLater(1) }),
    taskWith({ orderId: 3, expiresAt: NOON, state: 'expired' }),
  ];
  assert.deepEqual(orderIds(lapsedTasks(list(tasks), NOON)), [1]);
});

test('a done task keeps its state', () => {
  const tasks = [taskWith({ orderId: 1 }), taskWith({ orderId: 2, state: 'held' }), taskWith({ orderId: 3 })];
  const states = new Map([1, 2].map((orderId) => [orderId, 'expired' as const]));
  assert.deepEqual(
    withStates(list(tasks), states).tasks.map(({ state }) => state),
    ['expired', 'held', 'shown'],
  );
});
