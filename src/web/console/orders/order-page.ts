import { type Html, html } from '../../../core/html.ts';
import {
  conversionPercent,
  findRejectReason,
  isClosed,
  isExternal,
  type Order,
  type OrderState,
  readOwnOrder,
  subscribersOf,
} from '../../../modules/orders/index.ts';
import { type Retention, reportSources, type SourceReport } from '../../../modules/statistics/index.ts';
import { describeSubscribers, type FilterKnowledge } from '../../../modules/tasks/index.ts';
import { qualityLine } from '../../../texts/quality.ts';
import type { ConsoleDeps } from '../deps.ts';
import { advertiserCharts } from '../overview/day-charts.ts';
import { badge, copyable, facts, readPeriod, tile, tiles, warning } from '../parts/elements.ts';
import { hidden, rowButton } from '../parts/form.ts';
import { buildTable, type Column } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import type { BuiltTable, Visit } from '../visit.ts';
import { describeFilters, describeKnowledge } from './describe-filters.ts';
import { actionPanels } from './order-actions.ts';
import { ORDERS, orderBadge, orderCrumbs, pathOf, readOrderRef } from './order-path.ts';

export function orderPage(router: ConsoleRouter, deps: ConsoleDeps): void {
  const { db, reports, clock } = deps;
  router.page(`${ORDERS}/:id`, async (visit) => {
    const state = await readOwnOrder(db, readOrderRef(visit));
    const { order } = state;
    const now = clock.now();
    const { days, choices } = readPeriod(visit);
    const charts = await advertiserCharts(visit, reports, { scope: 'order', id: order.id, period: { days, now } });
    const sources = sourcesTable(visit, order, await reportSources(reports, { orderId: order.id, now }));
    const known = await describeSubscribers({ db: reports, clock }, order);
    const reason = order.status === 'rejected' ? await findRejectReason(db, order.id) : undefined;
    return {
      title: order.name,
      crumbs: orderCrumbs(visit),
      aside: html`${badge(...orderBadge(visit, order))}${choices}`,
      body: html`${statusNotice(visit, state, reason ?? undefined)}${figures(visit, state)}
          <div class="charts">${funnel(visit, state)}${charts.map((chart) => chart.html)}</div>
          ${sources.html}
          <div class="columns">${termsPanel(visit, deps, state, known)}${actionPanels(visit, state)}</div>`,
      tables: [...charts, sources],
      figuresAgeSeconds: reports.ageSeconds(),
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

const keptPercent = ({ eligible, kept }: Retention): number | null =>
  eligible === 0 ? null : Math.round((kept / eligible) * 1_000) / 10;

/** Lists the bots that bring subscribers to an order and how long those stay; a button excludes a bot. */
function sourcesTable(visit: Visit, order: Order, sources: readonly SourceReport[]): BuiltTable {
  const { texts, shared, formats } = visit;
  const words = texts.orders;
  const retention = (title: string, of: (source: SourceReport) => Retention): Column<SourceReport> => ({
    title,
    cell(source) {
      const percent = keptPercent(of(source));
      return percent === null ? '–' : words.retention(formats.percent(percent), formats.count(of(source).eligible));
    },
    value: (source) => keptPercent(of(source)),
    isFigure: true,
  });
  return buildTable(visit, {
    name: 'sources',
    title: words.sources,
    note: shared.orders.sourcesNote,
    rows: sources,
    empty: words.noSources,
    columns: ({ count, rubles }) => [
      {
        title: words.source,
        cell: ({ username, isExcluded }) => html`@${username} ${isExcluded && badge('warn', words.excluded)}`,
        value: ({ username }) => username,
      },
      count(words.counted, ({ counted }) => counted),
      count(words.reversed, ({ reversed }) => reversed),
      rubles(words.spent, ({ spentKopecks }) => spentKopecks),
      retention(words.afterDay, ({ afterOneDay }) => afterOneDay),
      retention(words.afterWeek, ({ afterSevenDays }) => afterSevenDays),
      {
        title: words.quality,
        cell: (source) => (source.score === null ? '–' : qualityLine(visit.language, source)),
        value: ({ score }) => score,
        isFigure: true,
      },
    ],
    actions: ({ botId, username, isExcluded }) =>
      rowButton(visit, {
        action: `${pathOf(order)}/sources/${botId}`,
        fields: hidden('excluded', isExcluded ? 'no' : 'yes'),
        submit: isExcluded ? words.include : words.exclude,
        subject: `@${username}`,
      }),
  });
}

/** Units of the funnel's drawing; the style sheet stretches it to the available width. */
const [WIDTH, HEIGHT] = [100, 10];

/** Shows how many users reached each step. The list carries the figures, so screen readers skip the bars. */
function funnel({ texts, formats }: Visit, { progress }: OrderState): Html {
  const words = texts.orders;
  const steps = [
    { label: words.shown, count: progress.shownTotal, note: words.shownNote },
    { label: words.confirmed, count: progress.confirmedTotal, note: words.confirmedNote },
    { label: words.kept, count: subscribersOf(progress), note: words.keptNote },
  ];
  const widest = Math.max(1, ...steps.map(({ count }) => count));
  const items = steps.map(({ label, count, note }, index) => {
    const before = steps[index - 1]?.count ?? 0;
    const share = before > 0 && html` <span class="funnel-share">${formats.percent((count / before) * 100)}</span>`;
    const width = Math.round((count / widest) * WIDTH * 100) / 100;
    return html`<li><span class="funnel-label">${label} <strong>${formats.count(count)}</strong>${share}</span><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="track" width="${WIDTH}" height="${HEIGHT}"/><rect class="bar s${index >= 2 ? 3 : 1}" width="${width}" height="${HEIGHT}"/></svg><small>${note}</small></li>`;
  });
  return html`<section class="panel funnel" aria-labelledby="funnel-title"><h2 id="funnel-title">${words.funnel}</h2><p class="note">${words.funnelNote}</p><ol>${items}</ol></section>`;
}
