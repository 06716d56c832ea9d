import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { estimateAccountAge } from './account-age.ts';

const NOW = new Date('2026-01-01T00:00:00Z');

test('accounts with a published date are estimated within the stated error', () => {
  for (const [userId, joined] of [
    [1_000_000, '2013-09-28'],
    [101_260_938, '2015-03-06'],
    [222_021_233, '2016-06-08'],
    [616_816_630, '2018-06-22'],
    [1_974_255_900, '2021-10-12'],
    [5_396_587_273, '2022-03-23'],
    [6_947_316_117, '2023-12-15'],
    [8_238_766_847, '2025-07-31'],
  ] as const) {
    const { years, errorYears } = estimateAccountAge(userId, NOW);
    const real = (NOW.getTime() - Date.parse(joined)) / (365.25 * 86_400_000);
    assert.ok(Math.abs(years - real) <= errorYears + 0.1, `${userId}: guessed ${years} ± ${errorYears}, is ${real}`);
    assert.ok(errorYears <= 0.5);
  }
});

test('a larger id never means an older account, and ages lie between zero and the age of Telegram', () => {
  const anyId = fc.integer({ min: 1, max: 20_000_000_000 });
  fc.assert(
    fc.property(anyId, anyId, (one, other) => {
      const [low, high] = [Math.min(one, other), Math.max(one, other)];
      const [older, younger] = [estimateAccountAge(low, NOW).years, estimateAccountAge(high, NOW).years];
      assert.ok(older >= younger && younger >= 0 && older <= 12.5, `${low}: ${older}, ${high}: ${younger}`);
    }),
  );
});

test('the error grows beyond the last known point', () => {
  assert.ok(estimateAccountAge(9_500_000_000, NOW).errorYears > estimateAccountAge(8_000_000_000, NOW).errorYears);
  assert.equal(estimateAccountAge(Number.MAX_SAFE_INTEGER, NOW).years, 0);
});
