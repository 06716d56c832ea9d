import { html } from '../../../core/html.ts';
import { listTokens } from '../../../modules/bots/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { publisherCharts } from '../overview/day-charts.ts';
import { badge, readPeriod } from '../parts/elements.ts';
import type { ConsoleRouter } from '../router.ts';
import { BOTS, botBadge, botCrumbs, pathOf, requireBot } from './bot-path.ts';
import { exclusionsPanel, settingsPanel, switchPanel } from './bot-settings.ts';
import { tokenTable } from './bot-tokens.ts';

export function botPage(router: ConsoleRouter, { db, clock }: ConsoleDeps): void {
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
