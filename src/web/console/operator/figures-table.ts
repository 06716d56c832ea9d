import type { PlatformFigures, readPlatform } from '../../../modules/statistics/index.ts';
import { buildTable } from '../parts/table.ts';
import type { BuiltTable, Visit } from '../visit.ts';

type Platform = Awaited<ReturnType<typeof readPlatform>>;

const PERIODS = ['last7Days', 'last30Days', 'allTime'] as const;

interface Row {
  readonly label: string;
  readonly of: (figures: PlatformFigures) => number | bigint;
}

/** How the platform does: one column a period. Money is kopecks, everything else is counted. */
export function figuresTable(visit: Visit, platform: Platform): BuiltTable {
  const { rubles, count } = visit.formats;
  const words = visit.texts.operator.books;
  const names = words.rows;
  const rows: readonly Row[] = [
    { label: names.subscriptions, of: ({ subscriptions }) => subscriptions },
    { label: names.reversals, of: ({ reversals }) => reversals },
    { label: names.turnover, of: ({ turnoverKopecks }) => turnoverKopecks },
    { label: names.revenue, of: ({ revenueKopecks }) => revenueKopecks },
    { label: names.margin, of: ({ turnoverKopecks, revenueKopecks }) => turnoverKopecks - revenueKopecks },
    { label: names.payouts, of: ({ payoutsKopecks }) => payoutsKopecks },
    { label: names.bots, of: ({ activeBots }) => activeBots },
    { label: names.orders, of: ({ activeOrders }) => activeOrders },
    { label: names.users, of: ({ uniqueUsers }) => uniqueUsers },
  ];
  const shown = (value: number | bigint): string => (typeof value === 'bigint' ? rubles(value) : count(value));
  return buildTable(visit, {
    name: 'figures',
    title: words.figures,
    note: words.figuresNote,
    empty: visit.texts.common.nothing,
    rows,
    columns: [
      { title: words.figure, cell: ({ label }) => label },
      ...PERIODS.map((period) => ({
        title: words.periods[period],
        cell: ({ of }: Row) => shown(of(platform[period])),
        value: ({ of }: Row) => of(platform[period]),
        isFigure: true,
      })),
    ],
  });
}
