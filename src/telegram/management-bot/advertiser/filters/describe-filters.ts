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
  const value = filters[key];
  if (value === undefined) return undefined;
  const { filters: words } = ctx.texts.shared;
  const editor = editorOf(key);
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  if (typeof value === 'string') return optionName(ctx, value);
  if (Array.isArray(value)) {
    const names =
      editor.kind === 'list'
        ? valuesListed(editor, value).map((one) => editor.name(one, ctx.person.language))
        : value.map((option) => optionName(ctx, String(option)));
    return clip(names.join(', '), 200);
  }
  const { min, max } = value as { readonly min?: number; readonly max?: number };
  if (min !== undefined && max !== undefined) return min === max ? String(min) : `${min}–${max}`;
  return max === undefined ? words.from(String(min)) : words.upTo(String(max));
}

/** Describes all set filters, one line each: `Страна: Россия ×1,2`. */
export function describeFilters(ctx: BotContext, filters: Filters): string[] {
  const { names } = ctx.texts.shared.filters;
  return FILTER_KEYS.flatMap((key) => {
    const value = describeValue(ctx, key, filters);
    return value === undefined ? [] : [`${names[key]}: ${clip(value, 80)}${factorOf(ctx, key)}`];
  });
}
