import { html } from '../../../core/html.ts';
import { listTokens } from '../../../modules/bots/index.ts';
import { botTotals } from '../../../modules/statistics/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { publisherCharts } from '../overview/day-charts.ts';
import { badge, readPeriod } from '../parts/elements.ts';
import { buildTable } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import { BOTS, botBadge, botCrumbs, pathOf, requireBot } from './bot-path.ts';
import { botSettings, exclusionsPanel, settingsPanel, switchPanel } from './bot-settings.ts';
import { botTokens, tokenTable } from './bot-tokens.ts';
import { explainPage } from './explain-page.ts';

/** The pages of a publisher's bots. */
export function botPages(router: ConsoleRouter, deps: ConsoleDeps): void {
  for (const addPages of [botList, botPage, botSettings, botTokens, explainPage]) addPages(router, deps);
}

function botList(router: ConsoleRouter, { db }: ConsoleDeps): void {
  router.page(BOTS, async (visit) => {
    const { texts, owner } = visit;
    const words = texts.bots;
    const table = buildTable(visit, {
      name: 'bots',
      title: words.listTitle,
      note: words.listNote,
      rows: await botTotals(db, owner.accountId),
      empty: words.empty,
      columns: ({ link, id, badge, count, rubles }) => [
        {
          ...link(words.bot, ({ botId, username }) => [`@${username}`, `${BOTS}/${botId}`]),
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

function botPage(router: ConsoleRouter, { db, clock }: ConsoleDeps): void {
  router.page(`${BOTS}/:id`, async (visit) => {
    const bot = await requireBot(db, visit);
    const words = visit.texts.bots;
    const now = clock.now();
    const { days, choices } = readPeriod(visit);
    const charts = await publisherCharts(visit, db, { scope: 'bot', id: bot.id, period: { days, now } });
    const tokens = tokenTable(visit, bot, await listTokens(db, bot.id), now);
    const explain = html`<section class="panel"><h2>${words.explainTitle}</h2><p class="note">${words.explainNote}</p><p><a class="button" href="${`${pathOf(bot)}/explain`}">${words.explainOpen}</a></p></section>`;
    return {
      title: `@${bot.username}`,
      crumbs: botCrumbs(visit),
      aside: html`${badge(...botBadge(visit, bot))}${choices}`,
      body: html`<div class="charts">${charts.map((chart) => chart.html)}${explain}</div>${tokens.html}<div class="columns">${settingsPanel(visit, bot)}<div class="stack">${exclusionsPanel(visit, bot)}${switchPanel(visit, bot)}</div></div>`,
      tables: [...charts, tokens],
    };
  });
}
