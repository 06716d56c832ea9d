import { ApiError } from '../../../core/errors.ts';
import { type Html, html } from '../../../core/html.ts';
import { type AccountSummary, findAccountSummary } from '../../../modules/accounts/index.ts';
import { decideOrder, pauseOrder, resumeOrder } from '../../../modules/operators/index.ts';
import {
  type ChatFacts,
  findChatFacts,
  findEarlierOrder,
  findOrders,
  findRejectReason,
  findStop,
  isClosed,
  listModeration,
  type ModerateOutcome,
  ORDER_STATUSES,
  type Order,
  type StopOutcome,
  searchOrders,
} from '../../../modules/orders/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { describeFilters } from '../orders/describe-filters.ts';
import { orderBadge } from '../orders/order-path.ts';
import { confirmedAction } from '../parts/confirm-action.ts';
import { badge, buttons, facts, panel, stepLink, tile, tiles, warning } from '../parts/elements.ts';
import { form, queryForm, selectField, textField } from '../parts/form.ts';
import { pageOf, rowLimit } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import { type Crumb, done, type Redirect, readCursor, readId, refused, type Visit } from '../visit.ts';
import { askReason } from './ask-reason.ts';
import { byOperator, externalLink, MODERATION, ownerLink, REVERSALS, RUNNING } from './operator-path.ts';
import { ordersTable } from './tables.ts';

const orderPath = (id: number): string => `${MODERATION}/${id}`;
const notFound = (): ApiError => new ApiError('order_not_found', 'There is no such order.');
const orderCrumbs = ({ texts: { operator } }: Visit, id?: number): [Crumb, ...Crumb[]] => [
  { label: operator.menu.moderation, href: MODERATION },
  ...(id === undefined ? [] : [{ label: operator.moderation.order(id), href: orderPath(id) }]),
];

