import type { Kopecks } from '../../core/money.ts';
import { type FilterKey, type Filters, UNIFORM_FILTERS } from './filters.ts';

/** The factors of the filters in use, in percent. */
export function coefficientsOf(filters: Filters): readonly { readonly key: FilterKey; readonly percent: number }[] {
  return UNIFORM_FILTERS.flatMap(({ key, coefficientPercent }) =>
    filters[key] === undefined || coefficientPercent === undefined ? [] : [{ key, percent: coefficientPercent }],
  );
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
