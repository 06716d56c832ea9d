import { html } from '../../../core/html.ts';
import { botTotals } from '../../../modules/statistics/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { badge } from '../parts/pieces.ts';
import { buildTable } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import { BOTS } from './bot-path.ts';

export function botList(router: ConsoleRouter, { db }: ConsoleDeps): void {
  router.page(BOTS, async (visit) => {
    const { texts, formats, owner } = visit;
    const words = texts.bots;
    const table = buildTable(visit, {
      name: 'bots',
      title: words.listTitle,
      note: words.listNote,
      columns: [
        {
          title: words.bot,
          cell: ({ botId, username }) => html`<a href="${`${BOTS}/${botId}`}">@${username}</a>`,
          value: ({ username }) => username,
        },
        { title: texts.common.number, cell: ({ botId }) => String(botId), value: ({ botId }) => botId, isFigure: true },
        {
          title: texts.common.status,
          cell: ({ isActive }) => (isActive ? badge('good', words.on) : badge('warn', words.off)),
          value: ({ isActive }) => (isActive ? words.on : words.off),
        },
        {
          title: words.subscribers,
          cell: ({ subscribers }) => formats.count(subscribers),
          value: ({ subscribers }) => subscribers,
          isFigure: true,
        },
        {
          title: words.revenue,
          cell: ({ revenueKopecks }) => formats.rubles(revenueKopecks),
          value: ({ revenueKopecks }) => revenueKopecks,
          isFigure: true,
        },
      ],
      rows: await botTotals(db, owner.accountId),
      empty: words.empty,
    });
    return { title: texts.menu.bots, section: BOTS, body: table.html, tables: [table] };
  });
}
