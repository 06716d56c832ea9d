import { cityName } from '../../../core/cities.ts';
import { type Html, html } from '../../../core/html.ts';
import { FILTERS, type FilterKey, type Filters } from '../../../modules/targeting/index.ts';
import type { FilterKnowledge } from '../../../modules/tasks/index.ts';
import type { Visit } from '../visit.ts';

/** What an order asks for, in words. */
export function describeFilters(visit: Visit, filters: Filters): Html {
  const { filterNames, orders } = visit.texts;
  const items = FILTERS.flatMap(({ key }) => {
    const wish: unknown = filters[key];
    return wish === undefined ? [] : html`<li>${filterNames[key]}: ${wordsOf(visit, key, wish)}</li>`;
  });
  return items.length === 0 ? html`${orders.everybody}` : html`<ul class="plain-list">${items}</ul>`;
}

/** Of how many users each filter's value is known: `Страна: известно 12 %, неизвестно 88 %`. */
export function knownShares({ texts, formats }: Visit, knowledge: readonly FilterKnowledge[]): string {
  const words = texts.filters;
  const shares = knowledge.map(({ key, knownPercent }) =>
    words.knownShare(texts.filterNames[key], formats.percent(knownPercent), formats.percent(100 - knownPercent)),
  );
  return shares.length === 0 ? words.nothingKnown : shares.join('; ');
}

function wordsOf({ texts, language }: Visit, key: FilterKey, wish: unknown): string {
  const words = texts.filters;
  const named = (value: string): string =>
    key === 'cities' ? cityName(value, language) : (words.values[value] ?? value);
  if (typeof wish === 'boolean') return wish ? words.yes : words.no;
  if (typeof wish === 'string') return named(wish);
  if (Array.isArray(wish)) return wish.map((value) => named(String(value))).join(', ');
  const { min, max } = wish as { readonly min?: number; readonly max?: number };
  return [min === undefined ? '' : `${words.from} ${min}`, max === undefined ? '' : `${words.to} ${max}`]
    .filter(Boolean)
    .join(' ');
}
