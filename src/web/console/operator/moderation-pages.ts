import { ApiError } from '../../../core/errors.ts';
import { type Html, html } from '../../../core/html.ts';
import { type AccountSummary, findAccountSummary } from '../../../modules/accounts/index.ts';
import { decideOrder, pauseOrder, resumeOrder } from '../../../modules/operators/index.ts';
import {
  type ChatFacts,
  findChatFacts,
  findOrders,
  findRejectReason,
  findStop,
  isClosed,
  listModeration,
  type ModerateOutcome,
  type Order,
  type StopOutcome,
} from '../../../modules/orders/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { describeFilters } from '../orders/filter-words.ts';
import { statusBadge } from '../orders/order-path.ts';
import { form } from '../parts/form.ts';
import { facts, NOTHING, panel, tile, tiles } from '../parts/pieces.ts';
import { rowsShown, rowsWanted } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import { type Crumb, cursorIn, done, idIn, type Redirect, refused, type Visit } from '../visit.ts';
import { askSure } from './ask-sure.ts';
import { askWords } from './ask-words.ts';
import { by, FOR_OPERATORS, MODERATION, onward, outside, ownerOf, REVERSALS } from './operator-path.ts';
import { ordersTable } from './tables.ts';

const orderPath = (id: number): string => `${MODERATION}/${id}`;
const notFound = (): ApiError => new ApiError('order_not_found', 'There is no such order.');
const toList = ({ texts }: Visit): Crumb => ({ label: texts.operator.menu.moderation, href: MODERATION });

/** Orders that wait to be looked at. */
export function moderationPages(router: ConsoleRouter, deps: ConsoleDeps): void {
  const { db } = deps;

  async function orderIn(visit: Visit): Promise<Order> {
    const [order] = await findOrders(db, [idIn(visit)]);
    if (order === undefined) throw notFound();
    return order;
  }

  router.page(
    MODERATION,
    async (visit) => {
      const words = visit.texts.operator.moderation;
      const after = cursorIn(visit.query, 'after') ?? 0;
      const found = await listModeration(db, { after, limit: rowsWanted(visit, 'moderation') });
      const rows = rowsShown(visit, 'moderation', found);
      const { title, note, empty } = words;
      const table = ordersTable(visit, { name: 'moderation', title, note, empty, rows, common: 'status' });
      return {
        title: visit.texts.operator.menu.moderation,
        section: MODERATION,
        body: html`${table.html}${onward(visit, found.length > rows.length ? rows.at(-1)?.id : undefined)}`,
        tables: [table],
      };
    },
    FOR_OPERATORS,
  );

  router.page(
    `${MODERATION}/:id`,
    async (visit) => {
      const order = await orderIn(visit);
      const [account, reason, stop, chat] = await Promise.all([
        findAccountSummary(db, order.accountId),
        findRejectReason(db, order.id),
        findStop(db, order.id),
        findChatFacts(db, order.resource.id),
      ]);
      const words = visit.texts.operator.moderation;
      return {
        title: words.order(order.id),
        section: MODERATION,
        crumbs: [toList(visit)],
        aside: statusBadge(visit, order.status),
        body: html`${reason === undefined ? NOTHING : html`<p class="flash bad" role="status">${words.whyRejected(reason)}</p>`}${stop === undefined ? NOTHING : html`<p class="flash bad" role="status">${visit.texts.operator.stop.stopped(visit.formats.moment(stop.at), stop.reason)}</p>`}${figures(visit, order)}${describe(visit, order, account, chat)}${order.status === 'moderation' ? decisions(visit, order) : brakes(visit, order, stop !== undefined)}`,
      };
    },
    FOR_OPERATORS,
  );

  router.action(
    `${MODERATION}/:id/approve`,
    async (visit) => {
      const orderId = idIn(visit);
      const outcome = await decideOrder(deps, { ...by(visit), orderId, verdict: { kind: 'approve' } });
      return told(visit, outcome, visit.texts.operator.moderation.approved);
    },
    { ...FOR_OPERATORS, back: (visit) => orderPath(idIn(visit)) },
  );

  const about = async (visit: Visit): Promise<Crumb> => {
    const { id } = await orderIn(visit);
    return { label: visit.texts.operator.moderation.order(id), href: orderPath(id) };
  };
  askWords(router, {
    path: `${MODERATION}/:id/pause`,
    section: MODERATION,
    look: 'danger',
    words: ({ texts }) => texts.operator.stop.ask,
    list: toList,
    about,
    async carryOut(visit, reason) {
      const orderId = idIn(visit);
      const outcome = await pauseOrder(deps, { ...by(visit), orderId, reason });
      return toldOfStop(visit, outcome, visit.texts.operator.stop.done);
    },
  });
  askSure(router, {
    path: `${MODERATION}/:id/resume`,
    section: MODERATION,
    words: ({ texts }) => texts.operator.stop.lift,
    list: toList,
    about,
    async carryOut(visit) {
      const orderId = idIn(visit);
      const outcome = await resumeOrder(deps, { ...by(visit), orderId });
      return toldOfStop(visit, outcome, visit.texts.operator.stop.resumed);
    },
  });

  askWords(router, {
    path: `${MODERATION}/:id/reject`,
    section: MODERATION,
    look: 'danger',
    words: ({ texts }) => texts.operator.moderation.ask,
    list: toList,
    about,
    async carryOut(visit, reason) {
      const orderId = idIn(visit);
      const outcome = await decideOrder(deps, { ...by(visit), orderId, verdict: { kind: 'reject', reason } });
      return told(visit, outcome, visit.texts.operator.moderation.rejected);
    },
  });
}

