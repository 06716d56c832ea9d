import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { positionOf, ticksFor } from './text.ts';

describe('the ticks of an axis', () => {
  it('are round, evenly spaced and few, and enclose zero and every value', () => {
    const values = fc.array(fc.double({ min: -1e12, max: 1e12, noNaN: true }), { maxLength: 40 });
    fc.assert(
      fc.property(values, fc.boolean(), (given, isWhole) => {
        const figures = isWhole ? given.map(Math.round) : given.map((value) => Math.round(value * 100) / 100);
        const ticks = ticksFor(figures, { isWhole });
        const [low = Number.NaN, next = Number.NaN] = ticks;
        const high = ticks.at(-1) ?? Number.NaN;
        assert.ok(ticks.includes(0) && ticks.length >= 2 && ticks.length <= 8, String(ticks));
        for (const value of figures) assert.ok(value >= low && value <= high, `${value} in ${ticks}`);
        const step = next - low;
        for (const [index, tick] of ticks.entries()) {
          assert.ok(Math.abs(tick - (low + index * step)) <= Math.abs(step) * 1e-6, String(ticks));
          if (isWhole) assert.ok(Number.isInteger(tick), String(ticks));
        }
      }),
    );
  });

  it('are the numbers that a person would choose', () => {
    assert.deepEqual(ticksFor([81, 73, -9], { isWhole: true }), [-20, 0, 20, 40, 60, 80, 100]);
    assert.deepEqual(ticksFor([0.3], { isWhole: false }), [0, 0.1, 0.2, 0.3]);
    assert.deepEqual(ticksFor([1], { isWhole: true }), [0, 1]);
    assert.deepEqual(ticksFor([0, 0], { isWhole: true }), [0, 1]);
    assert.deepEqual(ticksFor([], { isWhole: true }), [0, 1]);
  });
});

describe('a position on an axis', () => {
  it('is the bottom at the first tick, the top at the last, and proportional between them', () => {
    const ticks = [-50, 0, 50, 100, 150];
    assert.equal(positionOf(-50, ticks, 400, 0), 400);
    assert.equal(positionOf(150, ticks, 400, 0), 0);
    assert.equal(positionOf(50, ticks, 400, 0), 200);
  });
});
