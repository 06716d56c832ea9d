import { Value } from 'typebox/value';
import { readCount } from '../../../../core/locale.ts';
import { type FilterKey, type Filters, FiltersSchema } from '../../../../modules/targeting/index.ts';
import { editorOf, type ListEditor, type RangeEditor } from './filter-editors.ts';

/** Limited by the size of a screen. */
const MAX_LISTED = 30;

/** The outcome of a typed value. */
export type SetFilterOutcome =
  | { readonly kind: 'set'; readonly filters: Filters }
  | { readonly kind: 'unknown'; readonly words: readonly string[] }
  | { readonly kind: 'too_many'; readonly most: number }
  | { readonly kind: 'out_of_range'; readonly least: number; readonly most: number };

const isFilters = (value: unknown): value is Filters => Value.Check(FiltersSchema, value);

export function without(filters: Filters, key: FilterKey): Filters {
  const { [key]: _, ...rest } = filters;
  return rest;
}

/** Returns the filters with this value, or undefined when it is invalid. An empty list removes the filter. */
function withValue(filters: Filters, key: FilterKey, wanted: unknown): Filters | undefined {
  if (Array.isArray(wanted) && wanted.length === 0) return without(filters, key);
  const next: unknown = { ...filters, [key]: wanted };
  return isFilters(next) ? next : undefined;
}

/** Returns the values of a list without duplicates: “Москва” and “Moscow” are one. */
export function valuesListed(editor: ListEditor, stored: unknown): string[] {
  if (!Array.isArray(stored)) return [];
  return [...new Set(stored.map((value) => editor.read(String(value)) ?? String(value)))];
}

const toggled = (values: readonly string[], value: string): string[] =>
  values.includes(value) ? values.filter((other) => other !== value) : [...values, value];

/** Applies a pressed button. Returns undefined when the editor has no such value. */
export function applyPressedValue(filters: Filters, key: FilterKey, value: string): Filters | undefined {
  const editor = editorOf(key);
  switch (editor.kind) {
    case 'flag':
      return value === 'yes' || value === 'no' ? withValue(filters, key, value === 'yes') : undefined;
    case 'choice':
      return withValue(filters, key, value);
    case 'several': {
      const chosen = filters[key];
      return withValue(filters, key, toggled(Array.isArray(chosen) ? chosen.map(String) : [], value));
    }
    case 'list': {
      const known = editor.read(value);
      if (known === undefined) return undefined;
      const values = toggled(valuesListed(editor, filters[key]), known);
      return values.length > MAX_LISTED ? undefined : withValue(filters, key, values);
    }
    case 'minimum':
    case 'maximum': {
      const bound = readCount(value, { min: editor.least, max: editor.most });
      if (bound === undefined) return undefined;
      return withValue(filters, key, editor.kind === 'minimum' ? { min: bound } : { max: bound });
    }
    case 'range':
      return rangeIn(filters, key, editor, value);
  }
}

/** Applies a typed value. */
export function applyTypedValue(filters: Filters, key: FilterKey, text: string): SetFilterOutcome {
  const editor = editorOf(key);
  if (editor.kind === 'list') return addTo(filters, key, editor, text);
  const next = 'least' in editor ? applyPressedValue(filters, key, text.trim()) : undefined;
  if (next !== undefined) return { kind: 'set', filters: next };
  return 'least' in editor
    ? { kind: 'out_of_range', least: editor.least, most: editor.most }
    : { kind: 'unknown', words: [text] };
}

function addTo(filters: Filters, key: FilterKey, editor: ListEditor, text: string): SetFilterOutcome {
  const words = text
    .split(/[,;\n]/)
    .map((word) => word.trim())
    .filter((word) => word !== '');
  const unknown = words.filter((word) => editor.read(word) === undefined);
  if (unknown.length > 0 || words.length === 0)
    return { kind: 'unknown', words: words.length === 0 ? [text] : unknown };
  const values = new Set(valuesListed(editor, filters[key]));
  for (const word of words) values.add(editor.read(word) ?? word);
  if (values.size > MAX_LISTED) return { kind: 'too_many', most: MAX_LISTED };
  const next = withValue(filters, key, [...values]);
  return next === undefined ? { kind: 'unknown', words } : { kind: 'set', filters: next };
}

/** Reads `18-35`, `18+`, `от 18`, `до 35`, or one number for exactly that age. */
function rangeIn(filters: Filters, key: FilterKey, { least, most }: RangeEditor, text: string): Filters | undefined {
  const word = text.trim().toLowerCase();
  const both = /^(\d{1,3})\s*(?:-|–|—)\s*(\d{1,3})$/.exec(word);
  const floor = /^(?:(?:от|from|>=?)\s*(\d{1,3})|(\d{1,3})\s*\+)$/.exec(word);
  const ceiling = /^(?:до|to|up to|under|<=?)\s*(\d{1,3})$/.exec(word);
  const exact = /^(\d{1,3})$/.exec(word);
  const min = Number(both?.[1] ?? floor?.[1] ?? floor?.[2] ?? exact?.[1] ?? least);
  const max = Number(both?.[2] ?? ceiling?.[1] ?? exact?.[1] ?? most);
  if ((both ?? floor ?? ceiling ?? exact) === null || min > max || min < least || max > most) return undefined;
  // The full range is no filter and must not be charged as one.
  if (min === least && max === most) return without(filters, key);
  return withValue(filters, key, { ...(min > least && { min }), ...(max < most && { max }) });
}
