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

test('without hold the reward is paid at once and watched for a day', () => {
  assert.deepEqual(startWindow(taskWith({ holdSeconds: 0 }), NOON), {
    state: 'paid',
    releaseAt: NOON,
    windowEndsAt: hours(24),
    nextCheckAt: hours(24),
  });
});

test('a shorter hold releases earlier and is watched for the whole day; a longer one is watched longer', () => {
  const short = startWindow(taskWith({ holdSeconds: 3600 }), NOON);
  assert.deepEqual([short.state, short.releaseAt, short.windowEndsAt], ['held', hours(1), hours(24)]);
  assert.deepEqual(short.nextCheckAt, hours(1), 'the first check is at the release');
  const long = startWindow(taskWith({ holdSeconds: 72 * 3600 }), NOON);
  assert.deepEqual([long.state, long.releaseAt, long.windowEndsAt], ['held', hours(72), hours(72)]);
});

test('a reward whose join is not dated yet is held, also without a hold, and looked at when its hold or its window ends', () => {
  assert.deepEqual(startWindow(taskWith({ holdSeconds: 0 }), NOON, false), {
    state: 'held',
    releaseAt: NOON,
    windowEndsAt: hours(24),
    nextCheckAt: hours(24),
  });
  assert.deepEqual(startWindow(taskWith({ holdSeconds: 3600 }), NOON, false).nextCheckAt, hours(1));
});
