import { Value } from 'typebox/value';
import { storedCities } from '../../../core/cities.ts';
import { readCount } from '../../../core/locale.ts';
import { FILTERS, type FilterKey, type Filters } from '../../../modules/targeting/index.ts';

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

export interface ReadFilters {
  readonly filters: Filters;
  /** The filters with an invalid value. */
  readonly wrong: ReadonlySet<FilterKey>;
}

const WRONG = Symbol('wrong');
const ANY_NUMBER = { min: 0, max: 999_999 };

/** Returns the filters of a form. Each filter's own schema checks its value, as the API does. */
export function readFilters(form: URLSearchParams): ReadFilters {
  const found: Record<string, unknown> = {};
  const wrong = new Set<FilterKey>();
  for (const { key, wish } of FILTERS) {
    const value = readValue(form, key, FILTER_FIELDS[key]);
    if (value === undefined) continue;
    if (value === WRONG || !Value.Check(wish, value)) wrong.add(key);
    else found[key] = value;
  }
  return { filters: found as Filters, wrong };
}

function readValue(form: URLSearchParams, key: FilterKey, field: FilterField): unknown {
  const text = (name: string): string => form.get(name)?.trim() ?? '';
  switch (field.kind) {
    case 'list': {
      const words = text(key).split(/[,;\n]/);
      const given = new Set(words.map((word) => changeCase(word.trim(), field.letters)).filter((word) => word !== ''));
      if (given.size === 0) return undefined;
      return key === 'cities' ? storedCities([...given]) : [...given];
    }
    case 'range':
      return readRange(text(`${key}_min`), text(`${key}_max`));
    case 'one':
      return text(key) === '' ? undefined : text(key);
    case 'many': {
      const chosen = field.values.filter((value) => form.getAll(key).includes(value));
      return chosen.length === 0 ? undefined : chosen;
    }
    case 'flag':
      return text(key) === '' ? undefined : text(key) === 'yes' ? true : text(key) === 'no' ? false : WRONG;
    case 'least':
      return text(key) === '' ? undefined : { min: readNumber(text(key)) };
    case 'most':
      return text(key) === '' ? undefined : { max: readNumber(text(key)) };
  }
}

const changeCase = (word: string, letters: 'upper' | 'lower' | 'as_typed'): string =>
  letters === 'upper' ? word.toUpperCase() : letters === 'lower' ? word.toLowerCase() : word;

/** Returns NaN for a text that is not a number; the schema refuses it. */
const readNumber = (text: string): number => readCount(text, ANY_NUMBER) ?? Number.NaN;

function readRange(least: string, most: string): unknown {
  if (least === '' && most === '') return undefined;
  const [min, max] = [readNumber(least), readNumber(most)];
  if (least !== '' && most !== '' && !(min <= max)) return WRONG;
  return { ...(least !== '' && { min }), ...(most !== '' && { max }) };
}

/** Returns the form fields for filters; `readFilters` reverses it. */
export function fillForm(filters: Filters): URLSearchParams {
  const form = new URLSearchParams();
  for (const { key } of FILTERS) {
    const value: unknown = filters[key];
    if (value === undefined) continue;
    const field = FILTER_FIELDS[key];
    if (field.kind === 'list') form.set(key, (value as readonly string[]).join(', '));
    else if (field.kind === 'many') for (const one of value as readonly string[]) form.append(key, one);
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
