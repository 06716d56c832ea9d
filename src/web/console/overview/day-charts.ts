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
import { buildChart, type ChartSpec, changePercent } from '../parts/chart.ts';
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
  const both = { ...period, days: period.days * 2 };
  const days =
    scope === 'bot'
      ? await reportBotDays(db, { ...both, botId: id })
      : await reportAccountDays(db, { ...both, accountId: id });
  const conversion = await reportConversion(db, { scope, id, days });
  const hrefOf = (day: string): string =>
    scope === 'bot' ? `/console/bots/${id}/days/${day}` : `/console/days/${day}/publisher`;
  const { charts } = visit.texts;
  return [
    moneyChart(
      visit,
      days.map(({ day, rewardKopecks: up, reversedRewardKopecks: down }) => ({ day, up, down })),
      {
        hrefOf,
        name: 'revenue',
        title: charts.revenue,
        note: charts.revenueNote,
        up: charts.earned,
        down: charts.takenBack,
      },
    ),
    countsChart(visit, days, {
      hrefOf,
      name: 'subscriptions',
      title: charts.subscriptions,
      note: charts.subscriptionsNote,
    }),
    conversionChart(visit, conversion, { hrefOf, name: 'conversion' }),
  ];
}

/** Charts of the spending of an advertiser's orders, or of one order, by day. */
export async function advertiserCharts(
  visit: Visit,
  db: Queryable,
  { scope, id, period }: Report<'advertiser' | 'order'>,
): Promise<BuiltTable[]> {
  const both = { ...period, days: period.days * 2 };
  const days =
    scope === 'order'
      ? await reportOrderDays(db, { ...both, orderId: id })
      : await reportAdvertiserDays(db, { ...both, accountId: id });
  const conversion = await reportConversion(db, { scope, id, days });
  const hrefOf = (day: string): string =>
    scope === 'order' ? `/console/orders/${id}/days/${day}` : `/console/days/${day}/advertiser`;
  const { charts } = visit.texts;
  return [
    moneyChart(
      visit,
      days.map(({ day, chargeKopecks: up, returnedChargeKopecks: down }) => ({ day, up, down })),
      {
        hrefOf,
        name: 'spending',
        title: charts.spending,
        note: charts.spendingNote,
        up: charts.spent,
        down: charts.returned,
      },
    ),
    countsChart(visit, days, { hrefOf, name: 'subscribers', title: charts.subscribers, note: charts.subscribersNote }),
    conversionChart(visit, conversion, { hrefOf, name: 'order-conversion' }),
  ];
}

type HrefOf = (day: string) => string;
type Words = Pick<ChartSpec, 'name' | 'title' | 'note'> & { readonly hrefOf: HrefOf };

/** The first half of the days is the period before. */
const halves = <Day>(days: readonly Day[]): readonly [before: readonly Day[], days: readonly Day[]] => [
  days.slice(0, days.length / 2),
  days.slice(days.length / 2),
];

function byDay(
  visit: Visit,
  days: readonly { readonly day: string }[],
  hrefOf: HrefOf,
): Pick<ChartSpec, 'columnTitle' | 'columns' | 'empty'> {
  return {
    columnTitle: visit.texts.common.day,
    columns: days.map(({ day }) => ({ label: visit.formats.day(day), value: day, href: hrefOf(day) })),
    empty: visit.texts.charts.empty,
  };
}

/** Amounts of a day upwards, amounts that were returned on that day downwards. */
function moneyChart(
  visit: Visit,
  all: readonly { readonly day: string; readonly up: bigint; readonly down: bigint }[],
  { up, down, hrefOf, ...words }: Words & { readonly up: string; readonly down: string },
): BuiltTable {
  const format = (value: number | bigint): string => visit.formats.rubles(BigInt(value));
  const [earlier, days] = halves(all);
  const [before, now] = [earlier, days].map((part) => sumKopecks(part.map((day) => day.up - day.down))) as [
    bigint,
    bigint,
  ];
  return buildChart(visit, {
    ...byDay(visit, days, hrefOf),
    ...words,
    headline: format(now),
    before: { text: format(before), changePercent: changePercent(now, before) },
    kind: 'bars',
    series: [
      { name: up, tone: 1, values: days.map((day) => day.up), format },
      { name: down, tone: 2, values: days.map((day) => -day.down), format },
    ],
  });
}

function countsChart(
  visit: Visit,
  all: readonly { readonly day: string; readonly counted: number; readonly reversed: number }[],
  { hrefOf, ...words }: Words,
): BuiltTable {
  const { charts } = visit.texts;
  const format = (value: number | bigint): string => visit.formats.count(value);
  const [earlier, days] = halves(all);
  const [before, now] = [earlier, days].map((part) => sum(part.map((day) => day.counted - day.reversed))) as [
    number,
    number,
  ];
  return buildChart(visit, {
    ...byDay(visit, days, hrefOf),
    ...words,
    headline: format(now),
    before: { text: format(before), changePercent: changePercent(now, before) },
    kind: 'bars',
    isWhole: true,
    series: [
      { name: charts.counted, tone: 3, values: days.map(({ counted }) => counted), format },
      { name: charts.reversed, tone: 2, values: days.map(({ reversed }) => (reversed === 0 ? 0 : -reversed)), format },
    ],
  });
}

function conversionChart(
  visit: Visit,
  all: readonly ConversionDay[],
  { name, hrefOf }: Pick<Words, 'name' | 'hrefOf'>,
): BuiltTable {
  const { charts } = visit.texts;
  const format = (value: number | bigint): string => visit.formats.percent(Number(value));
  const [earlier, days] = halves(all);
  const share = (part: readonly ConversionDay[]): number | undefined => {
    const shown = sum(part.map((day) => day.shown));
    return shown === 0 ? undefined : (sum(part.map((day) => day.counted)) / shown) * 100;
  };
  const [before, now] = [share(earlier), share(days)];
  return buildChart(visit, {
    ...byDay(visit, days, hrefOf),
    name,
    title: charts.conversion,
    note: charts.conversionNote,
    ...(now !== undefined && { headline: format(now) }),
    ...(before !== undefined && { before: { text: format(before), changePercent: changePercent(now ?? 0, before) } }),
    kind: 'line',
    isPercent: true,
    series: [{ name: charts.conversion, tone: 1, values: days.map(({ percent }) => percent), format }],
  });
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
