import { type Html, html } from '../../../core/html.ts';
import {
  conversionPercent,
  findRejectReason,
  isClosed,
  isExternal,
  type OrderState,
  readOwnOrder,
  subscribersOf,
} from '../../../modules/orders/index.ts';
import { reportSources } from '../../../modules/statistics/index.ts';
import { describeSubscribers, type FilterKnowledge } from '../../../modules/tasks/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { advertiserCharts } from '../overview/day-charts.ts';
import { badge, copyable, facts, readPeriod, tile, tiles, warning } from '../parts/elements.ts';
import { funnel } from '../parts/funnel.ts';
import type { ConsoleRouter } from '../router.ts';
import type { Visit } from '../visit.ts';
import { describeFilters, describeKnowledge } from './describe-filters.ts';
import { actionPanels } from './order-actions.ts';
import { ORDERS, orderBadge, orderCrumbs, pathOf, readOrderRef } from './order-path.ts';
import { sourcesTable } from './order-sources.ts';

export function orderPage(router: ConsoleRouter, deps: ConsoleDeps): void {
  const { db, clock } = deps;
  router.page(`${ORDERS}/:id`, async (visit) => {
    const state = await readOwnOrder(db, readOrderRef(visit));
    const { order } = state;
    const now = clock.now();
    const { days, choices } = readPeriod(visit);
    const charts = await advertiserCharts(visit, db, { scope: 'order', id: order.id, period: { days, now } });
    const sources = sourcesTable(visit, order, await reportSources(db, { orderId: order.id, now }));
    const known = await describeSubscribers(deps, order);
    const reason = order.status === 'rejected' ? await findRejectReason(db, order.id) : undefined;
    return {
      title: order.name,
      crumbs: orderCrumbs(visit),
      aside: html`${badge(...orderBadge(visit, order))}${choices}`,
      body: html`${statusNotice(visit, state, reason ?? undefined)}${figures(visit, state)}
          <div class="charts">${funnelOf(visit, state)}${charts.map((chart) => chart.html)}</div>
          ${sources.html}
          <div class="columns">${termsPanel(visit, deps, state, known)}${actionPanels(visit, state)}</div>`,
      tables: [...charts, sources],
    };
  });
}

/** Explains why an order is not shown, and what its owner can do about it. */
function statusNotice({ shared }: Visit, { order }: OrderState, reason: string | undefined): Html | undefined {
  const words = shared.orders;
  const { accessLost, tokenLost, removals, lowApproval } = words.pausedBecause;
  if (order.status === 'moderation') return html`<p class="flash good" role="status">${words.inModeration}</p>`;
  if (order.pauseReason === 'access_lost') return warning(order.resource.type === 'bot' ? tokenLost : accessLost);
  if (order.pauseReason === 'removals') return warning(removals);
  if (order.pauseReason === 'low_approval') return warning(lowApproval);
  if (order.status === 'rejected') return warning([reason, words.rejected].filter(Boolean).join('. '));
  return undefined;
}

function figures({ texts, formats }: Visit, { order, progress, escrowKopecks }: OrderState): Html {
  const words = texts.orders;
  const { rubles, count, percent } = formats;
  return tiles(
    tile(words.subscribers, count(subscribersOf(progress)), words.ofQuantity(count(order.quantity))),
    tile(words.conversion, percent(conversionPercent(progress)), words.conversionNote),
    tile(words.charge, rubles(order.chargeKopecks), words.basePrice(rubles(order.priceKopecks))),
    tile(words.spent, rubles(progress.spentKopecks), words.spentNote),
    tile(words.remainder, rubles(escrowKopecks), words.remainderNote(rubles(progress.reservedKopecks))),
  );
}

function funnelOf(visit: Visit, { progress }: OrderState): Html {
  const words = visit.texts.orders;
  return funnel(visit, words.funnel, words.funnelNote, [
    { label: words.shown, count: progress.shownTotal, note: words.shownNote },
    { label: words.confirmed, count: progress.confirmedTotal, note: words.confirmedNote },
    { label: words.kept, count: subscribersOf(progress), note: words.keptNote },
  ]);
}

function termsPanel(
  visit: Visit,
  { postbackOf }: ConsoleDeps,
  { order }: OrderState,
  known: readonly FilterKnowledge[],
): Html {
  const { texts, formats } = visit;
  const words = texts.orders;
  const edit = html`<p><a class="button" href="${`${pathOf(order)}/filters`}">${words.editFilters}</a></p>`;
  const secretOf = (label: string, value: string): [string, Html] => [label, copyable(visit, value, label)];
  const postback = isExternal(order.resource) ? postbackOf(order.id) : undefined;
  return html`<section class="panel"><h2>${words.terms}</h2>${facts(
    [words.title, order.title],
    [words.link, html`<a href="${order.link}" rel="noreferrer" target="_blank">${order.link}</a>`],
    [words.hold, words.holdHours(order.holdSeconds / 3600)],
    [words.refund, order.refund ? words.refundOn : words.refundOff],
    [words.dailyLimit, order.dailyLimit === null ? words.noLimit : formats.count(order.dailyLimit)],
    [words.hours, describeHours(visit, order.activeHours)],
    [words.created, formats.moment(order.createdAt)],
    [texts.filters.title, describeFilters(visit, order.filters)],
    [texts.filters.knownOfSubscribers, describeKnowledge(visit, known)],
  )}${!isClosed(order.status) && edit}${postback && html`<details class="more"><summary>${words.postback}</summary><p class="note">${words.postbackNote}</p>${facts(secretOf(words.postbackUrl, postback.url), secretOf(words.postbackSecret, postback.secret))}</details>`}</section>`;
}

/** Returns `08:00–12:00, 20:00–24:00`: consecutive hours become one span. */
function describeHours({ texts }: Visit, hours: readonly number[] | null): string {
  if (hours === null) return texts.orders.allHours;
  const spans: { from: number; to: number }[] = [];
  for (const hour of [...hours].sort((a, b) => a - b)) {
    const last = spans.at(-1);
    if (last !== undefined && last.to === hour) last.to = hour + 1;
    else spans.push({ from: hour, to: hour + 1 });
  }
  const clock = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;
  return spans.map(({ from, to }) => `${clock(from)}–${clock(to)}`).join(', ');
}
