import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutesLater, NOON, taskWith } from '../task.fixture.ts';
import { isInWindow, isLate, isOrderUnclear, isWaitOver, leftAfterWindow, leftInWindow } from './late-check.ts';

const DAY_MINUTES = 24 * 60;
const after = (time: Date, milliseconds: number): Date => new Date(time.getTime() + milliseconds);

const END = minutesLater(DAY_MINUTES);
const held = taskWith({ state: 'held', confirmedAt: NOON, releaseAt: END, windowEndsAt: END });
const left = (observedAt: Date, source: 'update' | 'check' = 'update') => ({ isMember: false, source, observedAt });

test('a leave at the exact end of the window is inside it, and a millisecond later is outside', () => {
  assert.deepEqual([leftInWindow(held, left(END)), leftAfterWindow(held, left(END))], [true, false]);
  const later = left(after(END, 1));
  assert.deepEqual([leftInWindow(held, later), leftAfterWindow(held, later)], [false, true]);
});

test('a leave before the confirm belongs to an earlier membership', () => {
  assert.equal(leftInWindow(held, left(NOON)), false);
  assert.equal(leftInWindow(held, left(after(NOON, 1))), true);
});

test('only an update dates a leave', () => {
  for (const known of [undefined, left(END, 'check'), { ...left(END), isMember: true }]) {
    assert.deepEqual([leftInWindow(held, known), leftAfterWindow(held, known)], [false, false]);
  }
});

test('a check is late more than ten minutes after the window', () => {
  assert.equal(isLate(held, after(END, 10 * 60_000)), false);
  assert.equal(isLate(held, after(END, 10 * 60_000 + 1)), true);
  assert.equal(isLate(taskWith(), END), false);
});

test('the wait for Telegram ends exactly a day after the check was due', () => {
  const over = minutesLater(2 * DAY_MINUTES);
  assert.equal(isWaitOver(held, after(over, -1)), false);
  assert.equal(isWaitOver(held, over), true);
  const short = { ...held, releaseAt: minutesLater(60) };
  assert.equal(isWaitOver(short, minutesLater(DAY_MINUTES + 60)), true);
  assert.equal(isWaitOver({ ...short, state: 'paid' }, minutesLater(DAY_MINUTES + 60)), false);
});

test('an update concerns a task from five seconds before its confirm to the end of its window', () => {
  const cases: [Date, boolean][] = [
    [after(NOON, -5_001), false],
    [after(NOON, -5_000), true],
    [END, true],
    [after(END, 1), false],
  ];
  for (const [at, expected] of cases) assert.equal(isInWindow(held, at), expected, at.toISOString());
  assert.equal(isInWindow(taskWith(), NOON), false, 'a task without a confirm');
});

test('an update more than five seconds after the confirm is clearly later', () => {
  assert.equal(isOrderUnclear(held, after(NOON, 5_000)), true);
  assert.equal(isOrderUnclear(held, after(NOON, 5_001)), false);
  assert.equal(isOrderUnclear(taskWith(), NOON), false);
});
