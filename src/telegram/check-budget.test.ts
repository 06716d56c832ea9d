import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type CheckBudget, createCheckBudget } from './check-budget.ts';

fc.configureGlobal({ seed: 1 });

/** Lets pending promises continue without moving the time. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A clock that moves only on request and wakes sleepers at their time. */
function movableTime() {
  let now = 5_000;
  const sleepers: { readonly at: number; wake(): void }[] = [];
  return {
    nowMs: () => now,
    sleep: (ms: number) => new Promise<void>((wake) => sleepers.push({ at: now + ms, wake })),
    async pass(ms: number) {
      await settled();
      const end = now + ms;
      for (;;) {
        const next = sleepers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        sleepers.splice(sleepers.indexOf(next), 1);
        now = Math.max(now, next.at);
        next.wake();
        await settled();
      }
      now = end;
    },
  };
}

/** Takes each call for another bot, so that no bot reaches its own share of the budget. */
let lastParty = 0;
const takeAny = (budget: CheckBudget): boolean => budget.tryTake(++lastParty);
const countTaken = (budget: CheckBudget, tries: number) =>
  Array.from({ length: tries }, () => takeAny(budget)).filter(Boolean).length;
const countTakenBy = (budget: CheckBudget, party: number, tries: number) =>
  Array.from({ length: tries }, () => budget.tryTake(party)).filter(Boolean).length;

test('all checks of a second may start at once, and the next ones start a second later', async () => {
  const time = movableTime();
  const budget = createCheckBudget(25, time);
  assert.equal(countTaken(budget, 100), 25);
  await time.pass(999);
  assert.equal(countTaken(budget, 100), 0);
  await time.pass(1);
  assert.equal(countTaken(budget, 100), 25);
});

test('unused checks do not accumulate', async () => {
  const time = movableTime();
  const budget = createCheckBudget(3, time);
  await time.pass(3_600_000);
  assert.equal(countTaken(budget, 100), 3);
});

test('waiting callers start in order of arrival, and callers that do not wait get no check meanwhile', async () => {
  const time = movableTime();
  const budget = createCheckBudget(2, time);
  const begun: number[] = [];
  for (let i = 0; i < 6; i++) void budget.take().then(() => begun.push(i));
  await time.pass(0);
  assert.deepEqual(begun, [0]);
  assert.equal(takeAny(budget), false);
  await time.pass(500);
  assert.deepEqual(begun, [0, 1], 'they are spread over the second');
  await time.pass(1000);
  assert.deepEqual(begun, [0, 1, 2, 3]);
  assert.equal(takeAny(budget), false, 'the next second belongs to those who wait');
  await time.pass(1000);
  assert.deepEqual(begun, [0, 1, 2, 3, 4, 5]);
  await time.pass(499);
  assert.equal(takeAny(budget), false);
  await time.pass(1);
  assert.equal(takeAny(budget), true);
});

test('background checks start in groups of a tenth of a second at most', async () => {
  const time = movableTime();
  const budget = createCheckBudget(1000, time);
  let begun = 0;
  for (let i = 0; i < 1000; i++) void budget.take().then(() => begun++);
  await time.pass(0);
  assert.equal(begun, 101);
  await time.pass(500);
  assert.ok(begun >= 500 && begun <= 601, String(begun));
  await time.pass(500);
  assert.equal(begun, 1000);
});

test('no period of one second has more starts than allowed', async () => {
  const step = fc.record({ pause: fc.nat({ max: 1500 }), takes: fc.nat({ max: 8 }), tries: fc.nat({ max: 8 }) });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 7 }), fc.array(step, { maxLength: 20 }), async (perSecond, steps) => {
      const time = movableTime();
      const budget = createCheckBudget(perSecond, time);
      const starts: number[] = [];
      const waiting: Promise<unknown>[] = [];
      for (const { pause, takes, tries } of steps) {
        await time.pass(pause);
        for (let i = 0; i < takes; i++) waiting.push(budget.take().then(() => starts.push(time.nowMs())));
        for (let i = 0; i < tries; i++) if (takeAny(budget)) starts.push(time.nowMs());
      }
      await time.pass(1000 * (waiting.length + 1));
      await Promise.all(waiting);
      starts.sort((a, b) => a - b);
      for (const [i, start] of starts.entries()) {
        const sameSecond = starts.slice(i).filter((other) => other < start + 1000);
        assert.ok(sameSecond.length <= perSecond, `${sameSecond.length} within a second, ${perSecond} allowed`);
      }
    }),
  );
});

test('one busy bot does not use up the checks of other bots', async () => {
  const time = movableTime();
  const budget = createCheckBudget(25, time);
  assert.equal(countTakenBy(budget, 1, 1000), 13);
  assert.equal(countTakenBy(budget, 2, 3), 3);
  await time.pass(1000);
  assert.equal(countTakenBy(budget, 1, 1000), 12, 'the half for the first callers');
  assert.equal(countTakenBy(budget, 2, 1000), 6);
  assert.equal(countTakenBy(budget, 3, 1000), 4);
  await time.pass(60_000);
  assert.equal(countTakenBy(budget, 1, 1000), 13, 'those who no longer ask no longer share');
});

test('a budget of one check a second goes to the first caller', async () => {
  const time = movableTime();
  const budget = createCheckBudget(1, time);
  assert.equal(countTakenBy(budget, 1, 10), 1);
  assert.equal(countTakenBy(budget, 2, 10), 0);
  await time.pass(1000);
  assert.equal(countTakenBy(budget, 2, 10), 1);
});

test('a smaller part of the budget applies at once, also to callers that wait already', async () => {
  const time = movableTime();
  const budget = createCheckBudget(10, time);
  const starts: number[] = [];
  const begin = time.nowMs();
  const startsFrom = (from: number): number[] => starts.filter((at) => at >= begin + from && at < begin + from + 1000);
  for (let i = 0; i < 60; i++) void budget.take().then(() => starts.push(time.nowMs()));
  await time.pass(1_000);
  assert.equal(startsFrom(0).length, 10);
  budget.setLimit(3);
  await time.pass(3_000);
  for (const from of [1_001, 1_500, 2_000, 2_500, 3_000]) {
    assert.ok(startsFrom(from).length <= 3, `${startsFrom(from).length} in the second after ${from} ms`);
  }
  budget.setLimit(10);
  await time.pass(2_000);
  assert.ok(startsFrom(5_000).length >= 9, 'the whole budget again');
});

test('a process without a part of the budget waits until it gets one', async () => {
  const time = movableTime();
  const budget = createCheckBudget(10, time);
  budget.setLimit(0);
  let hasBegun = false;
  void budget.take().then(() => {
    hasBegun = true;
  });
  assert.equal(takeAny(budget), false);
  await time.pass(5_000);
  assert.equal(hasBegun, false);
  budget.setLimit(1);
  await time.pass(100);
  assert.equal(hasBegun, true);
});

test('what is wanted counts refused and waiting calls', async () => {
  const time = movableTime();
  const budget = createCheckBudget(2, time);
  for (let i = 0; i < 5; i++) takeAny(budget);
  for (let i = 0; i < 3; i++) void budget.take();
  assert.equal(budget.countWanted(), 5 + 3 + 3);
  assert.equal(budget.countWanted(), 3, 'those that still wait');
});
