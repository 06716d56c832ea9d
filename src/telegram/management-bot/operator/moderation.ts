import { clip, EMPTY_LINE, type Html, html, lines } from '../../../core/html.ts';
import { decideOrder } from '../../../modules/operators/index.ts';
import {
  type ChatFacts,
  findChatFacts,
  findEarlierOrder,
  findOrders,
  findRejectReason,
  findStop,
  isClosed,
  listModeration,
  listRunningOrders,
  type Order,
} from '../../../modules/orders/index.ts';
import { describeFilters } from '../advertiser/filters/describe-filters.ts';
import { describeTerms } from '../advertiser/order-page.ts';
import { Area, type BotContext, idIn } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { type Button, cursorsIn, link, press, readCursorPage, withNote } from '../screen.ts';
import { by, decisionToast, ownerLine, toOverview } from './overview.ts';

/** Orders that wait for moderation. */
export function moderationArea(deps: ManagementBotDeps): Area {
  const area = new Area();

  area.onPress('op.mods', (ctx, ...args) => showQueue(ctx, cursorsIn(args)));

  async function showQueue(ctx: BotContext, cursors: readonly number[], problem?: string): Promise<void> {
    const { moderation } = ctx.texts.operator;
    const page = await readCursorPage(cursors, 'op.mods', (after = 0, limit) =>
      listModeration(deps.db, { after, limit }),
    );
    await ctx.talk.ask('op.order', [], {
      text: withNote(problem, lines(page.items.length === 0 ? moderation.empty : moderation.title, moderation.find)),
      rows: [...page.items.map((order) => [orderButton(ctx, order)]), page.arrows, [toOverview(ctx)]],
    });
  }

  area.onPress('op.runs', async (ctx, ...args) => {
    const { moderation } = ctx.texts.operator;
    const page = await readCursorPage(cursorsIn(args), 'op.runs', (before, limit) =>
      listRunningOrders(deps.db, { before, limit }),
    );
    await ctx.talk.ask('op.order', [], {
      text: lines(page.items.length === 0 ? moderation.noneRuns : moderation.running, moderation.find),
      rows: [...page.items.map((order) => [orderButton(ctx, order)]), page.arrows, [toOverview(ctx)]],
    });
  });

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
    const outcome = await decideOrder(deps, { ...by(ctx), orderId, moderation: { kind: 'approve' } });
    const alert = outcome.kind === 'owner_banned';
    ctx.talk.toast(decisionToast(ctx, outcome, operator.orders.approved, orders.statuses), { alert });
    if (outcome.kind === 'not_found') return;
    return showOrder(deps, ctx, orderId);
  });
  return area;
}

const orderButton = ({ texts, formats }: BotContext, { id, title, priceKopecks }: Order): Button =>
  press(texts.operator.moderation.line({ id, title, price: formats.rubles(priceKopecks) }), 'op.mod', id);

/** Shows an order to an operator. */
export async function showOrder(deps: ManagementBotDeps, ctx: BotContext, orderId: number): Promise<void> {
  const { moderation, gone, toAccount } = ctx.texts.operator;
  const [order] = await findOrders(deps.db, [orderId]);
  if (order === undefined) return ctx.talk.toast(gone);
  const { stoppedSince } = ctx.texts.shared.operator.orders;
  const isWaiting = order.status === 'moderation';
  const stop = await findStop(deps.db, orderId);
  const facts = await findChatFacts(deps.db, order.resource.id);
  await ctx.talk.expectNothing();
  await ctx.talk.show({
    text: lines(
      moderation.page({
        ...figures(ctx, order),
        owner: await ownerLine(deps, ctx, order.accountId),
        reason: await findRejectReason(deps.db, orderId),
        chat: chatOf(ctx, order, facts),
      }),
      order.resource.type === 'channel' && facts === undefined ? moderation.noChat : undefined,
      isWaiting ? await changesSince(deps, ctx, order) : undefined,
      stop && html`⏸ ${stoppedSince(ctx.formats.moment(stop.at), clip(stop.reason, 300))}`,
      EMPTY_LINE,
      describeTerms(ctx, order, order.dailyLimit === null ? undefined : ctx.formats.count(order.dailyLimit)),
    ),
    rows: [
      isWaiting
        ? [press(moderation.approve, 'op.ok', orderId), press(moderation.reject, 'op.reason', 'order', orderId)]
        : [],
      isWaiting ? [] : stopButtons(ctx, order, stop !== undefined),
      [...openLink(ctx, order.link), press(toAccount, 'op.a', order.accountId)],
      [press(moderation.queue, 'op.mods'), press(moderation.runs, 'op.runs')],
      [toOverview(ctx)],
    ],
  });
}

/** Returns how the order differs from the owner's previous order for the same resource. */
async function changesSince({ db }: ManagementBotDeps, ctx: BotContext, order: Order): Promise<Html> {
  const { moderation } = ctx.texts.operator;
  const earlier = await findEarlierOrder(db, order);
  if (earlier === undefined) return moderation.firstOrder;
  const values = ({ title, name, link, priceKopecks, quantity, filters }: Order) => ({
    title,
    name,
    link,
    price: ctx.formats.rubles(priceKopecks),
    quantity: ctx.formats.count(quantity),
    filters: describeFilters(ctx, filters).join('; '),
  });
  const [before, now] = [values(earlier), values(order)];
  const changed = FIELDS.filter((field) => before[field] !== now[field]);
  return lines(
    moderation.earlier({
      id: earlier.id,
      status: ctx.texts.shared.orders.statuses[earlier.status],
      isSame: changed.length === 0,
    }),
    ...changed.map((field) => {
      const short = (text: string): string => clip(text === '' ? '–' : text, 100);
      return html`• ${moderation.fields[field]}: ${short(before[field])} → <b>${short(now[field])}</b>`;
    }),
  );
}

const FIELDS = ['title', 'name', 'link', 'price', 'quantity', 'filters'] as const;

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

/** Telegram refuses the whole message when one button has an invalid URL. */
const openLink = ({ texts }: BotContext, url: string): Button[] =>
  URL.canParse(url) && url.startsWith('https://') ? [link(texts.operator.moderation.open, url)] : [];
