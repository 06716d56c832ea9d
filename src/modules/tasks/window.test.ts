import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutesLater, NOON, taskWith } from './task.fixture.ts';
import { startWindow } from './window.ts';

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

test('a reward whose join has no date yet is held, even without a hold, and checked when its hold or window ends', () => {
  assert.deepEqual(startWindow(taskWith({ holdSeconds: 0 }), NOON, false), {
    state: 'held',
    releaseAt: NOON,
    windowEndsAt: hours(24),
    nextCheckAt: hours(24),
  });
  assert.deepEqual(startWindow(taskWith({ holdSeconds: 3600 }), NOON, false).nextCheckAt, hours(1));
});
