import { clip, EMPTY_LINE, type Html, lines } from '../../../core/html.ts';
import { readCount } from '../../../core/locale.ts';
import {
  type Adjustment,
  adjustBot,
  type Bot,
  MAX_EXCLUDED_ORDERS,
  MAX_SPONSORS,
  RESOURCE_TYPES,
  ROUND_SECONDS,
} from '../../../modules/bots/index.ts';
import { findOrders } from '../../../modules/orders/index.ts';
import { type Area, type BotContext, choiceIn, idIn, pageIn } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { arrows, PAGE_SIZE, pageOf, press, type Screen, withNote } from '../screen.ts';
import { botIn } from './bot-page.ts';

const QUICK_COUNTS = [1, 3, 5, 10, 20, 50] as const;
const ROUND_MINUTES = { min: ROUND_SECONDS.min / 60, max: ROUND_SECONDS.max / 60 } as const;
const QUICK_MINUTES = [5, 30, 60, 180, 360, 720, 1440, 2880, 4320] as const;
const ON_OFF = ['0', '1'] as const;

export function botSettings(area: Area, deps: ManagementBotDeps): void {
  /** Changes a setting and shows all settings. */
  async function adjust(ctx: BotContext, id: string | undefined, adjustment: Adjustment): Promise<void> {
    const bot = await adjustBot(deps.db, { accountId: ctx.person.accountId, botId: idIn(id), adjustment });
    await ctx.talk.expectNothing();
    ctx.talk.toast(ctx.texts.common.done);
    await ctx.talk.show(settingsScreen(ctx, bot));
  }

  area.onPress('botSet', async (ctx, id) => ctx.talk.show(settingsScreen(ctx, await botIn(deps, ctx, id))));

  area.onPress('botMax', async (ctx, id) => askCount(ctx, await botIn(deps, ctx, id)));
  area.onPress('botMaxSet', (ctx, id, count) => adjust(ctx, id, { kind: 'max_sponsors', value: idIn(count) }));
  area.onText('bot.max', async (ctx, text, id) => {
    const value = readCount(text, MAX_SPONSORS);
    if (value !== undefined) return adjust(ctx, id, { kind: 'max_sponsors', value });
    return askCount(ctx, await botIn(deps, ctx, id), wrongCount(ctx, MAX_SPONSORS));
  });

  area.onPress('botRound', async (ctx, id) => askRound(ctx, await botIn(deps, ctx, id)));
  area.onPress('botRoundSet', (ctx, id, minutes) =>
    adjust(ctx, id, { kind: 'round_seconds', value: idIn(minutes) * 60 }),
  );
  area.onText('bot.round', async (ctx, text, id) => {
    const minutes = readCount(text, ROUND_MINUTES);
    if (minutes !== undefined) return adjust(ctx, id, { kind: 'round_seconds', value: minutes * 60 });
    return askRound(ctx, await botIn(deps, ctx, id), wrongCount(ctx, ROUND_MINUTES));
  });

  for (const { name, kind, isOn, ask } of SWITCHES) {
    area.onPress(name, async (ctx, id) => {
      const bot = await botIn(deps, ctx, id);
      const { common, publisher } = ctx.texts;
      const change = isOn(bot) ? publisher.bot.switchOff : publisher.bot.switchOn;
      await ctx.talk.show({
        text: publisher.settings[ask]({
          value: isOn(bot) ? common.on : common.off,
          privacy: `${deps.publicUrl()}/privacy`,
        }),
        rows: [[press(change, `${name}Set`, bot.id, isOn(bot) ? '0' : '1')], [press(common.back, 'botSet', bot.id)]],
      });
    });
    area.onPress(`${name}Set`, (ctx, id, state) => adjust(ctx, id, { kind, value: choiceIn(state, ON_OFF) === '1' }));
  }
}

/** The settings that are on or off. */
const SWITCHES = [
  { name: 'botProf', kind: 'collects_profiles', isOn: (bot: Bot) => bot.collectsProfiles, ask: 'askProfiles' },
  {
    name: 'botWarn',
    kind: 'warns_of_unknown_orders',
    isOn: (bot: Bot) => bot.warnsOfUnknownOrders,
    ask: 'askUnknownOrders',
  },
] as const;