/** Orders that wait for moderation, and the decisions of operators about any order. */
export function moderationPages(router: ConsoleRouter, deps: ConsoleDeps): void {
  const { db } = deps;

  async function requireOrder(visit: Visit): Promise<Order> {
    const [order] = await findOrders(db, [readId(visit)]);
    if (order === undefined) throw notFound();
    return order;
  }
  const crumbs = async (visit: Visit): Promise<[Crumb, ...Crumb[]]> =>
    orderCrumbs(visit, (await requireOrder(visit)).id);

  router.page(MODERATION, async (visit) => {
    const { menu, moderation } = visit.texts.operator;
    const after = readCursor(visit.query, 'after') ?? 0;
    const found = await listModeration(db, { after, limit: rowLimit(visit, 'moderation') });
    const { rows, last } = pageOf(visit, 'moderation', found);
    const { title, note, empty } = moderation;
    const next = last && { after: last.id };
    const table = ordersTable(visit, { name: 'moderation', title, note, empty, rows, next, common: 'status' });
    return { title: menu.moderation, body: table.html, tables: [table] };
  });

  router.page(RUNNING, async (visit) => {
    const { menu, running } = visit.texts.operator;
    const chosen = visit.query.get('status') ?? 'active';
    const status = ORDER_STATUSES.find((one) => one === chosen);
    const text = (visit.query.get('q') ?? '').trim().slice(0, 100);
    const page = { status, text, before: readCursor(visit.query), limit: rowLimit(visit, 'running') };
    const { rows, last } = pageOf(visit, 'running', await searchOrders(db, page));
    const { title, note, empty } = running;
    const table = ordersTable(visit, {
      name: 'running',
      title,
      note,
      empty,
      rows,
      next: last && { before: last.id },
      lead: searchForm(visit, status ?? '', text),
      common: 'nothing',
      actions: ({ id, title: name, status: now }) =>
        now === 'active'
          ? html`<a class="quiet-button" href="${`${orderPath(id)}/pause`}" aria-label="${`${running.stop}: ${name}`}">${running.stop}…</a>`
          : undefined,
    });
    return { title: menu.running, body: table.html, tables: [table] };
  });

  router.page(`${MODERATION}/:id`, async (visit) => {
    const order = await requireOrder(visit);
    const [account, reason, stop, chat, earlier] = await Promise.all([
      findAccountSummary(db, order.accountId),
      findRejectReason(db, order.id),
      findStop(db, order.id),
      findChatFacts(db, order.resource.id),
      findEarlierOrder(db, order),
    ]);
    const { texts, shared, formats } = visit;
    const words = texts.operator.moderation;
    const rejected = reason === undefined ? undefined : warning(words.rejectedBecause(reason));
    const stopped = stop && warning(shared.operator.orders.stoppedSince(formats.moment(stop.at), stop.reason));
    return {
      title: words.order(order.id),
      crumbs: orderCrumbs(visit),
      aside: badge(...orderBadge(visit, order)),
      body: html`${rejected}${stopped}${figures(visit, order)}${describe(visit, order, account, chat)}${changesSince(visit, order, earlier)}${order.status === 'moderation' ? decisions(visit, order) : controls(visit, order, stop !== undefined)}`,
    };
  });

  const approve = async (visit: Visit) => {
    const orderId = readId(visit);
    const outcome = await decideOrder(deps, { ...byOperator(visit), orderId, moderation: { kind: 'approve' } });
    return redirectAfter(visit, outcome, visit.shared.operator.orders.approved);
  };
  router.action(`${MODERATION}/:id/approve`, approve, { back: (visit) => orderPath(readId(visit)) });

  askReason(router, `${MODERATION}/:id/reject`, {
    style: 'danger',
    words: ({ moderation }) => moderation.askReject,
    crumbs,
    async act(visit, reason) {
      const orderId = readId(visit);
      const outcome = await decideOrder(deps, {
        ...byOperator(visit),
        orderId,
        moderation: { kind: 'reject', reason },
      });
      return redirectAfter(visit, outcome, visit.shared.operator.orders.rejected);
    },
  });

  askReason(router, `${MODERATION}/:id/pause`, {
    style: 'danger',
    words: ({ moderation }) => moderation.askStop,
    crumbs,
    async act(visit, reason) {
      const orderId = readId(visit);
      const outcome = await pauseOrder(deps, { ...byOperator(visit), orderId, reason });
      return redirectAfter(visit, outcome, visit.shared.operator.orders.stopped);
    },
  });

  confirmedAction(router, `${MODERATION}/:id/resume`, {
    back: (visit) => visit.path,
    ask: async (visit) => ({
      ...visit.texts.operator.moderation.askResume,
      crumbs: await crumbs(visit),
      style: 'primary',
    }),
    async act(visit) {
      const orderId = readId(visit);
      const outcome = await resumeOrder(deps, { ...byOperator(visit), orderId });
      return redirectAfter(visit, outcome, visit.shared.operator.orders.resumed);
    },
  });
}

