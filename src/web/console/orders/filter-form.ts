import { Value } from 'typebox/value';
import { storedCities } from '../../../core/cities.ts';
import { readCount } from '../../../core/locale.ts';
import { FILTERS, type FilterKey, type Filters } from '../../../modules/targeting/index.ts';
import { FILTER_FIELDS, type FilterField } from './filter-fields.ts';

export interface ReadFilters {
  readonly filters: Filters;
  /** Those whose fields hold something that cannot be asked for. */
  readonly wrong: ReadonlySet<FilterKey>;
}

const WRONG = Symbol('wrong');
const ANY_NUMBER = { min: 0, max: 999_999 };

/** The filters that a form asks for. Each is checked by its own schema, so what passes here passes everywhere. */
export function filtersIn(form: URLSearchParams): ReadFilters {
  const found: Record<string, unknown> = {};
  const wrong = new Set<FilterKey>();
  for (const { key, wish } of FILTERS) {
    const asked = wishIn(form, key, FILTER_FIELDS[key]);
    if (asked === undefined) continue;
    if (asked === WRONG || !Value.Check(wish, asked)) wrong.add(key);
    else found[key] = asked;
  }
  return { filters: found as Filters, wrong };
}

function wishIn(form: URLSearchParams, key: FilterKey, field: FilterField): unknown {
  const text = (name: string): string => form.get(name)?.trim() ?? '';
  switch (field.kind) {
    case 'list': {
      const words = [
        ...new Set(
          text(key)
            .split(/[,;\n]/)
            .map((word) => inLetters(word.trim(), field.letters)),
        ),
      ];
      const given = words.filter((word) => word !== '');
      if (given.length === 0) return undefined;
      return key === 'cities' ? storedCities(given) : given;
    }
    case 'range':
      return rangeIn(text(`${key}_min`), text(`${key}_max`));
    case 'one':
      return text(key) === '' ? undefined : text(key);
    case 'many': {
      const chosen = field.values.filter((value) => form.getAll(key).includes(value));
      return chosen.length === 0 ? undefined : chosen;
    }
    case 'flag':
      return text(key) === '' ? undefined : text(key) === 'yes' ? true : text(key) === 'no' ? false : WRONG;
    case 'least':
      return text(key) === '' ? undefined : { min: numberIn(text(key)) };
    case 'most':
      return text(key) === '' ? undefined : { max: numberIn(text(key)) };
  }
}

const inLetters = (word: string, letters: 'upper' | 'lower' | 'as_typed'): string =>
  letters === 'upper' ? word.toUpperCase() : letters === 'lower' ? word.toLowerCase() : word;

/** What is no number is no number of the schema either. */
const numberIn = (text: string): number => readCount(text, ANY_NUMBER) ?? Number.NaN;

function rangeIn(least: string, most: string): unknown {
  if (least === '' && most === '') return undefined;
  const [min, max] = [numberIn(least), numberIn(most)];
  if (least !== '' && most !== '' && !(min <= max)) return WRONG;
  return { ...(least !== '' && { min }), ...(most !== '' && { max }) };
}

/** The fields of a form that asks for these filters. */
export function formOf(filters: Filters): URLSearchParams {
  const form = new URLSearchParams();
  for (const { key } of FILTERS) {
    const wish: unknown = filters[key];
    if (wish === undefined) continue;
    const field = FILTER_FIELDS[key];
    if (field.kind === 'list') form.set(key, (wish as readonly string[]).join(', '));
    else if (field.kind === 'many') for (const value of wish as readonly string[]) form.append(key, value);
    else if (typeof wish === 'boolean') form.set(key, wish ? 'yes' : 'no');
    else if (typeof wish === 'string') form.set(key, wish);
    else for (const [name, value] of boundsOf(key, field, wish)) form.set(name, value);
  }
  return form;
}

function boundsOf(key: FilterKey, field: FilterField, wish: unknown): [name: string, value: string][] {
  const { min, max } = wish as { readonly min?: number; readonly max?: number };
  if (field.kind !== 'range') return [[key, String(min ?? max ?? '')]];
  return [
    [`${key}_min`, String(min ?? '')],
    [`${key}_max`, String(max ?? '')],
  ];
}
