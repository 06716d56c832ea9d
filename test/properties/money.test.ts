import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  formatRubles,
  type Kopecks,
  MAX_RUBLES,
  parseRubles,
  percentOf,
  sumKopecks,
  toRubles,
} from '../../src/core/money.ts';

const MAX_KOPECKS = BigInt(MAX_RUBLES) * 100n;
const amount = fc.oneof(fc.bigInt(0n, 10_000n), fc.bigInt(0n, MAX_KOPECKS));
const signed = fc.bigInt(-MAX_KOPECKS, MAX_KOPECKS);
const percent = fc.integer({ min: 0, max: 100 });

const check = (property: fc.IProperty<unknown>): void => fc.assert(property, { numRuns: 5_000, seed: 20_261_115 });

test('every amount is unchanged after conversion to the wire format and back, also through JSON', () => {
  check(fc.property(amount, (kopecks) => assert.equal(parseRubles(toRubles(kopecks)), kopecks)));
  check(
    fc.property(amount, (kopecks) => {
      const sent = JSON.parse(JSON.stringify({ rubles: toRubles(kopecks) })) as { rubles: number };
      assert.equal(parseRubles(sent.rubles), kopecks);
    }),
  );
});

test('an amount on the wire has at most two decimals and no exponent, even when negative', () => {
  check(fc.property(signed, (kopecks) => assert.match(JSON.stringify(toRubles(kopecks)), /^-?\d+(\.\d{1,2})?$/)));
});

test('a number with a fraction of a kopeck is refused', () => {
  const finer = fc.integer({ min: 1, max: 1_000_000_000 }).filter((thousandths) => thousandths % 10 !== 0);
  check(fc.property(finer, (thousandths) => assert.equal(parseRubles(thousandths / 1000), undefined)));
});

test('every number is either refused or converted exactly', () => {
  check(
    fc.property(fc.double(), (rubles) => {
      const kopecks = parseRubles(rubles);
      if (kopecks === undefined) return;
      assert.ok(kopecks >= 0n && kopecks <= MAX_KOPECKS);
      assert.equal(Math.abs(toRubles(kopecks)), Math.abs(rubles));
    }),
  );
});

test('negative numbers, huge numbers and values that are not numbers are refused', () => {
  for (const rubles of [-0.01, -1, MAX_RUBLES + 0.01, Number.MAX_VALUE, Infinity, -Infinity, Number.NaN]) {
    assert.equal(parseRubles(rubles), undefined, String(rubles));
  }
  assert.equal(parseRubles(MAX_RUBLES), MAX_KOPECKS);
  assert.equal(parseRubles(0), 0n);
});

test('a share is rounded down by less than one kopeck', () => {
  check(
    fc.property(amount, percent, (kopecks, share) => {
      const part = percentOf(kopecks, share);
      const exact = kopecks * BigInt(share);
      assert.ok(part * 100n <= exact && exact < (part + 1n) * 100n);
    }),
  );
  assert.equal(percentOf(101n, 70), 70n);
  assert.equal(percentOf(1n, 70), 0n);
});

test('a share and the rest of the price add up to the price', () => {
  check(
    fc.property(amount, percent, (kopecks, share) => {
      const part = percentOf(kopecks, share);
      assert.ok(part >= 0n && part <= kopecks);
      assert.equal(sumKopecks([part, kopecks - part]), kopecks);
    }),
  );
});

test('a higher price or a larger share never lowers the reward', () => {
  check(
    fc.property(amount, amount, percent, percent, (a, b, p, q) => {
      const [less, more] = a < b ? [a, b] : [b, a];
      assert.ok(percentOf(less, Math.min(p, q)) <= percentOf(more, Math.max(p, q)));
    }),
  );
});

test('formatted rubles always have two decimals and parse back to the same amount', () => {
  check(
    fc.property(signed, (kopecks) => {
      const text = formatRubles(kopecks);
      assert.match(text, /^−?\d+\.\d{2} ₽$/);
      const digits: Kopecks = BigInt(text.replace(/[^\d]/g, ''));
      assert.equal(text.startsWith('−') ? -digits : digits, kopecks);
    }),
  );
});
