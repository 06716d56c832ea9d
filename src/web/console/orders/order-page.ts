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
import { funnel } from '../parts/funnel.ts';
import { copyable, DAY_CHOICES, dayChoices, facts, NOTHING, tile, tiles, when } from '../parts/pieces.ts';
import type { ConsoleRouter } from '../router.ts';
import { choiceIn, type Visit } from '../visit.ts';
import { describeFilters, knownShares } from './filter-words.ts';
import { actionPanels } from './order-actions.ts';
import { ORDERS, orderCrumbs, pathOf, refIn, statusBadge } from './order-path.ts';
import { sourcesTable } from './order-sources.ts';

export function orderPage(router: ConsoleRouter, deps: ConsoleDeps): void {
  const { db, clock } = deps;
  router.page(
    `${ORDERS}/:id`,
    async (visit) => {
      const state = await readOwnOrder(db, refIn(visit));
      const { order } = state;
      const now = clock.now();
      const chosen = choiceIn(visit.query, 'days', DAY_CHOICES);
      const period = { days: Number(chosen), now };
      const charts = await advertiserCharts(visit, db, { scope: 'order', id: order.id, period });
      const sources = sourcesTable(visit, order, await reportSources(db, { orderId: order.id, now }));
      const known = await describeSubscribers(deps, order);
      const reason = order.status === 'rejected' ? await findRejectReason(db, order.id) : undefined;
      return {
        title: order.name,
        section: ORDERS,
        crumbs: orderCrumbs(visit),
        aside: html`${statusBadge(visit, order.status)}${dayChoices(visit, chosen)}`,
        body: html`${warning(visit, state, reason ?? undefined)}${figures(visit, state)}
          <div class="charts">${funnelOf(visit, state)}${charts.map((chart) => chart.html)}</div>
          ${sources.html}
          <div class="columns">${termsPanel(visit, deps, state, known)}${actionPanels(visit, state)}</div>`,
        tables: [...charts, sources],
      };
    },
    { isForApp: true },
  );
}

/** Why an order stands still, and what its owner can do about it. */
function warning({ texts }: Visit, { order }: OrderState, reason: string | undefined): Html {
  const words = texts.orders;
  if (order.status === 'moderation') return html`<p class="flash good" role="status">${words.inModeration}</p>`;
  if (order.pauseReason === 'access_lost') return html`<p class="flash bad" role="status">${words.accessLost}</p>`;
  if (order.pauseReason === 'removals') return html`<p class="flash bad" role="status">${words.removals}</p>`;
  if (order.pauseReason === 'low_approval') return html`<p class="flash bad" role="status">${words.lowApproval}</p>`;
  if (order.status === 'rejected') {
    return html`<p class="flash bad" role="status">${words.rejected}${reason === undefined ? '' : ` ${reason}`}</p>`;
  }
  return NOTHING;
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
  const postback = isExternal(order.resource) ? postbackOf(order.id) : undefined;
  const edit = html`<p><a class="button" href="${`${pathOf(order)}/filters`}">${words.editFilters}</a></p>`;
  return html`<section class="panel"><h2>${words.terms}</h2>${facts(
    [words.title, order.title],
    [words.link, html`<a href="${order.link}" rel="noreferrer" target="_blank">${order.link}</a>`],
    [words.hold, words.holdHours(order.holdSeconds / 3600)],
    [words.refund, order.refund ? words.refundOn : words.refundOff],
    [words.dailyLimit, order.dailyLimit === null ? words.noLimit : formats.count(order.dailyLimit)],
    [words.hours, hoursOf(visit, order.activeHours)],
    [words.created, formats.moment(order.createdAt)],
    [texts.filters.title, describeFilters(visit, order.filters)],
    [texts.filters.knownOfSubscribers, knownShares(visit, known)],
  )}${when(!isClosed(order.status), () => edit)}${postback === undefined ? NOTHING : html`<details class="more"><summary>${words.postback}</summary><p class="note">${words.postbackNote}</p>${facts([words.postbackUrl, copyable(visit, postback.url, words.postbackUrl)], [words.postbackSecret, copyable(visit, postback.secret, words.postbackSecret)])}</details>`}</section>`;
}

/** `08:00–12:00, 20:00–24:00`: hours that follow each other are one piece. */
function hoursOf({ texts }: Visit, hours: readonly number[] | null): string {
  if (hours === null) return texts.orders.allHours;
  const pieces: { from: number; to: number }[] = [];
  for (const hour of [...hours].sort((a, b) => a - b)) {
    const last = pieces.at(-1);
    if (last !== undefined && last.to === hour) last.to = hour + 1;
    else pieces.push({ from: hour, to: hour + 1 });
  }
  const clock = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;
  return pieces.map(({ from, to }) => `${clock(from)}–${clock(to)}`).join(', ');
}
