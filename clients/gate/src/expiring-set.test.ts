import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExpiringSet } from './expiring-set.ts';

function setAt(maxSize: number) {
  const clock = { now: 0 };
  return { clock, set: new ExpiringSet({ ttlMs: 100, maxSize, now: () => clock.now }) };
}

test('a key expires after its time, even when it is read often', () => {
  const { clock, set } = setAt(10);
  set.add('a');
  clock.now = 99;
  assert.equal(set.has('a'), true);
  clock.now = 100;
  assert.equal(set.has('a'), false);
});

test('a full set drops the key that was not read for the longest time', () => {
  const { set } = setAt(2);
  set.add('a');
  set.add('b');
  set.has('a');
  set.add('c');
  assert.deepEqual(
    ['a', 'b', 'c'].map((key) => set.has(key)),
    [true, false, true],
  );
});

test('a key added again restarts its time and is stored once', () => {
  const { clock, set } = setAt(2);
  set.add('a');
  set.add('b');
  clock.now = 50;
  set.add('a');
  clock.now = 120;
  assert.deepEqual([set.has('a'), set.has('b')], [true, false]);
});
