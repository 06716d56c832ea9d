import { html } from '../../../core/html.ts';
import { listBotsOfAccount } from '../../../modules/bots/index.ts';
import { listOrdersPage } from '../../../modules/orders/index.ts';
import { listUpcomingReleases, type Overview, reportOverview } from '../../../modules/statistics/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { DAY_CHOICES, dayChoices, emptyState, NOTHING, tile, tiles, when } from '../parts/pieces.ts';
import type { ConsoleRouter } from '../router.ts';
import { choiceIn, type Page, type Visit } from '../visit.ts';
import { advertiserCharts, publisherCharts } from './day-charts.ts';
import { holdChart } from './hold-chart.ts';

/** Bars of the chart of holds; one more moment than that, and they are hours. */
const RELEASES = 24;

/** The first page: what there is, what came in and went out, and how it develops. */
export function overviewPage(router: ConsoleRouter, { db, clock }: ConsoleDeps): void {
  router.page('/console', async (visit): Promise<Page> => {
    const { texts, owner } = visit;
    const { accountId } = owner;
    const now = clock.now();
    const chosen = choiceIn(visit.query, 'days', DAY_CHOICES);
    const period = { accountId, days: Number(chosen), now };
    const overview = await reportOverview(db, { accountId, now });
    const isPublisher = (await listBotsOfAccount(db, accountId, { limit: 1 })).length > 0;
    const isAdvertiser = (await listOrdersPage(db, { accountId, limit: 1 })).length > 0;

    const earned = isPublisher ? await publisherCharts(visit, db, { scope: 'publisher', id: accountId, period }) : [];
    const holds = isPublisher
      ? [holdChart(visit, await listUpcomingReleases(db, { accountId, now, limit: RELEASES }))]
      : [];
    const spent = isAdvertiser ? await advertiserCharts(visit, db, { scope: 'advertiser', id: accountId, period }) : [];
    const chartsOf = (charts: readonly { html: typeof NOTHING }[]) =>
      html`<div class="charts">${charts.map((chart) => chart.html)}</div>`;

    return {
      title: texts.overview.title,
      section: '/console',
      aside: isPublisher || isAdvertiser ? dayChoices(visit, chosen) : NOTHING,
      body: html`${balanceTiles(visit, overview)}
        ${when(!isPublisher && !isAdvertiser, () => emptyState(texts.overview.newTitle, texts.overview.newText))}
        ${when(isPublisher, () => html`<h2 class="part">${texts.overview.asPublisher}</h2>${chartsOf([...earned, ...holds])}`)}
        ${when(isAdvertiser, () => html`<h2 class="part">${texts.overview.asAdvertiser}</h2>${chartsOf(spent)}`)}`,
      tables: [...earned, ...holds, ...spent],
    };
  });
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
