import { clip, EMPTY_LINE, html, lines } from '../../../core/html.ts';
import { decideOrder } from '../../../modules/operators/index.ts';
import {
  type ChatFacts,
  findChatFacts,
  findOrders,
  findRejectReason,
  findStop,
  isClosed,
  listModeration,
  type Order,
} from '../../../modules/orders/index.ts';
import { describeFilters } from '../advertiser/filters/describe-filters.ts';
import { hoursLabel } from '../advertiser/timetable.ts';
import { holdLabel } from '../advertiser/wizard-terms.ts';
import { Area, type BotContext, idIn } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { type Button, cursorPage, cursorsIn, link, PAGE_SIZE, press, withNote } from '../screen.ts';
import { by, ownerLine, toOverview } from './overview.ts';

const HOUR_SECONDS = 60 * 60;

/** Orders that wait for moderation. */
export function moderationArea(deps: ManagementBotDeps): Area {
  const area = new Area();

  area.onPress('op.mods', (ctx, ...args) => showQueue(ctx, cursorsIn(args)));

  async function showQueue(ctx: BotContext, cursors: readonly number[], problem?: string): Promise<void> {
    const { moderation } = ctx.texts.operator;
    const found = await listModeration(deps.db, { after: cursors.at(-1) ?? 0, limit: PAGE_SIZE + 1 });
    const page = cursorPage(found, cursors, 'op.mods');
    await ctx.talk.ask('op.order', [], {
      text: withNote(problem, lines(found.length === 0 ? moderation.empty : moderation.title, moderation.find)),
      rows: [
        ...page.items.map(({ id, title, priceKopecks }) => {
          return [press(moderation.line({ id, title, price: ctx.formats.rubles(priceKopecks) }), 'op.mod', id)];
        }),
        page.arrows,
        [toOverview(ctx)],
      ],
    });
  }

  area.onText('op.order', async (ctx, text) => {
    const { moderation } = ctx.texts.operator;
    const number = /^\s*(?:№|#)?\s*([1-9]\d{0,14})\s*$/.exec(text)?.[1];
    const [order] = number === undefined ? [] : await findOrders(deps.db, [Number(number)]);
    return order === undefined ? showQueue(ctx, [], moderation.notFound) : showOrder(deps, ctx, order.id);
  });

  area.onPress('op.mod', (ctx, id) => showOrder(deps, ctx, idIn(id)));

  area.onPress('op.ok', async (ctx, id) => {
    const orderId = idIn(id);
    const { operator, orders } = ctx.texts.shared;
    const outcome = await decideOrder(deps, { ...by(ctx), orderId, verdict: { kind: 'approve' } });
    switch (outcome.kind) {
      case 'done':
        ctx.talk.toast(operator.orders.approved);
        break;
      case 'not_waiting':
        ctx.talk.toast(operator.alreadyDecided(orders.statuses[outcome.status]));
        break;
      case 'owner_banned':
        ctx.talk.toast(operator.ownerBanned, { alert: true });
        break;
      case 'not_found':
        return ctx.talk.toast(ctx.texts.operator.gone);
    }
    return showOrder(deps, ctx, orderId);
  });
  return area;
}

/** Shows an order to an operator. */
export async function showOrder(deps: ManagementBotDeps, ctx: BotContext, orderId: number): Promise<void> {
  const { moderation, gone, toAccount } = ctx.texts.operator;
  const [order] = await findOrders(deps.db, [orderId]);
  if (order === undefined) return ctx.talk.toast(gone);
  const { stoppedSince } = ctx.texts.shared.operator.orders;
  const isWaiting = order.status === 'moderation';
  const stop = await findStop(deps.db, orderId);
  await ctx.talk.expectNothing();
  await ctx.talk.show({
    text: lines(
      moderation.page({
        ...figures(ctx, order),
        owner: await ownerLine(deps, ctx, order.accountId),
        reason: await findRejectReason(deps.db, orderId),
        chat: chatOf(ctx, order, await findChatFacts(deps.db, order.resource.id)),
      }),
      stop && html`⏸ ${stoppedSince(ctx.formats.moment(stop.at), clip(stop.reason, 300))}`,
      EMPTY_LINE,
      terms(ctx, order),
    ),
    rows: [
      isWaiting
        ? [press(moderation.approve, 'op.ok', orderId), press(moderation.reject, 'op.reason', 'order', orderId)]
        : [],
      isWaiting ? [] : stopButtons(ctx, order, stop !== undefined),
      [...openLink(ctx, order.link), press(toAccount, 'op.a', order.accountId)],
      [press(moderation.queue, 'op.mods'), toOverview(ctx)],
    ],
  });
}

/** Returns the buttons for an order that is past moderation. */
function stopButtons({ texts }: BotContext, { id, status }: Order, isStopped: boolean): Button[] {
  const { stop, reverse } = texts.operator;
  const pause = isStopped
    ? press(stop.resume, 'op.confirm', 'resume', id)
    : press(stop.pause, 'op.reason', 'pause', id);
  return [...(isClosed(status) ? [] : [pause]), press(reverse.button, 'op.rev', 'order', id)];
}

function figures({ texts, formats }: BotContext, order: Order) {
  const { rubles, count, moment } = formats;
  const { id, name, title, resource, quantity, priceKopecks, chargeKopecks } = order;
  return {
    id,
    name,
    title,
    link: order.link,
    type: texts.operator.moderation.types[resource.type],
    status: texts.shared.orders.statuses[order.status],
    price: rubles(priceKopecks),
    charge: rubles(chargeKopecks),
    quantity: count(quantity),
    total: rubles(chargeKopecks * BigInt(quantity)),
    created: moment(order.createdAt),
  };
}

function chatOf({ formats }: BotContext, { resource }: Order, facts: ChatFacts | undefined) {
  if (facts === undefined) return undefined;
  const { title, username, members } = facts;
  const name = username === null ? undefined : `@${username}`;
  return { title, name, members: formats.count(members), id: resource.chatId };
}

function terms(ctx: BotContext, order: Order) {
  return ctx.texts.advertiser.common.terms({
    limit: order.dailyLimit === null ? undefined : ctx.formats.count(order.dailyLimit),
    isEven: order.paceEvenly,
    hours: hoursLabel(ctx, order.activeHours),
    hold: holdLabel(ctx, order.holdSeconds / HOUR_SECONDS),
    refund: order.refund,
    filters: describeFilters(ctx, order.filters),
  });
}

/** Telegram refuses the whole message when one button has an invalid URL. */
const openLink = ({ texts }: BotContext, url: string): Button[] =>
  URL.canParse(url) && url.startsWith('https://') ? [link(texts.operator.moderation.open, url)] : [];
