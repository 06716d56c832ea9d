import { clip, EMPTY_LINE, html, lines } from '../../../../core/html.ts';
import { FILTERS, type FilterKey } from '../../../../modules/targeting/index.ts';
import type { BotContext } from '../../bot-context.ts';
import { type Button, inPairs, inRowsOf, press, type Screen, withNote } from '../../screen.ts';
import { describeValue, factorOf, optionName } from './describe-filters.ts';
import { type Editor, editorOf } from './filter-editors.ts';
import { effectOf, type ScreenDeps } from './filter-screens.ts';
import type { FilterSession } from './filter-session.ts';
import { valuesListed } from './set-filter.ts';

/** Returns whether the editor also takes typed values. */
export const isTyped = ({ kind }: Editor): boolean =>
  kind === 'list' || kind === 'range' || kind === 'minimum' || kind === 'maximum';

/** The screen of one filter. */
export async function editorScreen(
  deps: ScreenDeps,
  ctx: BotContext,
  session: FilterSession,
  key: FilterKey,
  note?: string,
): Promise<Screen> {
  const { filters: texts } = ctx.texts.advertiser;
  const { filters: shared } = ctx.texts.shared;
  const { target, filters } = session;
  const wish = describeValue(ctx, key, filters);
  const category = FILTERS.find((filter) => filter.key === key)?.category ?? '';
  return {
    text: withNote(
      note,
      lines(
        html`<b>${shared.names[key]}</b>${factorOf(ctx, key)}`,
        html`${texts.hints[key]}`,
        key === 'cities' && !deps.hasCityData ? html`⚠️ ${shared.noCityData}` : undefined,
        isTyped(editorOf(key)) ? html`${texts.typing[key] ?? ''}` : undefined,
        EMPTY_LINE,
        texts.now({ wish: wish ?? shared.any }),
        EMPTY_LINE,
        await effectOf(deps, ctx, session),
      ),
    ),
    rows: [
      ...choices(ctx, session, key),
      wish === undefined ? [] : [press(texts.reset, 'of.any', target, key)],
      [press(ctx.texts.common.back, 'of.cat', target, category)],
    ],
  };
}

function choices(ctx: BotContext, { target, filters }: FilterSession, key: FilterKey): Button[][] {
  const editor = editorOf(key);
  const wish = filters[key];
  const { filters: words } = ctx.texts.shared;
  const button = (label: string, value: string | number, isChosen: boolean): Button =>
    press(`${isChosen ? '✅ ' : ''}${label}`, 'of.set', target, key, value);
  switch (editor.kind) {
    case 'flag':
      return [[button(words.yes, 'yes', wish === true), button(words.no, 'no', wish === false)]];
    case 'choice':
      return [editor.options.map((option) => button(optionName(ctx, option), option, wish === option))];
    case 'several': {
      const chosen: readonly unknown[] = Array.isArray(wish) ? wish : [];
      return inPairs(editor.options.map((option) => button(optionName(ctx, option), option, chosen.includes(option))));
    }
    case 'list': {
      const chosen = valuesListed(editor, wish);
      // A value too long for a button's data can only be removed with “reset”.
      const others = chosen.filter((value) => !editor.usual.includes(value) && Buffer.byteLength(value) <= MAX_VALUE);
      return inPairs(
        [...others, ...editor.usual].map((value) =>
          button(clip(editor.name(value, ctx.person.language), 24), value, chosen.includes(value)),
        ),
      );
    }
    case 'minimum':
    case 'maximum': {
      const bound = wish as { readonly min?: number; readonly max?: number } | undefined;
      const chosen = bound?.min ?? bound?.max;
      const label = (value: number): string =>
        editor.kind === 'minimum' ? words.from(String(value)) : words.upTo(String(value));
      return inRowsOf(
        4,
        editor.usual.map((value) => button(label(value), value, value === chosen)),
      );
    }
    case 'range': {
      const { min, max } = (wish ?? {}) as { readonly min?: number; readonly max?: number };
      return inPairs(
        editor.usual.map(([least, most]) => {
          const isOpen = most === editor.most;
          const label = isOpen ? words.from(String(least)) : `${least}–${most}`;
          return button(
            label,
            `${least}-${most}`,
            min === least && (isOpen ? wish !== undefined && max === undefined : max === most),
          );
        }),
      );
    }
  }
}

/** 64 bytes of data, less `of.set`, an order's id and the longest key. */
const MAX_VALUE = 24;
