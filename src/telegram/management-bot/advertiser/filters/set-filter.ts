import { Value } from 'typebox/value';
import { readCount } from '../../../../core/locale.ts';
import { type FilterKey, type Filters, FiltersSchema } from '../../../../modules/targeting/index.ts';
import { editorOf, type ListEditor, type RangeEditor } from './filter-editors.ts';

/** More would not fit on a screen, and nobody aims at so many. */
const MAX_LISTED = 30;

/** What came of setting a filter. */
export type WishOutcome =
  | { readonly kind: 'set'; readonly filters: Filters }
  | { readonly kind: 'unknown'; readonly words: readonly string[] }
  | { readonly kind: 'too_many'; readonly most: number }
  | { readonly kind: 'out_of_range'; readonly least: number; readonly most: number };

const isFilters = (value: unknown): value is Filters => Value.Check(FiltersSchema, value);

export function without(filters: Filters, key: FilterKey): Filters {
  const { [key]: _, ...rest } = filters;
  return rest;
}

/** The filters with this wish; nothing when there is no such wish. A filter that asks for nothing is no filter. */
function withWish(filters: Filters, key: FilterKey, wish: unknown): Filters | undefined {
  if (Array.isArray(wish) && wish.length === 0) return without(filters, key);
  const next: unknown = { ...filters, [key]: wish };
  return isFilters(next) ? next : undefined;
}

/** What stands in a list, each thing once: “Москва” and “Moscow” are one. */
export function valuesListed(editor: ListEditor, stored: unknown): string[] {
  if (!Array.isArray(stored)) return [];
  return [...new Set(stored.map((value) => editor.read(String(value)) ?? String(value)))];
}

const toggled = (values: readonly string[], value: string): string[] =>
  values.includes(value) ? values.filter((other) => other !== value) : [...values, value];

/** A button of the filter's editor was pressed. Nothing when no button of it has that value. */
export function pressWish(filters: Filters, key: FilterKey, value: string): Filters | undefined {
  const editor = editorOf(key);
  switch (editor.kind) {
    case 'flag':
      return value === 'yes' || value === 'no' ? withWish(filters, key, value === 'yes') : undefined;
    case 'choice':
      return withWish(filters, key, value);
    case 'several': {
      const chosen = filters[key];
      return withWish(filters, key, toggled(Array.isArray(chosen) ? chosen.map(String) : [], value));
    }
    case 'list': {
      const known = editor.read(value);
      if (known === undefined) return undefined;
      const values = toggled(valuesListed(editor, filters[key]), known);
      return values.length > MAX_LISTED ? undefined : withWish(filters, key, values);
    }
    case 'minimum':
    case 'maximum': {
      const bound = readCount(value, { min: editor.least, max: editor.most });
      if (bound === undefined) return undefined;
      return withWish(filters, key, editor.kind === 'minimum' ? { min: bound } : { max: bound });
    }
    case 'range':
      return rangeIn(filters, key, editor, value);
  }
}

/** What a person typed into the filter's editor. */
export function typeWish(filters: Filters, key: FilterKey, text: string): WishOutcome {
  const editor = editorOf(key);
  if (editor.kind === 'list') return addTo(filters, key, editor, text);
  const next = 'least' in editor ? pressWish(filters, key, text.trim()) : undefined;
  if (next !== undefined) return { kind: 'set', filters: next };
  return 'least' in editor
    ? { kind: 'out_of_range', least: editor.least, most: editor.most }
    : { kind: 'unknown', words: [text] };
}

function addTo(filters: Filters, key: FilterKey, editor: ListEditor, text: string): WishOutcome {
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
  const next = withWish(filters, key, [...values]);
  return next === undefined ? { kind: 'unknown', words } : { kind: 'set', filters: next };
}

/** `18-35`, `18+`, `от 18`, `до 35`, or one number for exactly that age. */
function rangeIn(filters: Filters, key: FilterKey, { least, most }: RangeEditor, text: string): Filters | undefined {
  const word = text.trim().toLowerCase();
  const both = /^(\d{1,3})\s*(?:-|–|—)\s*(\d{1,3})$/.exec(word);
  const floor = /^(?:(?:от|from|>=?)\s*(\d{1,3})|(\d{1,3})\s*\+)$/.exec(word);
  const ceiling = /^(?:до|to|up to|under|<=?)\s*(\d{1,3})$/.exec(word);
  const exact = /^(\d{1,3})$/.exec(word);
  const min = Number(both?.[1] ?? floor?.[1] ?? floor?.[2] ?? exact?.[1] ?? least);
  const max = Number(both?.[2] ?? ceiling?.[1] ?? exact?.[1] ?? most);
  if ((both ?? floor ?? ceiling ?? exact) === null || min > max || min < least || max > most) return undefined;
  // Everybody: that is no filter, and must not cost what one costs.
  if (min === least && max === most) return without(filters, key);
  return withWish(filters, key, { ...(min > least && { min }), ...(max < most && { max }) });
}
