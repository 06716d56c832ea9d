import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CRYPTO_ASSETS, type CryptoAsset, convertToAsset } from './convert-to-asset.ts';

test('rubles are converted at the rate and rounded down to the last decimal', () => {
  assert.equal(convertToAsset(100_000n, '92.5', 'USDT'), '10.81081');
  assert.equal(convertToAsset(9_250n, '92.5', 'USDT'), '1');
  assert.equal(convertToAsset(9_249n, '92.5', 'USDT'), '0.999891');
  assert.equal(convertToAsset(100_000n, '9250000', 'BTC'), '0.0001081');
  assert.equal(convertToAsset(1_000_000n, '100', 'USDT'), '100', 'whole amounts keep their zeros');
});

test('a malformed rate or an amount below the last decimal is refused', () => {
  for (const rate of ['0', '0.0', '', 'abc', '-5', '1e3', '1,5', 'Infinity', ' 5', '.5']) {
    assert.equal(convertToAsset(100_000n, rate, 'USDT'), undefined, rate);
  }
  assert.equal(convertToAsset(1n, '100000', 'USDT'), undefined);
});

test('the converted amount is worth at most the rubles, and at most one unit of the last decimal less', () => {
  const anyAsset = fc.constantFrom(...(Object.keys(CRYPTO_ASSETS) as CryptoAsset[]));
  fc.assert(
    fc.property(
      fc.bigInt(1n, 10n ** 13n),
      fc.integer({ min: 1, max: 10 ** 9 }),
      fc.integer({ min: 0, max: 9999 }),
      anyAsset,
      (kopecks, whole, fraction, asset) => {
        const amount = convertToAsset(kopecks, `${whole}.${String(fraction).padStart(4, '0')}`, asset);
        const decimals = CRYPTO_ASSETS[asset];
        const [units = '0', rest = ''] = (amount ?? '0').split('.');
        assert.ok(rest.length <= decimals);
        const scaled = BigInt(units + rest.padEnd(decimals, '0'));
        // Scale by 100 (kopecks), 10⁴ (decimals of the rate) and 10^decimals.
        const rate = BigInt(whole) * 10_000n + BigInt(fraction);
        const worth = (of: bigint): bigint => of * rate * 100n;
        const given = kopecks * 10_000n * 10n ** BigInt(decimals);
        assert.ok(worth(scaled) <= given);
        assert.ok(worth(scaled + 1n) > given);
      },
    ),
  );
});
