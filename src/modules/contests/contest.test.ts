import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Contest, findFault, prizeFor, remainingSeconds, statusOf } from './contest.ts';

const START = new Date('2026-03-01T00:00:00Z');
const END = new Date('2026-03-08T00:00:00Z');
const before = (time: Date, ms = 1): Date => new Date(time.getTime() - ms);

const running = {
  id: 1,
  name: 'Spring',
  startsAt: START,
  endsAt: END,
  prizesKopecks: [500n, 200n],
  approvedAt: START,
  finishedAt: null,
  cancelledAt: null,
};
const cancelled: Contest = { ...running, cancelledAt: START };
const finished: Contest = { ...running, finishedAt: END };

test('the period includes its first moment and excludes its end', () => {
  assert.equal(statusOf(running, before(START)), 'scheduled');
  assert.equal(statusOf(running, START), 'running');
  assert.equal(statusOf(running, before(END)), 'running');
  assert.equal(statusOf(running, END), 'finishing');
});

test('a contest whose period is over waits until an operator approves its standings', () => {
  const unapproved: Contest = { ...running, approvedAt: null };
  assert.equal(statusOf(unapproved, before(END)), 'running');
  assert.equal(statusOf(unapproved, END), 'waiting');
});

test('a cancelled or finished contest keeps its status at any time', () => {
  for (const now of [before(START), START, END]) {
    assert.equal(statusOf(cancelled, now), 'cancelled');
    assert.equal(statusOf(finished, now), 'finished');
  }
});

test('the remaining time is rounded up to seconds and never negative', () => {
  assert.equal(remainingSeconds(running, before(END, 1_000)), 1);
  assert.equal(remainingSeconds(running, before(END, 1_001)), 2);
  assert.equal(remainingSeconds(running, END), 0);
  assert.equal(remainingSeconds(running, new Date(END.getTime() + 5_000)), 0);
  assert.equal(remainingSeconds(cancelled, START), 0);
});

test('a place without a prize wins nothing', () => {
  assert.deepEqual(
    [1, 2, 3].map((rank) => prizeFor(running, rank)),
    [500n, 200n, 0n],
  );
});

const DAY_MS = 86_400_000;
const valid = { key: 'k', name: 'Spring', startsAt: START, endsAt: END, prizesKopecks: [500n, 200n] };

test('a contest is accepted up to its limits', () => {
  assert.equal(findFault(valid, START), undefined);
  assert.equal(findFault({ ...valid, name: 'n'.repeat(100) }, START), undefined);
  assert.equal(findFault({ ...valid, prizesKopecks: Array<bigint>(100).fill(1n) }, START), undefined);
  assert.equal(findFault({ ...valid, prizesKopecks: [5n, 5n, 4n] }, START), undefined);
  assert.equal(findFault(valid, before(END)), undefined);
  const longAgo = { ...valid, startsAt: before(START, 150 * DAY_MS) };
  assert.equal(findFault(longAgo, START), undefined);
});

for (const [fault, changed, now, message] of [
  ['a name of spaces', { name: '  ' }, START, /name/],
  ['a name of 101 characters', { name: 'n'.repeat(101) }, START, /name/],
  ['an end at its start', { endsAt: START }, before(START), /after the start/],
  ['an end that is now', {}, END, /in the future/],
  ['a start more than 150 days back', { startsAt: before(START, 150 * DAY_MS + 1) }, START, /150 days/],
  ['no prize', { prizesKopecks: [] }, START, /1 to 100 prizes/],
  ['101 prizes', { prizesKopecks: Array<bigint>(101).fill(1n) }, START, /1 to 100 prizes/],
  ['a prize larger than the one before', { prizesKopecks: [5n, 4n, 5n] }, START, /place before/],
  ['a prize of nothing', { prizesKopecks: [5n, 0n] }, START, /more than nothing/],
] as const) {
  test(`a contest is refused for ${fault}`, () => {
    assert.match(findFault({ ...valid, ...changed }, now) ?? '', message);
  });
}
