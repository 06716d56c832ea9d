import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addSeconds } from '../core/clock.ts';
import { ApiError } from '../core/errors.ts';
import { advanceClock } from './advance-clock.ts';

test('the clock moves to the end of the year 2099 and no further', async () => {
  let now = new Date('2099-12-31T00:00:00Z');
  const clock = {
    now: () => now,
    advance: async (seconds: number) => {
      now = addSeconds(now, seconds);
      return now;
    },
    reset: async () => undefined,
    close: async () => undefined,
  };
  const deps = {
    clock,
    settlement: { nextDueAt: async () => null, run: async () => undefined },
    runDueWork: async () => undefined,
  };
  await advanceClock(deps, 23 * 60 * 60);
  const further = advanceClock(deps, 2 * 60 * 60);
  await assert.rejects(further, (error) => error instanceof ApiError && error.code === 'validation_failed');
  assert.equal(now.toISOString(), '2099-12-31T23:00:00.000Z');
});
