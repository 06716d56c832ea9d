import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutesLater, NOON, taskWith } from '../task.fixture.ts';
import { dateJoin, isUpToDate, type JoinDate, mayHaveLostJoin } from './join-date.ts';

const channel = { type: 'channel' } as const;
const bot = { type: 'bot' } as const;
const before = new Date(NOON.getTime() - 1);
const after = new Date(NOON.getTime() + 1);
const unchecked = taskWith({ wasOutside: false });
const checked = taskWith({ wasOutside: true });

const joined = (joinedAt: Date | null, firstMemberAt: Date | null = joinedAt) => ({ joinedAt, firstMemberAt });

test('a join is after the showing when an update dates it at the showing or later', () => {
  const cases: [ReturnType<typeof joined> | undefined, JoinDate][] = [
    [joined(NOON), 'after'],
    [joined(after), 'after'],
    [joined(before), 'before'],
    // The user left and joined again: the first membership counts.
    [joined(after, before), 'before'],
    // A check saw the member, but it does not date the join.
    [joined(null, NOON), 'unknown'],
    // The user joined and left before the showing, and there is no newer update.
    [joined(before, NOON), 'unknown'],
    [undefined, 'unknown'],
  ];
  for (const [known, date] of cases) assert.equal(dateJoin(unchecked, channel, known), date, JSON.stringify(known));
});

test('a check at the showing that found no member dates the join after it, unless an earlier membership is known', () => {
  assert.equal(dateJoin(checked, channel, undefined), 'after');
  assert.equal(dateJoin(checked, channel, joined(null, before)), 'before');
  assert.equal(dateJoin(checked, channel, joined(null, NOON)), 'after');
});

test('a bot is shown only after a check, so its users count as new', () => {
  assert.equal(dateJoin(unchecked, bot, undefined), 'after');
  assert.equal(dateJoin(unchecked, bot, joined(null, before)), 'before');
});

test('a service without updates for two minutes may have updates waiting', () => {
  const hearing = { lastFetch: { at: NOON, machineAt: NOON }, losses: [] };
  assert.equal(isUpToDate(hearing, minutesLater(2)), true);
  assert.equal(isUpToDate(hearing, new Date(minutesLater(2).getTime() + 1)), false);
  assert.equal(isUpToDate({ lastFetch: undefined, losses: [] }, NOON), false);
});

test('a loss of updates matters when it overlaps the time from the showing to the end of the window', () => {
  const task = taskWith({ windowEndsAt: minutesLater(60) });
  const lost = (from: Date, to: Date) =>
    mayHaveLostJoin(task, { lastFetch: undefined, losses: [{ startedAt: from, endedAt: to }] });
  assert.equal(lost(minutesLater(-60), before), false);
  assert.equal(lost(minutesLater(-60), NOON), true);
  assert.equal(lost(minutesLater(60), minutesLater(90)), true);
  assert.equal(lost(minutesLater(61), minutesLater(90)), false);
});
