import { html } from '../../../core/html.ts';
import type { Order } from '../../../modules/orders/index.ts';
import type { Retention, SourceReport } from '../../../modules/statistics/index.ts';
import { badge } from '../parts/elements.ts';
import { hidden, rowButton } from '../parts/form.ts';
import { buildTable, type Column } from '../parts/table.ts';
import type { BuiltTable, Visit } from '../visit.ts';
import { pathOf } from './order-path.ts';

const keptPercent = ({ eligible, kept }: Retention): number | null =>
  eligible === 0 ? null : Math.round((kept / eligible) * 1_000) / 10;

/** Lists the bots that bring subscribers to an order and how long those stay; a button excludes a bot. */
export function sourcesTable(visit: Visit, order: Order, sources: readonly SourceReport[]): BuiltTable {
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
