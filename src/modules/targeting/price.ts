import type { Kopecks } from '../../core/money.ts';
import { type Facts, type FilterKey, type Filters, UNIFORM_FILTERS } from './filters.ts';

/** The factors of the filters in use, in percent. */
export function coefficientsOf(filters: Filters): readonly { readonly key: FilterKey; readonly percent: number }[] {
  return UNIFORM_FILTERS.flatMap(({ key, coefficientPercent }) =>
    filters[key] === undefined || coefficientPercent === undefined ? [] : [{ key, percent: coefficientPercent }],
  );
}

/** What a subscription is charged for filters whose value was not known of the user: the full factor, or none. */
const UNKNOWN_CHARGES = ['full', 'base'] as const;
export type UnknownCharge = (typeof UNKNOWN_CHARGES)[number];

/** The charge of one user when unknown values are charged at the base price: only factors of known values multiply. */
export function chargeForKnown(priceKopecks: Kopecks, filters: Filters, facts: Facts): Kopecks {
  const known = UNIFORM_FILTERS.flatMap(({ key }, index) => (facts[index] === undefined ? [] : [[key, filters[key]]]));
  return chargeFor(priceKopecks, Object.fromEntries(known) as Filters);
}

/** What one subscription costs with these filters: every factor multiplies, and a broken kopeck is rounded up once. */
export function chargeFor(priceKopecks: Kopecks, filters: Filters): Kopecks {
  let numerator = priceKopecks;
  let denominator = 1n;
  for (const { percent } of coefficientsOf(filters)) {
    numerator *= BigInt(percent);
    denominator *= 100n;
  }
  return (numerator + denominator - 1n) / denominator;
}
