import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createCheckBudget } from './check-budget.ts';

fc.configureGlobal({ seed: 1 });

/** Lets whoever can go on do so, in the moment that it is. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Time that moves only when it is told to; whoever sleeps is woken at the right moment. */
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

const countTaken = (budget: { tryTake(): boolean }, tries: number) =>
  Array.from({ length: tries }, () => budget.tryTake()).filter(Boolean).length;

test('as many checks as a second allows may start at once, and then none until a second has passed', async () => {
  const time = movableTime();
  const budget = createCheckBudget(25, time);
  assert.equal(countTaken(budget, 100), 25);
  await time.pass(999);
  assert.equal(countTaken(budget, 100), 0);
  await time.pass(1);
  assert.equal(countTaken(budget, 100), 25);
});

test('what was not used does not pile up', async () => {
  const time = movableTime();
  const budget = createCheckBudget(3, time);
  await time.pass(3_600_000);
  assert.equal(countTaken(budget, 100), 3);
});

test('those who wait have their turn in the order they came, and those who do not wait get nothing meanwhile', async () => {
  const time = movableTime();
  const budget = createCheckBudget(2, time);
  const begun: number[] = [];
  for (let i = 0; i < 6; i++) void budget.take().then(() => begun.push(i));
  await time.pass(0);
  assert.deepEqual(begun, [0, 1]);
  assert.equal(budget.tryTake(), false);
  await time.pass(1000);
  assert.deepEqual(begun, [0, 1, 2, 3]);
  assert.equal(budget.tryTake(), false, 'the next second belongs to those who wait');
  await time.pass(1000);
  assert.deepEqual(begun, [0, 1, 2, 3, 4, 5]);
  await time.pass(999);
  assert.equal(budget.tryTake(), false);
  await time.pass(1);
  assert.equal(budget.tryTake(), true);
});

test('in no stretch of one second do more checks start than allowed, however they are asked for', async () => {
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
        for (let i = 0; i < tries; i++) if (budget.tryTake()) starts.push(time.nowMs());
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
