import { html } from '../../../core/html.ts';
import { listBotsOfAccount } from '../../../modules/bots/index.ts';
import { listOrdersPage } from '../../../modules/orders/index.ts';
import {
  listUpcomingReleases,
  type Overview,
  type ReleaseUnit,
  reportOverview,
} from '../../../modules/statistics/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { buildChart } from '../parts/chart.ts';
import { emptyState, readPeriod, tile, tiles } from '../parts/elements.ts';
import type { ConsoleRouter } from '../router.ts';
import type { BuiltTable, Visit } from '../visit.ts';
import { advertiserCharts, publisherCharts } from './day-charts.ts';
import { dayPage } from './day-page.ts';

/** The most bars of the hold chart. */
const MOST_BARS = { hour: 48, day: 31 } as const;

/** The first page: balances, and charts of income and spending. */
export function overviewPage(router: ConsoleRouter, { db, reports, clock }: ConsoleDeps): void {
  router.page('/console', async (visit) => {
    const { accountId } = visit.owner;
    const words = visit.texts.overview;
    const now = clock.now();
    const { days, choices } = readPeriod(visit);
    const account = { id: accountId, period: { days, now } };
    const overview = await reportOverview(db, { accountId, now });
    const isPublisher = (await listBotsOfAccount(db, accountId, { limit: 1 })).length > 0;
    const isAdvertiser = (await listOrdersPage(db, { accountId, limit: 1 })).length > 0;

    const earned = isPublisher
      ? [
          ...(await publisherCharts(visit, reports, { ...account, scope: 'publisher' })),
          await holdChart(visit, reports, now),
        ]
      : [];
    const spent = isAdvertiser ? await advertiserCharts(visit, reports, { ...account, scope: 'advertiser' }) : [];
    const chartsPart = (title: string, charts: readonly BuiltTable[]) =>
      charts.length > 0 &&
      html`<h2 class="part">${title}</h2><div class="charts">${charts.map((chart) => chart.html)}</div>`;
    const isNew = !isPublisher && !isAdvertiser;
    return {
      title: words.title,
      aside: isNew ? undefined : choices,
      body: html`${balanceTiles(visit, overview)}
        ${isNew && emptyState(words.newTitle, words.newText)}
        ${chartsPart(words.asPublisher, earned)}
        ${chartsPart(words.asAdvertiser, spent)}`,
      tables: [...earned, ...spent],
      figuresAgeSeconds: isNew ? undefined : reports.ageSeconds(),
    };
  });
}

/** The subscriptions of a day of all bots or all orders of an account. */
export function overviewDays(router: ConsoleRouter, deps: ConsoleDeps): void {
  for (const scope of ['publisher', 'advertiser'] as const) {
    dayPage(router, deps, `/console/days/:day/${scope}`, async ({ owner, texts }) => ({
      scope,
      id: owner.accountId,
      crumbs: [{ label: texts.menu.overview, href: '/console' }],
    }));
  }
}

function balanceTiles({ texts, formats }: Visit, overview: Overview) {
  const { overview: words } = texts;
  const { rubles, count } = formats;
  const earned = overview.earned;
  const net = (figures: { rewardKopecks: bigint; reversedRewardKopecks: bigint }): string =>
    rubles(figures.rewardKopecks - figures.reversedRewardKopecks);
  const spent = overview.spent.last30Days;
  return tiles(
    tile(words.available, rubles(overview.availableKopecks), words.withdrawable(rubles(overview.withdrawableKopecks))),
    tile(words.hold, rubles(overview.holdKopecks), words.holdNote),
    tile(words.earnedToday, net(earned.today), words.earnedWeek(net(earned.last7Days))),
    tile(words.spentMonth, rubles(spent.chargeKopecks - spent.returnedChargeKopecks), words.spentNote(spent.counted)),
    tile(words.active, `${count(overview.activeBots)} / ${count(overview.activeOrders)}`, words.activeNote),
    tile(words.openPayouts, rubles(overview.openPayoutsKopecks), words.openPayoutsNote(overview.openPayouts)),
  );
}

/** Shows which amounts leave hold by hour or by day, provided that the users stay subscribed. */
async function holdChart(visit: Visit, db: ConsoleDeps['reports'], now: Date): Promise<BuiltTable> {
  const { common, charts } = visit.texts;
  const chosen = (['hour', 'day'] as const).find((one) => one === visit.query.get('hold'));
  const read = (unit: ReleaseUnit) =>
    listUpcomingReleases(db, { accountId: visit.owner.accountId, now, unit, limit: MOST_BARS[unit] });
  const byDay = await read('day');
  // Without a choice, a hold of up to two days is shown by hour.
  const unit = chosen ?? (byDay.releases.length <= 2 ? 'hour' : 'day');
  const { releases, totalKopecks, laterKopecks } = unit === 'day' ? byDay : await read('hour');
  const format = (value: number | bigint): string => visit.formats.rubles(BigInt(value));
  const shortTime = new Intl.DateTimeFormat(visit.language === 'ru' ? 'ru-RU' : 'en-GB', {
    day: 'numeric',
    month: 'short',
    ...(unit === 'hour' && { hour: '2-digit' }),
    timeZone: 'Europe/Moscow',
  });
  const columns = releases.map(({ releaseAt, amountKopecks }) => ({
    label: shortTime.format(releaseAt),
    value: releaseAt as Date | string,
    amountKopecks,
  }));
  if (laterKopecks > 0n) columns.push({ label: charts.later, value: charts.later, amountKopecks: laterKopecks });
  const query = (one: ReleaseUnit): string => {
    const changed = new URLSearchParams(visit.query);
    changed.set('hold', one);
    return `${visit.path}?${changed}#chart-holds`;
  };
  const choices = html`<nav class="choices" aria-label="${charts.holdUnits.label}">${(['hour', 'day'] as const).map((one) => html`<a href="${query(one)}"${one === unit && html` aria-current="true"`}>${charts.holdUnits[one]}</a>`)}</nav>`;
  return buildChart(visit, {
    name: 'holds',
    title: charts.holds,
    note: charts.holdsNote,
    headline: format(totalKopecks),
    columnTitle: common.time,
    columns,
    kind: 'bars',
    series: [{ name: charts.released, tone: 1, values: columns.map(({ amountKopecks }) => amountKopecks), format }],
    empty: charts.noHolds,
    ...(columns.length > 0 && { choices }),
  });
}
