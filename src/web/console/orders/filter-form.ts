import { Value } from 'typebox/value';
import { cityName } from '../../../core/cities.ts';
import { type Language, readCount } from '../../../core/locale.ts';
import { countryName, languageName, readCity, readCountry, readLanguage } from '../../../core/place-names.ts';
import { FILTERS, type FilterKey, type Filters } from '../../../modules/targeting/index.ts';

/** The kind of form field for a filter. The filter's own schema defines the allowed values. */
export type FilterField =
  /** Names separated by commas. `read` returns the stored value of one, or undefined; `name` reverses it. */
  | {
      readonly kind: 'list';
      readonly read: (word: string) => string | undefined;
      readonly name: (value: string, language: Language) => string;
    }
  /** A minimum and a maximum, both optional. */
  | { readonly kind: 'range'; readonly min: number; readonly max: number }
  | { readonly kind: 'one'; readonly values: readonly string[] }
  | { readonly kind: 'many'; readonly values: readonly string[] }
  /** Yes, no or any. */
  | { readonly kind: 'flag' }
  | { readonly kind: 'least'; readonly min: number; readonly max: number }
  | { readonly kind: 'most'; readonly min: number; readonly max: number };

export const FILTER_FIELDS: Readonly<Record<FilterKey, FilterField>> = {
  languages: { kind: 'list', read: readLanguage, name: languageName },
  countries: { kind: 'list', read: readCountry, name: countryName },
  cities: { kind: 'list', read: readCity, name: cityName },
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
  min_quality: { kind: 'least', min: 1, max: 100 },
  scored_source: { kind: 'flag' },
  human_checked: { kind: 'flag' },
};

/** A range of few numbers is a list, a larger one a number field. */
export const isChosenFromList = ({ min, max }: { readonly min: number; readonly max: number }): boolean =>
  max - min < 12;

/** Why the value of a filter is not accepted. */
export type FilterProblem =
  | { readonly kind: 'unknown'; readonly word: string }
  | { readonly kind: 'number'; readonly min: number; readonly max: number }
  /** The lower bound is above the upper one. */
  | { readonly kind: 'bounds' }
  | { readonly kind: 'choice' };

export interface ReadFilters {
  readonly filters: Filters;
  readonly wrong: ReadonlyMap<FilterKey, FilterProblem>;
}

class Problem {
  readonly reason: FilterProblem;
  constructor(reason: FilterProblem) {
    this.reason = reason;
  }
}
const ANY_NUMBER = { min: 0, max: 999_999 };

/** Returns the filters of a form. Each filter's own schema checks its value, as the API does. */
export function readFilters(form: URLSearchParams): ReadFilters {
  const found: Record<string, unknown> = {};
  const wrong = new Map<FilterKey, FilterProblem>();
  for (const { key, condition } of FILTERS) {
    const field = FILTER_FIELDS[key];
    const value = readValue(form, key, field);
    if (value === undefined) continue;
    if (value instanceof Problem) wrong.set(key, value.reason);
    else if (Value.Check(condition, value)) found[key] = value;
    else wrong.set(key, 'min' in field ? { kind: 'number', min: field.min, max: field.max } : { kind: 'choice' });
  }
  return { filters: found as Filters, wrong };
}

function readValue(form: URLSearchParams, key: FilterKey, field: FilterField): unknown {
  const text = (name: string): string => form.get(name)?.trim() ?? '';
  switch (field.kind) {
    case 'list':
      return readList(text(key), field.read);
    case 'range':
      return readRange(text(`${key}_min`), text(`${key}_max`));
    case 'one':
      return text(key) === '' ? undefined : text(key);
    case 'many': {
      const chosen = field.values.filter((value) => form.getAll(key).includes(value));
      return chosen.length === 0 ? undefined : chosen;
    }
    case 'flag':
      if (text(key) === '') return undefined;
      return text(key) === 'yes' || (text(key) === 'no' ? false : new Problem({ kind: 'choice' }));
    case 'least':
      return text(key) === '' ? undefined : { min: readNumber(text(key)) };
    case 'most':
      return text(key) === '' ? undefined : { max: readNumber(text(key)) };
  }
}

function readList(text: string, read: (word: string) => string | undefined): string[] | Problem | undefined {
  const values = new Set<string>();
  for (const word of text.split(/[,;\n]/).map((part) => part.trim())) {
    if (word === '') continue;
    const value = read(word);
    if (value === undefined) return new Problem({ kind: 'unknown', word });
    values.add(value);
  }
  return values.size === 0 ? undefined : [...values];
}

/** Returns NaN for a text that is not a number; the schema refuses it. */
const readNumber = (text: string): number => readCount(text, ANY_NUMBER) ?? Number.NaN;

function readRange(least: string, most: string): unknown {
  if (least === '' && most === '') return undefined;
  const [min, max] = [readNumber(least), readNumber(most)];
  if (least !== '' && most !== '' && min > max) return new Problem({ kind: 'bounds' });
  return { ...(least !== '' && { min }), ...(most !== '' && { max }) };
}

/** Returns the form fields for filters; `readFilters` reverses it. */
export function fillForm(filters: Filters, language: Language): URLSearchParams {
  const form = new URLSearchParams();
  for (const { key } of FILTERS) {
    const value: unknown = filters[key];
    if (value === undefined) continue;
    const field = FILTER_FIELDS[key];
    if (field.kind === 'list') {
      // A name that would not be read again, such as that of a dialect, stays a code.
      const named = (one: string): string => {
        const name = field.name(one, language);
        return field.read(name) === one ? name : one;
      };
      form.set(key, (value as readonly string[]).map(named).join(', '));
    } else if (field.kind === 'many') for (const one of value as readonly string[]) form.append(key, one);
    else if (typeof value === 'boolean') form.set(key, value ? 'yes' : 'no');
    else if (typeof value === 'string') form.set(key, value);
    else for (const [name, bound] of boundsOf(key, field, value)) form.set(name, bound);
  }
  return form;
}

function boundsOf(key: FilterKey, field: FilterField, range: unknown): [name: string, value: string][] {
  const { min, max } = range as { readonly min?: number; readonly max?: number };
  if (field.kind !== 'range') return [[key, String(min ?? max ?? '')]];
  return [
    [`${key}_min`, String(min ?? '')],
    [`${key}_max`, String(max ?? '')],
  ];
}
