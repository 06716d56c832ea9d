import { businessDay } from '../../../core/clock.ts';
import { clip, EMPTY_LINE, type Html, html, lines } from '../../../core/html.ts';
import {
  conversionPercent,
  findRejectReason,
  isClosed,
  isExternal,
  listOrdersPage,
  type Order,
  type OrderProgress,
  type OrderState,
  type OrderStatus,
  readOrderStates,
  readOwnOrder,
} from '../../../modules/orders/index.ts';
import { Area, type BotContext, idIn, pageIn } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { arrows, type Button, bar, copy, link, openApp, PAGE_SIZE, pageOf, press, type Screen } from '../screen.ts';
import { describeFilters } from './filters/describe-filters.ts';
import { draftsOf } from './order-draft.ts';
import { hoursLabel } from './timetable.ts';
import { botToAdd } from './wizard-resource.ts';
import { holdLabel } from './wizard-terms.ts';

const HOUR_SECONDS = 60 * 60;

export function orderPageArea(deps: ManagementBotDeps): Area {
  const area = new Area();
  area.onPress('order', async (ctx, orderId) => showOrder(deps, ctx, idIn(orderId)));
  return area;
}

export async function showOrder(deps: ManagementBotDeps, ctx: BotContext, orderId: number): Promise<void> {
  await ctx.talk.show(await orderScreen(deps, ctx, orderId));
}

/** The page of the person's own order. */
async function orderScreen(deps: ManagementBotDeps, ctx: BotContext, orderId: number): Promise<Screen> {
  const { formats } = ctx;
  const { page } = ctx.texts.advertiser;
  const { order, progress, escrowKopecks } = await readOwnOrder(deps.db, { accountId: ctx.person.accountId, orderId });
  const postback = isExternal(order.resource) ? deps.postbackOf(order.id) : undefined;
  const share = order.quantity === 0 ? 0 : Math.min(1, progress.countedCount / order.quantity);
  return {
    text: lines(
      page.title({ id: order.id, title: clip(order.title, 128), link: order.link }),
      html`${STATUS_MARKS[order.status]} <b>${ctx.texts.shared.orders.statuses[order.status]}</b>`,
      await explanation(deps, ctx, order),
      EMPTY_LINE,
      html`${bar(share)} ${formats.percent(share * 100)}`,
      page.progress({
        counted: formats.count(progress.countedCount),
        quantity: formats.count(order.quantity),
        reversed: formats.count(progress.reversedTotal),
        reserved: formats.count(progress.reservedCount),
        conversion: formats.percent(conversionPercent(progress)),
      }),
      page.money({
        spent: formats.rubles(progress.spentKopecks),
        remainder: formats.rubles(escrowKopecks),
        price: formats.rubles(order.priceKopecks),
        charge: formats.rubles(order.chargeKopecks),
        reward: formats.rubles(order.rewardKopecks),
      }),
      describeTerms(ctx, order, limitInWords(deps, ctx, order, progress)),
      postback === undefined ? undefined : page.postback(postback),
    ),
    rows: [
      ...actions(deps, ctx, order),
      postback === undefined ? [] : [...copy(page.copyUrl, postback.url), ...copy(page.copySecret, postback.secret)],
      [link(page.open, order.link), press(ctx.texts.common.refresh, 'order', order.id)],
      [press(ctx.texts.common.back, 'orders')],
    ],
  };
}

/** Describes limit, hours, hold and filters of an order. */
export function describeTerms(ctx: BotContext, order: Order, limit: string | undefined): Html {
  return ctx.texts.advertiser.common.terms({
    limit,
    isEven: order.paceEvenly,
    hours: hoursLabel(ctx, order.activeHours),
    hold: holdLabel(ctx, order.holdSeconds / HOUR_SECONDS),
    refund: order.refund,
    filters: describeFilters(ctx, order.filters),
  });
}

