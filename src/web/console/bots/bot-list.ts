import { html } from '../../../core/html.ts';
import { botTotals } from '../../../modules/statistics/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { buildTable } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import { BOTS, botBadge } from './bot-path.ts';

export function botList(router: ConsoleRouter, { db }: ConsoleDeps): void {
  router.page(BOTS, async (visit) => {
    const { texts, owner } = visit;
    const words = texts.bots;
    const table = buildTable(visit, {
      name: 'bots',
      title: words.listTitle,
      note: words.listNote,
      rows: await botTotals(db, owner.accountId),
      empty: words.empty,
      columns: ({ id, badge, count, rubles }) => [
        {
          title: words.bot,
          cell: ({ botId, username }) => html`<a href="${`${BOTS}/${botId}`}">@${username}</a>`,
          value: ({ username }) => username,
        },
        id(texts.common.number, ({ botId }) => botId),
        badge(texts.common.status, (bot) => botBadge(visit, bot)),
        count(words.subscribers, ({ subscribers }) => subscribers),
        rubles(words.revenue, ({ revenueKopecks }) => revenueKopecks),
      ],
    });
    return { title: texts.menu.bots, body: table.html, tables: [table] };
  });
}
