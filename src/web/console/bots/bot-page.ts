import { html } from '../../../core/html.ts';
import { listTokens } from '../../../modules/bots/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { publisherCharts } from '../overview/day-charts.ts';
import { badge, DAY_CHOICES, dayChoices } from '../parts/pieces.ts';
import type { ConsoleRouter } from '../router.ts';
import { choiceIn } from '../visit.ts';
import { BOTS, botCrumbs, botIn, pathOf } from './bot-path.ts';
import { exclusionsPanel, settingsPanel, switchPanel } from './bot-settings.ts';
import { tokenTable } from './bot-tokens.ts';

export function botPage(router: ConsoleRouter, { db, clock }: ConsoleDeps): void {
  router.page(`${BOTS}/:id`, async (visit) => {
    const bot = await botIn({ db }, visit);
    const words = visit.texts.bots;
    const now = clock.now();
    const chosen = choiceIn(visit.query, 'days', DAY_CHOICES);
    const charts = await publisherCharts(visit, db, {
      scope: 'bot',
      id: bot.id,
      period: { days: Number(chosen), now },
    });
    const tokens = tokenTable(visit, bot, await listTokens(db, bot.id), now);
    const why = html`<section class="panel"><h2>${words.whyTitle}</h2><p class="note">${words.whyNote}</p><p><a class="button" href="${`${pathOf(bot)}/explain`}">${words.whyOpen}</a></p></section>`;
    return {
      title: `@${bot.username}`,
      section: BOTS,
      crumbs: botCrumbs(visit),
      aside: html`${bot.isActive ? badge('good', words.on) : badge('warn', words.off)}${dayChoices(visit, chosen)}`,
      body: html`<div class="charts">${charts.map((chart) => chart.html)}${why}</div>${tokens.html}<div class="columns">${settingsPanel(visit, bot)}<div class="stack">${exclusionsPanel(visit, bot)}${switchPanel(visit, bot)}</div></div>`,
      tables: [...charts, tokens],
    };
  });
}
