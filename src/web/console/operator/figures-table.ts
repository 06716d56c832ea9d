import type { PlatformFigures, readPlatform } from '../../../modules/statistics/index.ts';
import { buildTable } from '../parts/table.ts';
import type { BuiltTable, Visit } from '../visit.ts';

type Platform = Awaited<ReturnType<typeof readPlatform>>;

const PERIODS = ['last7Days', 'last30Days', 'allTime'] as const;

/** The figures of a row by period. A `bigint` is kopecks, a number is a count. */
const ROWS = {
  subscriptions: ({ subscriptions }) => subscriptions,
  reversals: ({ reversals }) => reversals,
  turnover: ({ turnoverKopecks }) => turnoverKopecks,
  revenue: ({ revenueKopecks }) => revenueKopecks,
  margin: ({ turnoverKopecks, revenueKopecks }) => turnoverKopecks - revenueKopecks,
  payouts: ({ payoutsKopecks }) => payoutsKopecks,
  bots: ({ activeBots }) => activeBots,
  orders: ({ activeOrders }) => activeOrders,
  users: ({ uniqueUsers }) => uniqueUsers,
} satisfies Record<string, (figures: PlatformFigures) => number | bigint>;

/** The figures of the platform, with one column per period. */
export function figuresTable(visit: Visit, platform: Platform): BuiltTable {
  const { rubles, count } = visit.formats;
  const words = visit.texts.operator.books;
  const rows = Object.keys(ROWS) as (keyof typeof ROWS)[];
  return buildTable(visit, {
    name: 'figures',
    title: words.figures,
    note: words.figuresNote,
    empty: visit.texts.common.nothing,
    rows,
    columns: ({ text }) => [
      text(words.figure, (row) => words.rows[row]),
      ...PERIODS.map((period) => {
        const value = (row: keyof typeof ROWS): number | bigint => ROWS[row](platform[period]);
        return {
          title: visit.shared.operator.periods[period],
          cell: (row: keyof typeof ROWS) => {
            const figure = value(row);
            return typeof figure === 'bigint' ? rubles(figure) : count(figure);
          },
          value,
          isFigure: true,
        };
      }),
    ],
  });
}