/** One button per setting, with its value. */
function settingsScreen({ texts, formats }: BotContext, bot: Bot): Screen {
  const { common, publisher } = texts;
  const { settings } = publisher;
  const types = bot.excludedResourceTypes;
  const shown = types.has('channel')
    ? settings.onlyType.bot
    : types.has('bot')
      ? settings.onlyType.channel
      : settings.allTypes;
  return {
    text: lines(settings.title(bot), EMPTY_LINE, settings.choose),
    rows: [
      [press(settings.maxSponsors({ value: formats.count(bot.maxSponsors) }), 'botMax', bot.id)],
      [press(settings.round({ value: settings.duration(bot.roundSeconds / 60) }), 'botRound', bot.id)],
      [press(settings.profiles({ value: bot.collectsProfiles ? common.on : common.off }), 'botProf', bot.id)],
      [press(settings.unknownOrders({ value: bot.warnsOfUnknownOrders ? common.on : common.off }), 'botWarn', bot.id)],
      [press(publisher.gate.menu, 'botGate', bot.id)],
      [press(settings.types({ value: shown }), 'botTypes', bot.id)],
      [press(settings.orders({ value: formats.count(bot.excludedOrderIds.size) }), 'botHidden', bot.id)],
      [press(common.back, 'bot', bot.id)],
    ],
  };
}

function askCount(ctx: BotContext, bot: Bot, note?: string): Promise<void> {
  const { common, publisher } = ctx.texts;
  const { count } = ctx.formats;
  const text = publisher.settings.askMaxSponsors({ value: count(bot.maxSponsors), ...bounds(ctx, MAX_SPONSORS) });
  return ctx.talk.ask('bot.max', [bot.id], {
    text: withNote(note, text),
    rows: [
      QUICK_COUNTS.map((value) => press(count(value), 'botMaxSet', bot.id, value)),
      [press(common.back, 'botSet', bot.id)],
    ],
  });
}

function askRound(ctx: BotContext, bot: Bot, note?: string): Promise<void> {
  const { common, publisher } = ctx.texts;
  const { duration, askRound: question } = publisher.settings;
  const text = question({ value: duration(bot.roundSeconds / 60), ...bounds(ctx, ROUND_MINUTES) });
  const quick = QUICK_MINUTES.map((minutes) => press(duration(minutes), 'botRoundSet', bot.id, minutes));
  return ctx.talk.ask('bot.round', [bot.id], {
    text: withNote(note, text),
    rows: [quick.slice(0, 3), quick.slice(3, 6), quick.slice(6), [press(common.back, 'botSet', bot.id)]],
  });
}

interface Bounds {
  readonly min: number;
  readonly max: number;
}

const bounds = ({ formats }: BotContext, { min, max }: Bounds): { min: string; max: string } => ({
  min: formats.count(min),
  max: formats.count(max),
});

const wrongCount = (ctx: BotContext, limits: Bounds): string => ctx.texts.common.wrongCount(bounds(ctx, limits));

const ORDER_IDS = { min: 1, max: 999_999_999_999 } as const;
const MAX_TITLE = 30;

