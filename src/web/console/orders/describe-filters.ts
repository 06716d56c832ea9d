import { type Html, html } from '../../../core/html.ts';
import { FILTERS, type FilterKey, type Filters } from '../../../modules/targeting/index.ts';
import type { FilterKnowledge } from '../../../modules/tasks/index.ts';
import type { Visit } from '../visit.ts';
import { FILTER_FIELDS } from './filter-form.ts';

/** Lists the filters of an order in words. */
export function describeFilters(visit: Visit, filters: Filters): Html {
  const items = FILTERS.flatMap(({ key }) => {
    const value: unknown = filters[key];
    return value === undefined
      ? []
      : html`<li>${visit.shared.filters.names[key]}: ${describeValue(visit, key, value)}</li>`;
  });
  return items.length === 0 ? html`${visit.texts.orders.allUsers}` : html`<ul class="plain-list">${items}</ul>`;
}

/** Returns for how many users each filter's value is known: `Страна: известно 12 %, неизвестно 88 %`. */
export function describeKnowledge({ texts, shared, formats }: Visit, knowledge: readonly FilterKnowledge[]): string {
  const words = texts.filters;
  const shares = knowledge.map(({ key, knownPercent }) =>
    words.knownShare(shared.filters.names[key], formats.percent(knownPercent), formats.percent(100 - knownPercent)),
  );
  return shares.length === 0 ? words.nothingKnown : shares.join('; ');
}

function describeValue({ shared, language }: Visit, key: FilterKey, value: unknown): string {
  const words = shared.filters;
  const values: Readonly<Record<string, string>> = words.values;
  const field = FILTER_FIELDS[key];
  const named = (one: string): string => (field.kind === 'list' ? field.name(one, language) : (values[one] ?? one));
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  if (typeof value === 'string') return named(value);
  if (Array.isArray(value)) return value.map((one) => named(String(one))).join(', ');
  const { min, max } = value as { readonly min?: number; readonly max?: number };
  const bounds = [min === undefined ? '' : words.from(String(min)), max === undefined ? '' : words.upTo(String(max))];
  return bounds.filter(Boolean).join(' ');
}
