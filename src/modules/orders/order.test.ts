import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  canBecome,
  conversionPercent,
  isClosed,
  ORDER_STATUSES,
  type OrderStatus,
  openSlots,
  rewardFor,
} from './order.ts';
import { untouched } from './progress.fixture.ts';

fc.configureGlobal({ seed: 1 });

const TODAY = '2026-05-10';
const YESTERDAY = '2026-05-09';

const order = { quantity: 10, dailyLimit: null, chargeKopecks: 1000n };

describe('openSlots', () => {
  test('a new order has as many open slots as it bought', () => {
    assert.equal(openSlots(order, untouched, 10_000n, TODAY), 10);
  });

  test('counted and reserved subscriptions take slots', () => {
    const progress = { ...untouched, countedCount: 3, reservedCount: 2, reservedKopecks: 2000n };
    assert.equal(openSlots(order, progress, 7000n, TODAY), 5);
  });

  test('reserved money cannot be reserved again', () => {
    const progress = { ...untouched, reservedCount: 2, reservedKopecks: 2000n };
    assert.equal(openSlots(order, progress, 4999n, TODAY), 2);
    assert.equal(openSlots(order, progress, 2000n, TODAY), 0);
    // The price was raised after these tasks were shown: each task keeps its own charge.
    assert.equal(openSlots(order, { ...progress, reservedKopecks: 4500n }, 5000n, TODAY), 0);
  });

  test('the daily limit covers today’s subscriptions and the open tasks, and resets each day', () => {
    const limited = { ...order, dailyLimit: 4 };
    const progress = { ...untouched, countedCount: 3, countedToday: 3, countedDay: TODAY };
    assert.equal(openSlots(limited, progress, 7000n, TODAY), 1);
    assert.equal(openSlots(limited, { ...progress, countedDay: YESTERDAY }, 7000n, TODAY), 4);
    const reserved = { ...progress, countedDay: YESTERDAY, reservedCount: 3, reservedKopecks: 3000n };
    assert.equal(openSlots(limited, reserved, 7000n, TODAY), 1, 'open tasks may all be confirmed today');
  });

  test('never exceeds the quantity, the escrow or the daily limit, and is never negative', () => {
    const count = fc.nat({ max: 60 });
    const kopecks = fc.bigInt({ min: 0n, max: 100_000n });
    fc.assert(
      fc.property(
        fc.record({
          quantity: fc.integer({ min: 1, max: 50 }),
          dailyLimit: fc.option(fc.integer({ min: 1, max: 30 })),
          chargeKopecks: fc.bigInt({ min: 1n, max: 5000n }),
        }),
        fc.record({
          reservedCount: count,
          reservedKopecks: kopecks,
          countedCount: count,
          countedToday: count,
          countedDay: fc.constantFrom(TODAY, YESTERDAY, null),
        }),
        kopecks,
        (bought, counters, escrow) => {
          const progress = { ...untouched, ...counters };
          const open = openSlots(bought, progress, escrow, TODAY);
          assert.ok(Number.isSafeInteger(open) && open >= 0, String(open));
          if (open === 0) return;
          assert.ok(progress.countedCount + progress.reservedCount + open <= bought.quantity);
          assert.ok(progress.reservedKopecks + BigInt(open) * bought.chargeKopecks <= escrow);
          const today = progress.countedDay === TODAY ? progress.countedToday : 0;
          assert.ok(today + progress.reservedCount + open <= (bought.dailyLimit ?? Number.POSITIVE_INFINITY));
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('equals the tightest of the three limits', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.nat({ max: 60 }),
        fc.integer({ min: 1, max: 60 }),
        (quantity, affordable, daily) => {
          const escrow = BigInt(affordable) * 1000n + 999n;
          const open = openSlots({ quantity, dailyLimit: daily, chargeKopecks: 1000n }, untouched, escrow, TODAY);
          assert.equal(open, Math.min(quantity, affordable, daily));
        },
      ),
    );
  });
});

describe('status', () => {
  const allowed: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
    moderation: ['active', 'cancelled', 'rejected'],
    active: ['cancelled', 'completed', 'paused'],
    paused: ['active', 'cancelled', 'completed'],
    completed: [],
    cancelled: [],
    rejected: [],
  };

  test('only the listed transitions are allowed', () => {
    for (const from of ORDER_STATUSES) {
      const reachable = ORDER_STATUSES.filter((to) => canBecome(from, to));
      assert.deepEqual([...reachable].sort(), allowed[from], from);
    }
  });

  test('completed, cancelled and rejected are final', () => {
    const ends = ORDER_STATUSES.filter(isClosed);
    assert.deepEqual(ends, ['completed', 'cancelled', 'rejected']);
    for (const end of ends) for (const to of ORDER_STATUSES) assert.equal(canBecome(end, to), false);
  });

  test('every status can reach a final status, and moderation can reach every status', () => {
    const reach = (from: OrderStatus, seen = new Set([from])): Set<OrderStatus> => {
      for (const to of ORDER_STATUSES) {
        if (!canBecome(from, to) || seen.has(to)) continue;
        seen.add(to);
        reach(to, seen);
      }
      return seen;
    };
    assert.equal(reach('moderation').size, ORDER_STATUSES.length);
    for (const from of ORDER_STATUSES) assert.ok([...reach(from)].some(isClosed), from);
  });
});

test('the reward is the publisher’s share of the price, rounded down to a kopeck', () => {
  assert.equal(rewardFor(1000n, 70), 700n);
  assert.equal(rewardFor(999n, 70), 699n);
  assert.equal(rewardFor(1n, 70), 0n);
  assert.equal(rewardFor(1n, 100), 1n);
});

test('conversion is a percentage with two decimals, and 0 before the first showing', () => {
  const conversion = (shownTotal: number, confirmedTotal: number) =>
    conversionPercent({ ...untouched, shownTotal, confirmedTotal });
  assert.equal(conversion(0, 0), 0);
  assert.equal(conversion(3, 1), 33.33);
  assert.equal(conversion(3, 2), 66.67);
  assert.equal(conversion(8, 8), 100);
  assert.equal(conversion(100_000, 1), 0);
});
