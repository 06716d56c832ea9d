import type { Queryable } from '../../../core/database.ts';
import { sumKopecks } from '../../../core/money.ts';
import {
  type AdvertiserDay,
  type ConversionDay,
  type Period,
  type PublisherDay,
  reportAccountDays,
  reportAdvertiserDays,
  reportBotDays,
  reportConversion,
  reportOrderDays,
} from '../../../modules/statistics/index.ts';
import { buildChart, type ChartSpec } from '../parts/chart.ts';
import type { BuiltTable, Visit } from '../visit.ts';

interface Wanted<Scope extends string> {
  readonly scope: Scope;
  readonly id: number;
  readonly period: Period;
}

/** What a publisher's bots, or one of them, earned day by day. */
export async function publisherCharts(
  visit: Visit,
  db: Queryable,
  { scope, id, period }: Wanted<'publisher' | 'bot'>,
): Promise<BuiltTable[]> {
  const days =
    scope === 'bot'
      ? await reportBotDays(db, { ...period, botId: id })
      : await reportAccountDays(db, { ...period, accountId: id });
  const conversion = await reportConversion(db, { scope, id, days });
  const { charts } = visit.texts;
  return [
    revenueChart(visit, days),
    countsChart(visit, days, { name: 'subscriptions', title: charts.subscriptions, note: charts.subscriptionsNote }),
    conversionChart(visit, conversion, 'conversion'),
  ];
}

/** What an advertiser's orders, or one of them, spent day by day. */
export async function advertiserCharts(
  visit: Visit,
  db: Queryable,
  { scope, id, period }: Wanted<'advertiser' | 'order'>,
): Promise<BuiltTable[]> {
  const days =
    scope === 'order'
      ? await reportOrderDays(db, { ...period, orderId: id })
      : await reportAdvertiserDays(db, { ...period, accountId: id });
  const conversion = await reportConversion(db, { scope, id, days });
  const { charts } = visit.texts;
  return [
    spendingChart(visit, days),
    countsChart(visit, days, { name: 'subscribers', title: charts.subscribers, note: charts.subscribersNote }),
    conversionChart(visit, conversion, 'order-conversion'),
  ];
}

const minus = (kopecks: bigint): bigint => -kopecks;

/** What all charts by day have in common. */
function byDay(
  visit: Visit,
  days: readonly { readonly day: string }[],
): Pick<ChartSpec, 'columnTitle' | 'columns' | 'empty'> {
  return {
    columnTitle: visit.texts.common.day,
    columns: days.map(({ day }) => ({ label: visit.formats.day(day), value: day })),
    empty: visit.texts.charts.empty,
  };
}

function revenueChart(visit: Visit, days: readonly PublisherDay[]): BuiltTable {
  const { charts } = visit.texts;
  const format = (value: number | bigint): string => visit.formats.rubles(BigInt(value));
  const earned = days.map(({ rewardKopecks }) => rewardKopecks);
  const lost = days.map(({ reversedRewardKopecks }) => minus(reversedRewardKopecks));
  return buildChart(visit, {
    ...byDay(visit, days),
    name: 'revenue',
    title: charts.revenue,
    note: charts.revenueNote,
    headline: format(sumKopecks([...earned, ...lost])),
    kind: 'bars',
    series: [
      { name: charts.earned, tone: 1, values: earned, format },
      { name: charts.takenBack, tone: 2, values: lost, format },
    ],
  });
}

function spendingChart(visit: Visit, days: readonly AdvertiserDay[]): BuiltTable {
  const { charts } = visit.texts;
  const format = (value: number | bigint): string => visit.formats.rubles(BigInt(value));
  const spent = days.map(({ chargeKopecks }) => chargeKopecks);
  const returned = days.map(({ returnedChargeKopecks }) => minus(returnedChargeKopecks));
  return buildChart(visit, {
    ...byDay(visit, days),
    name: 'spending',
    title: charts.spending,
    note: charts.spendingNote,
    headline: format(sumKopecks([...spent, ...returned])),
    kind: 'bars',
    series: [
      { name: charts.spent, tone: 1, values: spent, format },
      { name: charts.returned, tone: 2, values: returned, format },
    ],
  });
}

function countsChart(
  visit: Visit,
  days: readonly { readonly day: string; readonly counted: number; readonly reversed: number }[],
  words: { readonly name: string; readonly title: string; readonly note: string },
): BuiltTable {
  const { charts } = visit.texts;
  const format = (value: number | bigint): string => visit.formats.count(value);
  const kept = days.reduce((sum, { counted, reversed }) => sum + counted - reversed, 0);
  return buildChart(visit, {
    ...byDay(visit, days),
    ...words,
    headline: format(kept),
    kind: 'bars',
    isWhole: true,
    series: [
      { name: charts.counted, tone: 3, values: days.map(({ counted }) => counted), format },
      { name: charts.reversed, tone: 2, values: days.map(({ reversed }) => (reversed === 0 ? 0 : -reversed)), format },
    ],
  });
}

function conversionChart(visit: Visit, days: readonly ConversionDay[], name: string): BuiltTable {
  const { charts } = visit.texts;
  const [shown, counted] = [sum(days.map((day) => day.shown)), sum(days.map((day) => day.counted))];
  return buildChart(visit, {
    ...byDay(visit, days),
    name,
    title: charts.conversion,
    note: charts.conversionNote,
    ...(shown > 0 && { headline: visit.formats.percent((counted / shown) * 100) }),
    kind: 'line',
    series: [
      {
        name: charts.conversion,
        tone: 1,
        values: days.map(({ percent }) => percent),
        format: (value) => visit.formats.percent(Number(value)),
      },
    ],
  });
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
