export {
  chatContextOf,
  type Facts,
  FILTER_CATEGORIES,
  FILTERS,
  type FilterCategory,
  type FilterKey,
  type Filters,
  FiltersSchema,
  factsOf,
  hiddenBy,
  type UserProfile,
} from './filters.ts';
export { looksGenerated } from './generated-name.ts';
export { buildMatchIndex, type MatchIndex, type Ranked } from './match-index.ts';
export { type NameFacts, readName } from './names.ts';
export { chargeFor, chargeForKnown, coefficientsOf, type UnknownCharge } from './price.ts';
