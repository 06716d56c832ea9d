import type { Kopecks } from '../../core/money.ts';
import { type Facts, type FilterKey, type Filters, UNIFORM_FILTERS } from './filters.ts';

/** Returns the factors of the filters in use, in percent. */
export function coefficientsOf(filters: Filters): readonly { readonly key: FilterKey; readonly percent: number }[] {
  return UNIFORM_FILTERS.flatMap(({ key, coefficientPercent }) =>
    filters[key] === undefined || coefficientPercent === undefined ? [] : [{ key, percent: coefficientPercent }],
  );
}

/** How filters with an unknown value are charged: at the full factor or at the base price. */
const UNKNOWN_CHARGES = ['full', 'base'] as const;
export type UnknownCharge = (typeof UNKNOWN_CHARGES)[number];

/**
 * Returns the charge for one user when unknown values cost the base price: only the factors of known values multiply.
 */
export function chargeForKnown(priceKopecks: Kopecks, filters: Filters, facts: Facts): Kopecks {
  const known = UNIFORM_FILTERS.flatMap(({ key }, index) => (facts[index] === undefined ? [] : [[key, filters[key]]]));
  return chargeFor(priceKopecks, Object.fromEntries(known) as Filters);
}

/**
 * Returns the charge for one subscription with these filters. All factors multiply, and the result is rounded up once.
 */
export function chargeFor(priceKopecks: Kopecks, filters: Filters): Kopecks {
  let numerator = priceKopecks;
  let denominator = 1n;
  for (const { percent } of coefficientsOf(filters)) {
    numerator *= BigInt(percent);
    denominator *= 100n;
  }
  return (numerator + denominator - 1n) / denominator;
}
