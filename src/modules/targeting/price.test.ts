import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FILTERS, type Filters } from './filters.ts';
import { chargeFor, coefficientsOf } from './price.ts';

test('every coefficient is between 1.1 and 2.0, and exactly these filters have one', () => {
  const withOne = FILTERS.filter((filter) => filter.coefficientPercent !== undefined);
  for (const { key, coefficientPercent = 0 } of withOne) {
    assert.ok(coefficientPercent >= 110 && coefficientPercent <= 200, key);
  }
  assert.deepEqual(withOne.map(({ key }) => key).sort(), [
    'account_age_years',
    'age',
    'cities',
    'countries',
    'device_types',
    'gifts',
    'os',
    'rating',
  ]);
});

test('without coefficients the charge equals the price', () => {
  assert.equal(chargeFor(1_000n, {}), 1_000n);
  assert.equal(chargeFor(1_000n, { premium: true, languages: ['ru'] }), 1_000n);
});

test('coefficients multiply, and the result is rounded up to a kopeck once', () => {
  const filters: Filters = { countries: ['RU'], os: ['iOS'], device_types: ['smartphone'] };
  const factor = coefficientsOf(filters).reduce((product, { percent }) => product * (percent / 100), 1);
  assert.equal(chargeFor(1_000n, filters), BigInt(Math.ceil(Math.round(1_000 * factor * 1e6) / 1e6)));
  assert.equal(chargeFor(1n, filters), 2n);
});
