import { type Facts, type FilterKey, type Filters, UNIFORM_FILTERS } from './filters.ts';

/**
 * Applies the filters of one order and returns the first one that hides the task. A known value that a filter does not
 * accept hides the task; an unknown value passes.
 */
export function hiddenBy(filters: Filters, facts: Facts): FilterKey | undefined {
  for (const [i, { key, accepts }] of UNIFORM_FILTERS.entries()) {
    const wish = filters[key];
    const fact = facts[i];
    if (wish !== undefined && fact !== undefined && !accepts(wish, fact)) return key;
  }
  return undefined;
}