/** Returns to the order and shows the outcome of the decision. */
function redirectAfter(visit: Visit, outcome: ModerateOutcome | StopOutcome, success: string): Redirect {
  const { operator, orders } = visit.shared;
  const to = orderPath(readId(visit));
  switch (outcome.kind) {
    case 'done':
      return done(to, success);
    case 'unchanged':
      return refused(to, operator.unchanged);
    case 'owner_banned':
      return refused(to, operator.ownerBanned);
    case 'not_waiting':
    case 'not_allowed':
      return refused(to, operator.alreadyDecided(orders.statuses[outcome.status]));
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

function describe(visit: Visit, order: Order, account: AccountSummary | undefined, chat: ChatFacts | undefined): Html {
  const { texts, formats } = visit;
  const { operator, orders: words } = texts;
  return panel(
    order.title,
    facts(
      [operator.owner, ownerLink(visit, order.accountId, account)],
      [operator.telegramId, String(account?.telegramUserId ?? texts.common.unknown)],
      [operator.moderation.type, operator.moderation.types[order.resource.type]],
      [
        words.link,
        html`${externalLink(order.link)}<span class="sub">${operator.moderation.leadsTo} ${chat === undefined ? texts.common.unknown : describeChat(visit, order, chat)}</span>`,
      ],
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

/** Describes the chat with Telegram's own data, because the texts of the order may be false. */
function describeChat({ texts, formats }: Visit, { resource }: Order, { title, username, members }: ChatFacts): string {
  const words = texts.operator.moderation;
  const name = username === null ? words.isPrivate : `@${username}`;
  return `${title} · ${name} · ${words.members(formats.count(members))} · ID ${resource.chatId}`;
}

/** Shows how the order differs from the owner's previous order for the same resource. */
function changesSince(visit: Visit, order: Order, earlier: Order | undefined): Html {
  const { moderation } = visit.texts.operator;
  const { orders: words, common, filters } = visit.texts;
  const { rubles, count } = visit.formats;
  const id = 'changes';
  if (earlier === undefined) return panel(moderation.changes, html`<p>${moderation.firstOrder}</p>`, { id });
  const facts = (one: Order): readonly (readonly [label: string, value: string])[] => [
    [words.title, one.title],
    [common.name, one.name],
    [words.link, one.link],
    [moderation.price, rubles(one.priceKopecks)],
    [words.quantity, count(one.quantity)],
    [filters.title, describeFilters(visit, one.filters).source],
  ];
  const before = new Map(facts(earlier));
  const changed = facts(order).filter(([label, value]) => before.get(label) !== value);
  const shown = (label: string, value: string): Html | string =>
    label === filters.title
      ? describeFilters(visit, value === before.get(label) ? earlier.filters : order.filters)
      : value;
  const rows = changed.map(
    ([label, value]) =>
      html`<div><dt>${label}</dt><dd><del>${shown(label, before.get(label) ?? '')}</del> → <ins>${shown(label, value)}</ins></dd></div>`,
  );
  const since = html`<p class="note">${moderation.since} <a href="${orderPath(earlier.id)}">${moderation.order(earlier.id)}</a> ${badge(...orderBadge(visit, earlier))}</p>`;
  const body = rows.length === 0 ? html`<p>${moderation.same}</p>` : html`<dl class="facts changes">${rows}</dl>`;
  return panel(moderation.changes, html`${since}${body}`, { id });
}

function searchForm({ texts, shared }: Visit, status: string, text: string): Html {
  const words = texts.operator.running;
  const choices = ORDER_STATUSES.map((one) => ({ value: one as string, label: shared.orders.statuses[one] }));
  const fields = html`${selectField({ name: 'status', label: texts.common.status, value: status, choices: [{ value: 'all', label: words.all }, ...choices] })}${textField({ name: 'q', label: words.search, value: text, maxLength: 100 })}`;
  return html`<div class="filter-row">${queryForm({ action: RUNNING, fields, submit: words.find, role: 'search', style: '' })}</div>`;
}

function decisions(visit: Visit, { id }: Order): Html {
  const words = visit.texts.operator.moderation;
  const approve = form(visit, { action: `${orderPath(id)}/approve`, submit: words.approve, isInline: true });
  const reject = stepLink(`${orderPath(id)}/reject`, words.askReject.submit, 'danger');
  return panel(words.decide, buttons(approve, reject), { note: words.decideNote });
}

/** The actions for an order that is past moderation. */
function controls({ texts }: Visit, { id, status }: Order, isStopped: boolean): Html {
  const { reversals, moderation } = texts.operator;
  const stopOrResume = isStopped
    ? stepLink(`${orderPath(id)}/resume`, moderation.askResume.submit)
    : stepLink(`${orderPath(id)}/pause`, moderation.askStop.submit, 'danger');
  const reverse = stepLink(`${REVERSALS}?order=${id}`, reversals.open);
  return panel(moderation.decide, buttons(!isClosed(status) && stopOrResume, reverse));
}
