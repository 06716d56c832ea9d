import type { Queryable } from '../../../core/database.ts';
import { sumKopecks } from '../../../core/money.ts';
import {
  type ConversionDay,
  type Period,
  reportAccountDays,
  reportAdvertiserDays,
  reportBotDays,
  reportConversion,
  reportOrderDays,
} from '../../../modules/statistics/index.ts';
import { buildChart, type ChartSpec } from '../parts/chart.ts';
import type { BuiltTable, Visit } from '../visit.ts';

interface Report<Scope extends string> {
  readonly scope: Scope;
  readonly id: number;
  readonly period: Period;
}

/** Charts of the rewards of a publisher's bots, or of one bot, by day. */
export async function publisherCharts(
  visit: Visit,
  db: Queryable,
  { scope, id, period }: Report<'publisher' | 'bot'>,
): Promise<BuiltTable[]> {
  const days =
    scope === 'bot'
      ? await reportBotDays(db, { ...period, botId: id })
      : await reportAccountDays(db, { ...period, accountId: id });
  const conversion = await reportConversion(db, { scope, id, days });
  const { charts } = visit.texts;
  return [
    moneyChart(
      visit,
      days.map(({ day, rewardKopecks: up, reversedRewardKopecks: down }) => ({ day, up, down })),
      { name: 'revenue', title: charts.revenue, note: charts.revenueNote, up: charts.earned, down: charts.takenBack },
    ),
    countsChart(visit, days, { name: 'subscriptions', title: charts.subscriptions, note: charts.subscriptionsNote }),
    conversionChart(visit, conversion, 'conversion'),
  ];
}

/** Charts of the spending of an advertiser's orders, or of one order, by day. */
export async function advertiserCharts(
  visit: Visit,
  db: Queryable,
  { scope, id, period }: Report<'advertiser' | 'order'>,
): Promise<BuiltTable[]> {
  const days =
    scope === 'order'
      ? await reportOrderDays(db, { ...period, orderId: id })
      : await reportAdvertiserDays(db, { ...period, accountId: id });
  const conversion = await reportConversion(db, { scope, id, days });
  const { charts } = visit.texts;
  return [
    moneyChart(
      visit,
      days.map(({ day, chargeKopecks: up, returnedChargeKopecks: down }) => ({ day, up, down })),
      { name: 'spending', title: charts.spending, note: charts.spendingNote, up: charts.spent, down: charts.returned },
    ),
    countsChart(visit, days, { name: 'subscribers', title: charts.subscribers, note: charts.subscribersNote }),
    conversionChart(visit, conversion, 'order-conversion'),
  ];
}

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

/** Amounts of a day upwards, amounts that were returned on that day downwards. */
function moneyChart(
  visit: Visit,
  days: readonly { readonly day: string; readonly up: bigint; readonly down: bigint }[],
  { up, down, ...words }: Pick<ChartSpec, 'name' | 'title' | 'note'> & { readonly up: string; readonly down: string },
): BuiltTable {
  const format = (value: number | bigint): string => visit.formats.rubles(BigInt(value));
  const amounts = days.map((day) => day.up);
  const returned = days.map((day) => -day.down);
  return buildChart(visit, {
    ...byDay(visit, days),
    ...words,
    headline: format(sumKopecks([...amounts, ...returned])),
    kind: 'bars',
    series: [
      { name: up, tone: 1, values: amounts, format },
      { name: down, tone: 2, values: returned, format },
    ],
  });
}

function countsChart(
  visit: Visit,
  days: readonly { readonly day: string; readonly counted: number; readonly reversed: number }[],
  words: Pick<ChartSpec, 'name' | 'title' | 'note'>,
): BuiltTable {
  const { charts } = visit.texts;
  const format = (value: number | bigint): string => visit.formats.count(value);
  return buildChart(visit, {
    ...byDay(visit, days),
    ...words,
    headline: format(sum(days.map(({ counted, reversed }) => counted - reversed))),
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
  const format = (value: number | bigint): string => visit.formats.percent(Number(value));
  return buildChart(visit, {
    ...byDay(visit, days),
    name,
    title: charts.conversion,
    note: charts.conversionNote,
    ...(shown > 0 && { headline: format((counted / shown) * 100) }),
    kind: 'line',
    series: [{ name: charts.conversion, tone: 1, values: days.map(({ percent }) => percent), format }],
  });
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