/** Returns why the order is not shown, and what its owner can do about it. */
async function explanation(deps: ManagementBotDeps, ctx: BotContext, order: Order): Promise<Html | undefined> {
  const { inModeration, rejected, pausedBecause } = ctx.texts.shared.orders;
  if (order.status === 'moderation') return html`${inModeration}`;
  if (order.status === 'rejected') {
    const reason = clip((await findRejectReason(deps.db, order.id)) ?? '', 500);
    return lines(reason === '' ? undefined : ctx.texts.advertiser.page.reason({ reason }), html`${rejected}`);
  }
  if (order.status !== 'paused') return undefined;
  switch (order.pauseReason) {
    case 'removals':
      return html`${pausedBecause.removals}`;
    case 'low_approval':
      return html`${pausedBecause.lowApproval}`;
    case 'access_lost':
      return order.resource.type === 'bot'
        ? html`${pausedBecause.tokenLost}`
        : lines(
            html`${pausedBecause.accessLost}`,
            deps.bots.active().length === 0
              ? undefined
              : html`${pausedBecause.addBot({ bot: await botToAdd(deps, ctx) })}`,
            ctx.texts.advertiser.page.thenRecheck,
          );
    default:
      return undefined;
  }
}

function limitInWords(
  { clock }: ManagementBotDeps,
  { texts, formats }: BotContext,
  { dailyLimit }: Order,
  { countedDay, countedToday }: OrderProgress,
): string | undefined {
  if (dailyLimit === null) return undefined;
  const today = countedDay === businessDay(clock.now()) ? countedToday : 0;
  return texts.advertiser.page.limitToday({ limit: formats.count(dailyLimit), today: formats.count(today) });
}

function actions(deps: ManagementBotDeps, { texts }: BotContext, { id, status, pauseReason }: Order): Button[][] {
  const { page } = texts.advertiser;
  const figures = [press(page.statistics, 'o.stat', id, '7'), press(page.sources, 'o.src', id)];
  if (isClosed(status)) return [figures];
  const onOff: Button[] =
    status === 'active'
      ? [press(page.pause, 'o.pause', id)]
      : status === 'paused'
        ? [press(pauseReason === 'access_lost' ? page.recheck : page.resume, 'o.go', id)]
        : [];
  return [
    [press(page.users, 'of', id), ...filtersApp(deps, page.usersApp, id)],
    figures,
    [press(page.timetable, 'o.time', id), press(page.topUp, 'o.more', id)],
    [...onOff, press(page.cancel, 'o.cancel', id)],
  ];
}

/** Opens the console's filter page inside Telegram, which requires https. */
function filtersApp({ publicUrl, sandbox }: ManagementBotDeps, label: string, orderId: number): Button[] {
  const url = `${publicUrl()}/console/app?next=/console/orders/${orderId}/filters`;
  return url.startsWith('https:') || sandbox !== undefined ? [openApp(label, url)] : [];
}

const STATUS_MARKS: Readonly<Record<OrderStatus, string>> = {
  moderation: '🕓',
  active: '🟢',
  paused: '⏸',
  completed: '🏁',
  cancelled: '✖️',
  rejected: '🚫',
};

/** The person's orders, newest first. */
export function orderListArea({ db }: ManagementBotDeps): Area {
  const area = new Area();
  area.onPress('orders', (ctx, page) => showList(ctx, pageIn(page)));
  area.onPress('o.leave', async (ctx) => {
    if (draftsOf(ctx).order !== undefined) ctx.talk.toast(ctx.texts.advertiser.list.draftKept);
    await showList(ctx, 0);
  });

  async function showList(ctx: BotContext, number: number): Promise<void> {
    const { list } = ctx.texts.advertiser;
    const { accountId } = ctx.person;
    const found = await listOrdersPage(db, { accountId, skip: number * PAGE_SIZE, limit: PAGE_SIZE + 1 });
    const page = pageOf(found, number);
    const states = await readOrderStates(db, page.items);
    const hasDraft = draftsOf(ctx).order !== undefined;
    await ctx.talk.show({
      text: states.length === 0 && number === 0 ? list.empty : list.title,
      rows: [
        ...states.map((state) => [press(labelOf(ctx, state), 'order', state.order.id)]),
        arrows(page, 'orders'),
        hasDraft ? [press(list.continueDraft, 'o.resume')] : [],
        [press(list.newOrder, 'o.new')],
        [press(ctx.texts.common.home, 'home')],
      ],
    });
  }
  return area;
}

function labelOf({ texts, formats }: BotContext, { order, progress }: OrderState): string {
  const { status, id, title, quantity } = order;
  const done = `${formats.count(progress.countedCount)}/${formats.count(quantity)}`;
  return `${STATUS_MARKS[status]} ${texts.advertiser.list.number(id)} ${clip(title, 28)} · ${done}`;
}
