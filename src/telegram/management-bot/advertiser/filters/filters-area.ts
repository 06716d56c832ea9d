import { clip, EMPTY_LINE, html, lines } from '../../../../core/html.ts';
import { changeFilters, changeOwnOrder } from '../../../../modules/orders/index.ts';
import { chargeFor, FILTER_CATEGORIES, FILTERS, type FilterKey } from '../../../../modules/targeting/index.ts';
import { Area, type BotContext, choiceIn, StaleButton } from '../../bot-context.ts';
import type { ManagementBotDeps } from '../../deps.ts';
import { type Button, inPairs, inRowsOf, press, type Screen, withNote } from '../../screen.ts';
import { keepDrafts, orderDraftOf } from '../order-draft.ts';
import type { Wizard } from '../wizard.ts';
import { describeFilters, describeValue, FILTER_KEYS, factorOf, optionName } from './describe-filters.ts';
import { type Editor, editorOf } from './filter-editors.ts';
import { categoryScreen, effectOf, overviewScreen, remaining, type ScreenDeps } from './filter-screens.ts';
import { type FilterSession, isChanged, keepFilters, NEW_ORDER, openSession } from './filter-session.ts';
import { applyPressedValue, applyTypedValue, type SetFilterOutcome, valuesListed, without } from './set-filter.ts';

/** The audience of an order: its filters. */
export function filtersArea(
  deps: ManagementBotDeps,
  wizard: Wizard,
  showOrder: (ctx: BotContext, orderId: number) => Promise<void>,
): Area {
  const area = new Area();

  /** Shows the categories; for a draft they are a step of the wizard. */
  async function showOverview(ctx: BotContext, session: FilterSession): Promise<void> {
    if (session.target === NEW_ORDER) return wizard.goTo(ctx, 'users');
    return ctx.talk.show(await overviewScreen(deps, ctx, session));
  }

  async function showEditor(ctx: BotContext, session: FilterSession, key: FilterKey, note?: string): Promise<void> {
    const screen = await editorScreen(deps, ctx, session, key, note);
    await (isTyped(editorOf(key)) ? ctx.talk.ask('of.type', [session.target, key], screen) : ctx.talk.show(screen));
  }

  area.onPress('of', async (ctx, target) => showOverview(ctx, await openSession(deps, ctx, target)));
  area.onPress('of.cat', async (ctx, target, category) => {
    const session = await openSession(deps, ctx, target);
    await ctx.talk.show(await categoryScreen(deps, ctx, session, choiceIn(category, FILTER_CATEGORIES)));
  });
  area.onPress('of.edit', async (ctx, target, key) =>
    showEditor(ctx, await openSession(deps, ctx, target), choiceIn(key, FILTER_KEYS)),
  );

  area.onPress('of.set', async (ctx, target, name, value = '') => {
    const key = choiceIn(name, FILTER_KEYS);
    const session = await openSession(deps, ctx, target);
    const filters = applyPressedValue(session.filters, key, value);
    if (filters === undefined) throw new StaleButton('an unknown filter value');
    await showEditor(ctx, await keepFilters(ctx, session, filters), key);
  });
  area.onPress('of.any', async (ctx, target, name) => {
    const key = choiceIn(name, FILTER_KEYS);
    const session = await openSession(deps, ctx, target);
    await showEditor(ctx, await keepFilters(ctx, session, without(session.filters, key)), key);
  });
  area.onText('of.type', async (ctx, text, target, name) => {
    const key = choiceIn(name, FILTER_KEYS);
    const session = await openSession(deps, ctx, target);
    const outcome = applyTypedValue(session.filters, key, text);
    if (outcome.kind !== 'set') return showEditor(ctx, session, key, problemWith(ctx, outcome));
    return showEditor(ctx, await keepFilters(ctx, session, outcome.filters), key);
  });
  area.onPress('of.none', async (ctx, target) => {
    const session = await openSession(deps, ctx, target);
    await showOverview(ctx, await keepFilters(ctx, session, {}));
  });

  area.onPress('of.done', (ctx) => wizard.enter(ctx, { filters: orderDraftOf(ctx).filters ?? {} }));

  /** Leaves the filters of an order and drops changes that were not applied. */
  area.onPress('of.leave', async (ctx, target) => {
    const session = await openSession(deps, ctx, target);
    const { state } = session;
    if (state === undefined) throw new StaleButton('a draft has no page');
    if (isChanged(session)) ctx.talk.toast(ctx.texts.advertiser.filters.notApplied);
    await keepDrafts(ctx, { edit: undefined });
    await showOrder(ctx, state.order.id);
  });

  area.onPress('of.apply', async (ctx, target) => {
    const session = await openSession(deps, ctx, target);
    const { state, filters } = session;
    if (state === undefined || !isChanged(session)) return showOverview(ctx, session);
    const { filters: texts } = ctx.texts.advertiser;
    const { rubles } = ctx.formats;
    const chosen = describeFilters(ctx, filters);
    return ctx.talk.show({
      text: texts.confirm({
        orderId: state.order.id,
        before: rubles(state.order.chargeKopecks),
        charge: rubles(chargeFor(state.order.priceKopecks, filters)),
        chosen,
        ...remaining(ctx, session),
      }),
      rows: [[press(ctx.texts.common.yes, 'of.yes', state.order.id), press(ctx.texts.common.no, 'of', state.order.id)]],
    });
  });
  // Applying twice changes nothing the second time.
  area.onPress('of.yes', async (ctx, target) => {
    const { state, filters } = await openSession(deps, ctx, target);
    if (state === undefined) throw new StaleButton('a draft is not applied');
    const orderId = state.order.id;
    await changeOwnOrder(deps, { accountId: ctx.person.accountId, orderId }, (tx) =>
      changeFilters(tx, { orderId, filters }),
    );
    await keepDrafts(ctx, { edit: undefined });
    ctx.talk.toast(ctx.texts.advertiser.filters.applied);
    await showOrder(ctx, orderId);
  });
  return area;
}

