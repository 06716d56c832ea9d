import { EMPTY_LINE, type Html, html, lines } from '../../../../core/html.ts';
import type { Kopecks } from '../../../../core/money.ts';
import { openSlots } from '../../../../modules/orders/index.ts';
import {
  chargeFor,
  coefficientsOf,
  FILTER_CATEGORIES,
  FILTERS,
  type FilterCategory,
  type Filters,
} from '../../../../modules/targeting/index.ts';
import { type AudienceEstimate, estimateAudience, type FilterKnowledge } from '../../../../modules/tasks/index.ts';
import type { BotContext } from '../../bot-context.ts';
import type { ManagementBotDeps } from '../../deps.ts';
import { type Button, inPairs, press, type Screen } from '../../screen.ts';
import { describeFilters, describeValue, factorOf } from './describe-filters.ts';
import { type FilterSession, isChanged, NEW_ORDER } from './filter-session.ts';

export type ScreenDeps = Pick<ManagementBotDeps, 'reports' | 'clock' | 'hasCityData' | 'unknownCharge'>;

/** Returns the price and the audience of the chosen filters, shown on every filter screen. */
export async function effectOf(deps: ScreenDeps, ctx: BotContext, session: FilterSession): Promise<Html> {
  const { formats } = ctx;
  const { effect } = ctx.texts.advertiser.filters;
  const { filters, priceKopecks, quantity, state } = session;
  const audience = await estimateAudience({ db: deps.reports, clock: deps.clock }, { filters, priceKopecks });
  const charge = audience.chargeKopecks;
  const money =
    state === undefined
      ? effect.draft({
          price: formats.rubles(priceKopecks),
          charge: formats.rubles(charge),
          count: formats.count(quantity),
          total: formats.rubles(charge * BigInt(quantity)),
        })
      : effect.order({
          before: formats.rubles(state.order.chargeKopecks),
          charge: formats.rubles(charge),
          isChanged: charge !== state.order.chargeKopecks,
          ...remaining(ctx, session),
        });
  return lines(money, audienceInWords(ctx, audience), knowledgeInWords(deps, ctx, { filters, priceKopecks, audience }));
}

/** Returns for how many users each value is known, and the charge for the others. */
export function knowledgeInWords(
  { unknownCharge }: Pick<ScreenDeps, 'unknownCharge'>,
  ctx: BotContext,
  {
    filters,
    priceKopecks,
    audience,
  }: {
    readonly filters: Filters;
    readonly priceKopecks: Kopecks;
    readonly audience: Pick<AudienceEstimate, 'knowledge' | 'chargeKopecks'>;
  },
): Html | undefined {
  const { formats } = ctx;
  const { effect } = ctx.texts.advertiser.filters;
  const { knowledge, chargeKopecks: full } = audience;
  const isAllKnown = knowledge.length > 0 && knowledge.every(({ knownPercent }) => knownPercent === 100);
  const isDearer = coefficientsOf(filters).length > 0;
  if (isAllKnown || (knowledge.length === 0 && !isDearer)) return undefined;
  const mostlyUnknown = knowledge.filter(({ knownPercent }) => knownPercent < 50);
  const names = mostlyUnknown.map(({ key }) => ctx.texts.shared.filters.names[key]).join(', ');
  return lines(
    names === '' ? undefined : effect.mostlyUnknown({ names }),
    ...knownShares(ctx, knowledge),
    !isDearer
      ? undefined
      : effect.unknownCharge({
          isBase: unknownCharge === 'base',
          base: formats.rubles(priceKopecks),
          full: formats.rubles(full),
        }),
  );
}

/** One line for each filter: `Страна: известно о 12 %, неизвестно о 88 %`. */
export function knownShares({ texts, formats }: BotContext, knowledge: readonly FilterKnowledge[]): Html[] {
  const { effect } = texts.advertiser.filters;
  const { names } = texts.shared.filters;
  return knowledge.map(({ key, knownPercent }) =>
    effect.known({
      name: names[key],
      known: formats.percent(knownPercent),
      unknown: formats.percent(100 - knownPercent),
    }),
  );
}

