import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { drawText, positionOf, ticksFor } from './text.ts';

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

describe('a text in a picture', () => {
  const place = { x: 0, y: 0, size: 46, color: '#000', room: 976 };
  const shown = (text: string): string => /<text[^>]*>(.*)<\/text>/s.exec(drawText(text, place))?.[1] ?? '';

  it('is cut where its widest letters could leave the picture', () => {
    assert.equal(shown('a'.repeat(30)), 'a'.repeat(30));
    for (const letter of ['W', 'Щ', '漢']) {
      const cut = shown(letter.repeat(64));
      assert.ok(cut.endsWith('…') && cut.length <= 21, `${letter}: ${cut.length}`);
    }
  });

  it('has at most two marks on a letter and no signs that reorder it', () => {
    assert.equal(shown(`a${'\u0301'.repeat(50)}b\u202ec`), 'a\u0301\u0301bc');
    assert.equal(shown('שלום'), 'שלום');
  });
});
