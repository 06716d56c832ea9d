import { clip, type Html } from '../../../core/html.ts';
import { readCount } from '../../../core/locale.ts';
import { adjustBot, type Bot, MAX_EXCLUDED_ORDERS, RESOURCE_TYPES } from '../../../modules/bots/index.ts';
import { findOrders } from '../../../modules/orders/index.ts';
import { type Area, type BotContext, choiceIn, idIn, pageIn } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { arrows, PAGE_SIZE, pageOf, press, type Screen, withNote } from '../screen.ts';
import { botIn } from './bot-page.ts';

const ON_OFF = ['0', '1'] as const;
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
    const wish = { type: choiceIn(type, RESOURCE_TYPES), isExcluded: choiceIn(state, ON_OFF) === '1' };
    const bot = await botIn(deps, ctx, id);
    if (wish.isExcluded && RESOURCE_TYPES.every((one) => one === wish.type || bot.excludedResourceTypes.has(one))) {
      return ctx.talk.toast(ctx.texts.publisher.settings.lastType, { alert: true });
    }
    const adjustment = { kind: 'resource_type', ...wish } as const;
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
