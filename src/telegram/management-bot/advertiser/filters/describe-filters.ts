import { clip } from '../../../../core/html.ts';
import { FILTERS, type FilterKey, type Filters } from '../../../../modules/targeting/index.ts';
import type { BotContext } from '../../bot-context.ts';
import { editorOf } from './filter-editors.ts';
import { valuesListed } from './set-filter.ts';

export const FILTER_KEYS: readonly FilterKey[] = FILTERS.map(({ key }) => key);

/** Returns the coefficient of a filter, such as `×1,2`, or an empty text. */
export function factorOf({ formats }: BotContext, key: FilterKey): string {
  const filter = FILTERS.find((one) => one.key === key);
  const percent = filter !== undefined && 'coefficientPercent' in filter ? filter.coefficientPercent : undefined;
  return percent === undefined ? '' : ` ${formats.factor(percent)}`;
}

export function optionName({ texts }: BotContext, option: string): string {
  const { values } = texts.shared.filters;
  return option in values ? values[option as keyof typeof values] : option;
}

/** Describes the value of a filter; undefined when it is not set. */
export function describeValue(ctx: BotContext, key: FilterKey, filters: Filters): string | undefined {
  const wish = filters[key];
  if (wish === undefined) return undefined;
  const { filters: words } = ctx.texts.shared;
  const editor = editorOf(key);
  if (typeof wish === 'boolean') return wish ? words.yes : words.no;
  if (typeof wish === 'string') return optionName(ctx, wish);
  if (Array.isArray(wish)) {
    const names =
      editor.kind === 'list'
        ? valuesListed(editor, wish).map((value) => editor.name(value, ctx.person.language))
        : wish.map((option) => optionName(ctx, String(option)));
    return clip(names.join(', '), 200);
  }
  const { min, max } = wish as { readonly min?: number; readonly max?: number };
  if (min !== undefined && max !== undefined) return min === max ? String(min) : `${min}–${max}`;
  return max === undefined ? words.from(String(min)) : words.upTo(String(max));
}

/** Describes all set filters, one line each: `Страна: Россия ×1,2`. */
export function describeFilters(ctx: BotContext, filters: Filters): string[] {
  const { names } = ctx.texts.shared.filters;
  return FILTER_KEYS.flatMap((key) => {
    const wish = describeValue(ctx, key, filters);
    return wish === undefined ? [] : [`${names[key]}: ${clip(wish, 80)}${factorOf(ctx, key)}`];
  });
}