/** Back to the order, with what came of the decision. */
function told(visit: Visit, outcome: ModerateOutcome, success: string): Redirect {
  const { operator, orders } = visit.texts;
  const to = orderPath(idIn(visit));
  switch (outcome.kind) {
    case 'done':
      return done(to, success);
    case 'not_waiting':
      return refused(to, operator.alreadyDone(orders.statuses[outcome.status]));
    case 'owner_banned':
      return refused(to, operator.moderation.ownerBanned);
    case 'not_found':
      throw notFound();
  }
}

function figures({ texts, formats }: Visit, { priceKopecks, chargeKopecks, quantity }: Order): Html {
  const { rubles, count } = formats;
  const words = texts.operator.moderation;
  return tiles(
    tile(texts.orders.charge, rubles(chargeKopecks), texts.orders.basePrice(rubles(priceKopecks))),
    tile(texts.orders.quantity, count(quantity)),
    tile(words.total, rubles(chargeKopecks * BigInt(quantity)), words.totalNote),
  );
}

/** All that an operator needs to know of an order. */
function describe(visit: Visit, order: Order, account: AccountSummary | undefined, chat: ChatFacts | undefined): Html {
  const { texts, formats } = visit;
  const { operator, orders: words } = texts;
  return panel(
    order.title,
    facts(
      [operator.owner, ownerOf(visit, order.accountId, account)],
      [operator.telegramId, String(account?.telegramUserId ?? texts.common.unknown)],
      [operator.moderation.type, operator.moderation.types[order.resource.type]],
      [words.link, outside(order.link)],
      [operator.moderation.chat, chat === undefined ? texts.common.unknown : chatInWords(visit, order, chat)],
      [texts.common.name, order.name],
      [words.created, formats.moment(order.createdAt)],
      [words.hold, words.holdHours(order.holdSeconds / 3600)],
      [words.refund, order.refund ? words.refundOn : words.refundOff],
      [words.dailyLimit, order.dailyLimit === null ? words.noLimit : formats.count(order.dailyLimit)],
      [texts.filters.title, describeFilters(visit, order.filters)],
    ),
    { id: 'about-order' },
  );
}

/** The chat as Telegram shows it, whatever the order says of it. */
function chatInWords({ texts, formats }: Visit, { resource }: Order, { title, username, members }: ChatFacts): string {
  const words = texts.operator.moderation;
  const name = username === null ? words.isPrivate : `@${username}`;
  return `${title} · ${name} · ${words.members(formats.count(members))} · ID ${resource.chatId}`;
}

/** What an operator does to an order that is not waiting to be approved. */
function brakes({ texts }: Visit, { id, status }: Order, isStopped: boolean): Html {
  const { stop, reversals, moderation } = texts.operator;
  const step = isStopped
    ? html`<a class="button" href="${`${orderPath(id)}/resume`}">${stop.lift.submit}…</a>`
    : html`<a class="button danger-link" href="${`${orderPath(id)}/pause`}">${stop.ask.submit}…</a>`;
  const reverse = html`<a class="button" href="${`${REVERSALS}?order=${id}`}">${reversals.open}…</a>`;
  return panel(moderation.decide, html`<div class="buttons">${isClosed(status) ? NOTHING : step}${reverse}</div>`);
}

function toldOfStop(visit: Visit, outcome: StopOutcome, success: string): Redirect {
  const { operator, orders } = visit.texts;
  const to = orderPath(idIn(visit));
  switch (outcome.kind) {
    case 'done':
      return done(to, success);
    case 'unchanged':
      return refused(to, operator.stop.unchanged);
    case 'owner_banned':
      return refused(to, operator.stop.ownerBanned);
    case 'not_allowed':
      return refused(to, operator.alreadyDone(orders.statuses[outcome.status]));
    case 'not_found':
      throw notFound();
  }
}

function decisions(visit: Visit, { id }: Order): Html {
  const words = visit.texts.operator.moderation;
  const approve = form(visit, { action: `${orderPath(id)}/approve`, submit: words.approve, isInline: true });
  const reject = html`<a class="button danger-link" href="${`${orderPath(id)}/reject`}">${words.reject}…</a>`;
  return panel(words.decide, html`<div class="buttons">${approve}${reject}</div>`, { note: words.decideNote });
}