function problemWith({ texts, formats }: BotContext, outcome: Exclude<SetFilterOutcome, { kind: 'set' }>): string {
  const { wrong } = texts.advertiser.filters;
  switch (outcome.kind) {
    case 'unknown':
      return wrong.unknown({ words: outcome.words.join(', ').slice(0, 200) });
    case 'too_many':
      return wrong.tooMany({ most: formats.count(outcome.most) });
    case 'out_of_range':
      return wrong.outOfRange({ least: formats.count(outcome.least), most: formats.count(outcome.most) });
  }
}

/** Returns whether the editor also takes typed values. */
const isTyped = ({ kind }: Editor): boolean =>
  kind === 'list' || kind === 'range' || kind === 'minimum' || kind === 'maximum';

/** The screen of one filter. */
async function editorScreen(
  deps: ScreenDeps,
  ctx: BotContext,
  session: FilterSession,
  key: FilterKey,
  note?: string,
): Promise<Screen> {
  const { filters: texts } = ctx.texts.advertiser;
  const { filters: shared } = ctx.texts.shared;
  const { target, filters } = session;
  const value = describeValue(ctx, key, filters);
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
        texts.now({ value: value ?? shared.any }),
        EMPTY_LINE,
        await effectOf(deps, ctx, session),
      ),
    ),
    rows: [
      ...choices(ctx, session, key),
      value === undefined ? [] : [press(texts.reset, 'of.any', target, key)],
      [press(ctx.texts.common.back, 'of.cat', target, category)],
    ],
  };
}

function choices(ctx: BotContext, { target, filters }: FilterSession, key: FilterKey): Button[][] {
  const editor = editorOf(key);
  const current = filters[key];
  const { filters: words } = ctx.texts.shared;
  const button = (label: string, value: string | number, isChosen: boolean): Button =>
    press(`${isChosen ? '✅ ' : ''}${label}`, 'of.set', target, key, value);
  switch (editor.kind) {
    case 'flag':
      return [[button(words.yes, 'yes', current === true), button(words.no, 'no', current === false)]];
    case 'choice':
      return [editor.options.map((option) => button(optionName(ctx, option), option, current === option))];
    case 'several': {
      const chosen: readonly unknown[] = Array.isArray(current) ? current : [];
      return inPairs(editor.options.map((option) => button(optionName(ctx, option), option, chosen.includes(option))));
    }
    case 'list': {
      const chosen = valuesListed(editor, current);
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
      const bound = current as { readonly min?: number; readonly max?: number } | undefined;
      const chosen = bound?.min ?? bound?.max;
      const label = (value: number): string =>
        editor.kind === 'minimum' ? words.from(String(value)) : words.upTo(String(value));
      return inRowsOf(
        4,
        editor.usual.map((value) => button(label(value), value, value === chosen)),
      );
    }
    case 'range': {
      const { min, max } = (current ?? {}) as { readonly min?: number; readonly max?: number };
      return inPairs(
        editor.usual.map(([least, most]) => {
          const isOpen = most === editor.most;
          const label = isOpen ? words.from(String(least)) : `${least}–${most}`;
          return button(
            label,
            `${least}-${most}`,
            min === least && (isOpen ? current !== undefined && max === undefined : max === most),
          );
        }),
      );
    }
  }
}

/** 64 bytes of data, less `of.set`, an order's id and the longest key. */
const MAX_VALUE = 24;
