import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCheckPauses } from './check-pauses.ts';

test('one call may check all its tasks, and the next call waits for the pause of each type', () => {
  let now = 0;
  const pauses = createCheckPauses(() => now);
  const first = pauses.open(1, 2);
  assert.deepEqual([first('channel'), first('channel'), first('bot')], [true, true, true]);
  now = 2_000;
  const second = pauses.open(1, 2);
  assert.deepEqual([second('channel'), second('bot')], [false, true]);
  now = 10_000;
  assert.equal(pauses.open(1, 2)('channel'), true);
});

test('users and bots wait apart', () => {
  const pauses = createCheckPauses(() => 0);
  assert.equal(pauses.open(1, 2)('channel'), true);
  assert.equal(pauses.open(1, 3)('channel'), true);
  assert.equal(pauses.open(2, 2)('channel'), true);
  assert.equal(pauses.open(1, 2)('channel'), false);
});