/** Returns how many known users the order would be shown to. */
export function audienceInWords(
  { texts, formats }: BotContext,
  { matchingUsers, knownUsers, isExact }: AudienceEstimate,
): Html {
  const { effect } = texts.advertiser.filters;
  if (knownUsers === 0) return effect.nobodyKnown;
  return effect.audience({ matching: formats.count(matchingUsers), known: formats.count(knownUsers), isExact });
}

/** Returns how many of the outstanding subscribers the order's money pays for. */
export function remaining({ formats }: BotContext, { state, filters, priceKopecks }: FilterSession) {
  if (state === undefined) return { affordable: '', left: '', isShort: false };
  const { order, progress, escrowKopecks } = state;
  const left = Math.max(0, order.quantity - progress.countedCount - progress.reservedCount);
  const terms = { quantity: order.quantity, dailyLimit: null, chargeKopecks: chargeFor(priceKopecks, filters) };
  const affordable = openSlots(terms, progress, escrowKopecks, '');
  return { affordable: formats.count(affordable), left: formats.count(left), isShort: affordable < left };
}

const CATEGORY_MARKS: Readonly<Record<FilterCategory, string>> = {
  geography: '🌍',
  profile: '👤',
  device: '📱',
  presence: '🖼',
  name: '🔤',
  quality: '⭐️',
};

const categoryName = ({ texts }: BotContext, category: FilterCategory): string =>
  `${CATEGORY_MARKS[category]} ${texts.shared.filters.categories[category]}`;

/** The six categories and the chosen filters. */
export async function overviewScreen(deps: ScreenDeps, ctx: BotContext, session: FilterSession): Promise<Screen> {
  const { filters: texts } = ctx.texts.advertiser;
  const { common } = ctx.texts;
  const { target, filters } = session;
  const chosen = describeFilters(ctx, filters);
  const countIn = (category: FilterCategory): number =>
    FILTERS.filter((filter) => filter.category === category && filters[filter.key] !== undefined).length;
  const label = (category: FilterCategory): string => {
    const count = countIn(category);
    return count === 0 ? categoryName(ctx, category) : `${categoryName(ctx, category)} · ${count}`;
  };
  const way: Button[][] =
    target === NEW_ORDER
      ? [[press(common.next, 'of.done')]]
      : [isChanged(session) ? [press(texts.apply, 'of.apply', target)] : [], [press(common.back, 'of.leave', target)]];
  return {
    text: lines(
      texts.title,
      texts.intro,
      EMPTY_LINE,
      chosen.length === 0 ? texts.everybody : lines(...chosen.map((line) => html`✅ ${line}`)),
      EMPTY_LINE,
      await effectOf(deps, ctx, session),
    ),
    rows: [
      ...inPairs(FILTER_CATEGORIES.map((category) => press(label(category), 'of.cat', target, category))),
      chosen.length === 0 ? [] : [press(texts.resetAll, 'of.none', target)],
      ...way,
    ],
  };
}

/** The filters of one category, each with its value and coefficient. */
export async function categoryScreen(
  deps: ScreenDeps,
  ctx: BotContext,
  session: FilterSession,
  category: FilterCategory,
): Promise<Screen> {
  const { filters: texts } = ctx.texts.advertiser;
  const { target, filters } = session;
  const keys = FILTERS.filter((filter) => filter.category === category).map(({ key }) => key);
  return {
    text: lines(
      html`<b>${categoryName(ctx, category)}</b>`,
      texts.chooseFilter,
      EMPTY_LINE,
      await effectOf(deps, ctx, session),
    ),
    rows: [
      ...keys.map((key) => {
        const value = describeValue(ctx, key, filters);
        const state = value === undefined ? '' : `: ${shorten(value)}`;
        return [
          press(
            `${value === undefined ? '▫️' : '✅'} ${ctx.texts.shared.filters.names[key]}${state}${factorOf(ctx, key)}`,
            'of.edit',
            target,
            key,
          ),
        ];
      }),
      [press(ctx.texts.common.back, 'of', target)],
    ],
  };
}

const shorten = (text: string): string => (text.length > 30 ? `${text.slice(0, 29)}…` : text);
