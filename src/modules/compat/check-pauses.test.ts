import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCheckPauses } from './check-pauses.ts';

test('one call may check all its tasks, and the next call waits for the pause of each type', () => {
  let now = 0;
  const pauses = createCheckPauses({ perSecond: 100, nowMs: () => now });
  const first = pauses.open(1, 2);
  assert.deepEqual([first('channel'), first('channel'), first('bot')], [true, true, true]);
  now = 2_000;
  const second = pauses.open(1, 2);
  assert.deepEqual([second('channel'), second('bot')], [false, true]);
  now = 10_000;
  assert.equal(pauses.open(1, 2)('channel'), true);
});

test('users and bots wait apart', () => {
  const pauses = createCheckPauses({ perSecond: 100, nowMs: () => 0 });
  assert.equal(pauses.open(1, 2)('channel'), true);
  assert.equal(pauses.open(1, 3)('channel'), true);
  assert.equal(pauses.open(2, 2)('channel'), true);
  assert.equal(pauses.open(1, 2)('channel'), false);
});

test('a bot may check for so many users in a second; the others may check a second later, without a pause', () => {
  let now = 0;
  const pauses = createCheckPauses({ perSecond: 2, nowMs: () => now });
  const checks = (botId: number, users: readonly number[]): boolean[] =>
    users.map((user) => pauses.open(botId, user)('channel'));
  assert.deepEqual(checks(1, [1, 2, 3, 4]), [true, true, false, false]);
  assert.deepEqual(checks(2, [1]), [true], 'another bot has calls of its own');
  now = 1_000;
  assert.deepEqual(checks(1, [1, 3, 4, 5]), [false, true, true, false]);
});