/** Resource types and orders that a bot does not show. */
export function botExclusions(area: Area, deps: ManagementBotDeps): void {
  async function hide(ctx: BotContext, botId: number, orderId: number, isExcluded: boolean): Promise<Bot> {
    const adjustment = { kind: 'order', orderId, isExcluded } as const;
    return adjustBot(deps.db, { accountId: ctx.person.accountId, botId, adjustment });
  }

  area.onPress('botTypes', async (ctx, id) => ctx.talk.show(typesScreen(ctx, await botIn(deps, ctx, id))));
  area.onPress('botTypeSet', async (ctx, id, type, state) => {
    const chosen = { type: choiceIn(type, RESOURCE_TYPES), isExcluded: choiceIn(state, ON_OFF) === '1' };
    const bot = await botIn(deps, ctx, id);
    if (chosen.isExcluded && RESOURCE_TYPES.every((one) => one === chosen.type || bot.excludedResourceTypes.has(one))) {
      return ctx.talk.toast(ctx.texts.publisher.settings.lastType, { alert: true });
    }
    const adjustment = { kind: 'resource_type', ...chosen } as const;
    const changed = await adjustBot(deps.db, { accountId: ctx.person.accountId, botId: bot.id, adjustment });
    return ctx.talk.show(typesScreen(ctx, changed));
  });

  area.onPress('botHidden', async (ctx, id, page) => {
    await ctx.talk.show(await hiddenScreen(deps, ctx, await botIn(deps, ctx, id), pageIn(page)));
  });
  area.onPress('botUnhide', async (ctx, id, orderId) => {
    await ctx.talk.show(await hiddenScreen(deps, ctx, await hide(ctx, idIn(id), idIn(orderId), false), 0));
  });
  area.onPress('botHide', async (ctx, id) => askOrder(ctx, await botIn(deps, ctx, id)));
  area.onText('bot.hide', async (ctx, text, id) => {
    const { settings } = ctx.texts.publisher;
    const bot = await botIn(deps, ctx, id);
    const orderId = readCount(text.replace(/^\s*(№|#|no\.?)/iu, ''), ORDER_IDS);
    const [order] = orderId === undefined ? [] : await findOrders(deps.db, [orderId]);
    if (order === undefined) return askOrder(ctx, bot, settings.wrongOrder);
    if (bot.excludedOrderIds.size >= MAX_EXCLUDED_ORDERS) {
      return askOrder(ctx, bot, settings.tooManyOrders({ most: ctx.formats.count(MAX_EXCLUDED_ORDERS) }));
    }
    await ctx.talk.expectNothing();
    return ctx.talk.show(await hiddenScreen(deps, ctx, await hide(ctx, bot.id, order.id, true), 0));
  });
}

function typesScreen({ texts }: BotContext, bot: Bot): Screen {
  const { settings } = texts.publisher;
  return {
    text: settings.askTypes,
    rows: [
      RESOURCE_TYPES.map((type) => {
        const isExcluded = bot.excludedResourceTypes.has(type);
        const label = isExcluded ? settings.typeHidden[type] : settings.typeShown[type];
        return press(label, 'botTypeSet', bot.id, type, isExcluded ? '0' : '1');
      }),
      [press(texts.common.back, 'botSet', bot.id)],
    ],
  };
}

async function hiddenScreen(deps: ManagementBotDeps, ctx: BotContext, bot: Bot, number: number): Promise<Screen> {
  const { common, publisher } = ctx.texts;
  const { settings } = publisher;
  // The latest first: the publisher most likely wants that one back.
  const ids = [...bot.excludedOrderIds].reverse();
  const page = pageOf(ids.slice(number * PAGE_SIZE, (number + 1) * PAGE_SIZE + 1), number);
  const orders = new Map((await findOrders(deps.db, [...page.items])).map((order) => [order.id, order]));
  const rows = page.items.map((orderId) => {
    const order = orders.get(orderId);
    // The title of an order that is not active is not public.
    const title = order?.status === 'active' ? clip(order.title, MAX_TITLE) : undefined;
    return [press(settings.showOrder({ orderId, title }), 'botUnhide', bot.id, orderId)];
  });
  return {
    text: ids.length === 0 ? settings.noHiddenOrders : settings.hiddenOrders,
    rows: [
      ...rows,
      arrows(page, 'botHidden', bot.id),
      [press(settings.hideOrder, 'botHide', bot.id)],
      [press(common.back, 'botSet', bot.id)],
    ],
  };
}

function askOrder(ctx: BotContext, bot: Bot, note?: Html): Promise<void> {
  const { common, publisher } = ctx.texts;
  const { askOrder: question } = publisher.settings;
  return ctx.talk.ask('bot.hide', [bot.id], {
    text: withNote(note, question),
    rows: [[press(common.cancel, 'botHidden', bot.id)]],
  });
}
