import type { FilterKey } from '../../../modules/targeting/index.ts';

/** The kind of form field for a filter. The filter's own schema defines the allowed values. */
export type FilterField =
  /** Words separated by commas. */
  | { readonly kind: 'list'; readonly letters: 'upper' | 'lower' | 'as_typed' }
  /** A minimum and a maximum, both optional. */
  | { readonly kind: 'range'; readonly min: number; readonly max: number }
  | { readonly kind: 'one'; readonly values: readonly string[] }
  | { readonly kind: 'many'; readonly values: readonly string[] }
  /** Yes, no or any. */
  | { readonly kind: 'flag' }
  | { readonly kind: 'least'; readonly min: number; readonly max: number }
  | { readonly kind: 'most'; readonly min: number; readonly max: number };

export const FILTER_FIELDS: Readonly<Record<FilterKey, FilterField>> = {
  languages: { kind: 'list', letters: 'lower' },
  countries: { kind: 'list', letters: 'upper' },
  cities: { kind: 'list', letters: 'as_typed' },
  age: { kind: 'range', min: 0, max: 120 },
  gender: { kind: 'one', values: ['male', 'female'] },
  account_age_years: { kind: 'least', min: 2, max: 9 },
  device_types: { kind: 'many', values: ['smartphone', 'desktop', 'tablet'] },
  os: { kind: 'many', values: ['Android', 'iOS', 'Windows', 'macOS'] },
  premium: { kind: 'flag' },
  has_photo: { kind: 'flag' },
  real_photo: { kind: 'flag' },
  has_name: { kind: 'flag' },
  has_username: { kind: 'flag' },
  has_bio: { kind: 'flag' },
  has_audio: { kind: 'flag' },
  russian_name: { kind: 'flag' },
  cyrillic_name: { kind: 'flag' },
  rating: { kind: 'least', min: 1, max: 10 },
  gifts: { kind: 'least', min: 1, max: 100 },
  chat_context: { kind: 'one', values: ['private', 'group'] },
  fresh_days: { kind: 'most', min: 1, max: 365 },
};

/** A range of few numbers is a list, a larger one a number field. */
export const isChosenFromList = ({ min, max }: { readonly min: number; readonly max: number }): boolean =>
  max - min < 12;
