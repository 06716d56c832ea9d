import { html } from '../../../core/html.ts';
import type { Order } from '../../../modules/orders/index.ts';
import type { Retention, SourceReport } from '../../../modules/statistics/index.ts';
import { form, hidden } from '../parts/form.ts';
import { badge, NOTHING } from '../parts/pieces.ts';
import { buildTable } from '../parts/table.ts';
import type { BuiltTable, Visit } from '../visit.ts';
import { pathOf } from './order-path.ts';

const shareOf = ({ eligible, kept }: Retention): number | null =>
  eligible === 0 ? null : Math.round((kept / eligible) * 1_000) / 10;

/** Which bots bring an order its subscribers, how long those stay, and a button against those that bring bad ones. */
export function sourcesTable(visit: Visit, order: Order, sources: readonly SourceReport[]): BuiltTable {
  const { texts, formats } = visit;
  const words = texts.orders;
  const shown = (retention: Retention): string => {
    const share = shareOf(retention);
    return share === null ? '–' : words.retention(formats.percent(share), formats.count(retention.eligible));
  };
  return buildTable(visit, {
    name: 'sources',
    title: words.sources,
    note: words.sourcesNote,
    rows: sources,
    empty: words.noSources,
    columns: [
      {
        title: words.source,
        cell: ({ username, isExcluded }) => html`@${username} ${isExcluded ? badge('warn', words.excluded) : NOTHING}`,
        value: ({ username }) => username,
      },
      {
        title: words.counted,
        cell: ({ counted }) => formats.count(counted),
        value: ({ counted }) => counted,
        isFigure: true,
      },
      {
        title: words.reversed,
        cell: ({ reversed }) => formats.count(reversed),
        value: ({ reversed }) => reversed,
        isFigure: true,
      },
      {
        title: words.spent,
        cell: ({ spentKopecks }) => formats.rubles(spentKopecks),
        value: ({ spentKopecks }) => spentKopecks,
        isFigure: true,
      },
      {
        title: words.afterDay,
        cell: ({ afterOneDay }) => shown(afterOneDay),
        value: ({ afterOneDay }) => shareOf(afterOneDay),
        isFigure: true,
      },
      {
        title: words.afterWeek,
        cell: ({ afterSevenDays }) => shown(afterSevenDays),
        value: ({ afterSevenDays }) => shareOf(afterSevenDays),
        isFigure: true,
      },
    ],
    actions: ({ botId, username, isExcluded }) =>
      form(visit, {
        action: `${pathOf(order)}/sources/${botId}`,
        fields: hidden('excluded', isExcluded ? 'no' : 'yes'),
        submit: isExcluded ? words.include : words.exclude,
        label: `${isExcluded ? words.include : words.exclude}: @${username}`,
        look: 'quiet',
        isInline: true,
      }),
  });
}
