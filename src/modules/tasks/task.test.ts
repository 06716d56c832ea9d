import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutesLater, NOON, taskWith } from './task.fixture.ts';
import {
  confirmableUntil,
  isDone,
  isOpen,
  isReserved,
  isReversible,
  keyOf,
  startWindow,
  TASK_STATES,
  type TaskState,
  taskStatus,
} from './task.ts';

test('every state maps to its status in the contract', () => {
  const shown = Object.fromEntries(TASK_STATES.map((state) => [state, taskStatus(state)]));
  assert.deepEqual(shown, {
    shown: 'unsubscribed',
    unreserved: 'unsubscribed',
    expired: 'unsubscribed',
    pending: 'hold',
    held: 'subscribed',
    paid: 'subscribed',
    settled: 'subscribed',
    reversed: 'unsubscribed',
    rejected: 'unsubscribed',
    notgetted: 'notgetted',
  });
});

const statesFor = (rule: (state: TaskState) => boolean) => TASK_STATES.filter(rule);

test('a task is open only while it is shown and before its expiry', () => {
  const open = statesFor((state) => isOpen(taskWith({ state }), minutesLater(1)));
  assert.deepEqual(open, ['shown', 'unreserved']);
  const reserved = statesFor((state) => isReserved(taskWith({ state }), minutesLater(1)));
  assert.deepEqual(reserved, ['shown']);
  assert.equal(isReserved(taskWith(), minutesLater(60)), false);
  const task = taskWith({ expiresAt: minutesLater(60) });
  assert.equal(isOpen(task, new Date(minutesLater(60).getTime() - 1)), true);
  assert.equal(isOpen(task, minutesLater(60)), false);
  assert.equal(isOpen(task, minutesLater(61)), false);
});

test('a task is done after a confirm with any result, and not after an expiry', () => {
  assert.deepEqual(
    statesFor((state) => isDone(taskWith({ state }))),
    ['pending', 'held', 'paid', 'settled', 'reversed', 'rejected', 'notgetted'],
  );
});

test('only a counted or pending subscription that is not settled can be reversed', () => {
  assert.deepEqual(
    statesFor((state) => isReversible(taskWith({ state }))),
    ['pending', 'held', 'paid'],
  );
});

test('no two tasks share a key', () => {
  const ids = [1, 11, 111, 12, 2];
  const keys = ids.flatMap((userId) => ids.flatMap((botId) => ids.map((orderId) => keyOf({ userId, botId, orderId }))));
  assert.equal(new Set(keys).size, ids.length ** 3);
});

test('a task can be confirmed until a day after the end of its round', () => {
  const round = { number: 1, endsAt: minutesLater(300) };
  const day = 24 * 60;
  assert.deepEqual(confirmableUntil(taskWith(), round), minutesLater(300 + day));
  // Without a round, or as an extra task, the expiry of the task decides.
  assert.deepEqual(confirmableUntil(taskWith(), undefined), minutesLater(60 + day));
  assert.deepEqual(confirmableUntil(taskWith(), { ...round, number: 2 }), minutesLater(60 + day));
  assert.deepEqual(confirmableUntil(taskWith({ round: 0 }), { ...round, number: 0 }), minutesLater(60 + day));
  assert.deepEqual(confirmableUntil(taskWith({ lateUntil: minutesLater(9) }), round), minutesLater(9));
});

const hours = (count: number): Date => minutesLater(count * 60);

test('with a hold of a day, hold and window end together', () => {
  assert.deepEqual(startWindow(taskWith({ holdSeconds: 24 * 3600 }), NOON), {
    state: 'held',
    releaseAt: hours(24),
    windowEndsAt: hours(24),
    nextCheckAt: hours(24),
  });
});

test('without a hold the reward is paid at once and stays reversible for a day', () => {
  assert.deepEqual(startWindow(taskWith({ holdSeconds: 0 }), NOON), {
    state: 'paid',
    releaseAt: NOON,
    windowEndsAt: hours(24),
    nextCheckAt: hours(24),
  });
});

test('a hold shorter than a day ends before the window, and a longer one extends the window', () => {
  const short = startWindow(taskWith({ holdSeconds: 3600 }), NOON);
  assert.deepEqual([short.state, short.releaseAt, short.windowEndsAt], ['held', hours(1), hours(24)]);
  assert.deepEqual(short.nextCheckAt, hours(1), 'the first check is at the release');
  const long = startWindow(taskWith({ holdSeconds: 72 * 3600 }), NOON);
  assert.deepEqual([long.state, long.releaseAt, long.windowEndsAt], ['held', hours(72), hours(72)]);
});

test('a hold that only a level made longer ends after the window, and both are checked', () => {
  const watched = startWindow(taskWith({ holdSeconds: 72 * 3600 }), NOON, true, 24 * 3600);
  assert.deepEqual([watched.state, watched.releaseAt, watched.windowEndsAt], ['held', hours(72), hours(24)]);
  assert.deepEqual(watched.nextCheckAt, hours(24));
});

test('a reward whose join has no date yet is held, even without a hold, and checked when its hold or window ends', () => {
  assert.deepEqual(startWindow(taskWith({ holdSeconds: 0 }), NOON, false), {
    state: 'held',
    releaseAt: NOON,
    windowEndsAt: hours(24),
    nextCheckAt: hours(24),
  });
  assert.deepEqual(startWindow(taskWith({ holdSeconds: 3600 }), NOON, false).nextCheckAt, hours(1));
});
