import { type Html, html } from '../../../core/html.ts';
import { botTokenIn, claimBot, listTokens } from '../../../modules/bots/index.ts';
import { readMessageSettings } from '../../../modules/compat/index.ts';
import { findQuality, type QualitySettings, type SourceQuality } from '../../../modules/quality/index.ts';
import { botTotals } from '../../../modules/statistics/index.ts';
import { describeQuality, QUALITY_TEXTS } from '../../../texts/quality.ts';
import type { ConsoleDeps } from '../deps.ts';
import { publisherCharts } from '../overview/day-charts.ts';
import { dayPage } from '../overview/day-page.ts';
import { badge, readPeriod } from '../parts/elements.ts';
import { form, textField } from '../parts/form.ts';
import { buildTable } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import { done, type Page, type Visit } from '../visit.ts';
import { BOTS, botBadge, botCrumbs, pathOf, requireBot } from './bot-path.ts';
import { botSettings, exclusionsPanel, settingsPanel, switchPanel } from './bot-settings.ts';
import { botTokens, tokenTable } from './bot-tokens.ts';
import { explainPage } from './explain-page.ts';
import { gateMessages, gateMessagesPanel } from './gate-messages.ts';

const NEW_BOT = `${BOTS}/new`;

/** The pages of a publisher's bots. */
export function botPages(router: ConsoleRouter, deps: ConsoleDeps): void {
  for (const addPages of [botList, newBot, botPage, botDays, botSettings, botTokens, gateMessages, explainPage])
    addPages(router, deps);
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
    const add = html`<a class="button primary-link" href="${NEW_BOT}">${words.add}</a>`;
    return { title: texts.menu.bots, aside: add, body: table.html, tables: [table] };
  });
}

/** The subscriptions of a day of one bot. */
function botDays(router: ConsoleRouter, deps: ConsoleDeps): void {
  dayPage(router, deps, `${BOTS}/:id/days/:day`, async (visit) => {
    const bot = await requireBot(deps.db, visit);
    return { scope: 'bot', id: bot.id, crumbs: botCrumbs(visit, bot) };
  });
}

/** Adds a bot with its Telegram token, which is used once to learn the bot's name and is not stored. */
function newBot(router: ConsoleRouter, { db, clock, telegram }: ConsoleDeps): void {
  async function show(visit: Visit, error?: string): Promise<Page> {
    const words = visit.texts.bots.new;
    const bot = await telegram.managementBot();
    const fields = textField({
      name: 'token',
      label: words.token,
      hint: words.tokenHint,
      type: 'password',
      maxLength: 1_000,
      isRequired: true,
      error,
    });
    const byForward =
      bot && html`<p class="note">${words.byForward} <a href="${bot.url}" rel="noreferrer">@${bot.username}</a></p>`;
    return {
      title: words.title,
      crumbs: botCrumbs(visit),
      status: error === undefined ? 200 : 422,
      body: html`<section class="panel"><p>${words.text}</p>${form(visit, { action: NEW_BOT, fields, submit: words.submit })}${byForward}</section>`,
    };
  }

  router.page(NEW_BOT, (visit) => show(visit));
  router.action(
    NEW_BOT,
    async (visit, sent) => {
      const { notAToken, tokenRefused } = visit.shared.orders.inputs;
      const token = botTokenIn(sent.get('token') ?? '');
      if (token === undefined) return show(visit, notAToken);
      const found = await telegram.identifyBot(token);
      if (found.kind === 'refused') return show(visit, tokenRefused);
      if (found.kind !== 'known') return show(visit, visit.shared.refusals.telegram_unavailable ?? '');
      const { username } = found;
      const outcome = await claimBot(db, { accountId: visit.owner.accountId, username, at: clock.now() });
      const words = visit.texts.bots.new;
      if (outcome.kind === 'taken') return show(visit, words.taken(username));
      return done(pathOf(outcome.bot), outcome.kind === 'registered' ? words.added : words.alreadyYours);
    },
    { back: () => NEW_BOT },
  );
}

function qualityPanel(
  { language }: Visit,
  settings: QualitySettings,
  quality: SourceQuality | undefined,
): Html | undefined {
  const { title, reasonsTitle, adviceTitle } = QUALITY_TEXTS[language];
  const described = describeQuality(language, quality, settings);
  if (described === undefined) return undefined;
  const { line, effect, reasons, advice } = described;
  const list = (head: string, items: readonly string[]): Html | false =>
    items.length > 0 && html`<h3>${head}</h3><ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;
  return html`<section class="panel"><h2>${title}</h2><p><strong>${line}</strong></p><p class="note">${effect}</p>${list(reasonsTitle, reasons)}${list(adviceTitle, advice)}</section>`;
}

function botPage(router: ConsoleRouter, { db, reports, clock, qualitySettings }: ConsoleDeps): void {
  router.page(`${BOTS}/:id`, async (visit) => {
    const bot = await requireBot(db, visit);
    const words = visit.texts.bots;
    const now = clock.now();
    const { days, choices } = readPeriod(visit);
    const charts = await publisherCharts(visit, reports, { scope: 'bot', id: bot.id, period: { days, now } });
    const quality = qualityPanel(visit, qualitySettings, (await findQuality(db, [bot.id])).get(bot.id));
    const tokens = tokenTable(visit, bot, await listTokens(db, bot.id), now);
    const messages = gateMessagesPanel(visit, bot, await readMessageSettings(db, bot.id));
    const explain = html`<section class="panel"><h2>${words.explainTitle}</h2><p class="note">${words.explainNote}</p><p><a class="button" href="${`${pathOf(bot)}/explain`}">${words.explainOpen}</a></p></section>`;
    return {
      title: `@${bot.username}`,
      crumbs: botCrumbs(visit),
      aside: html`${badge(...botBadge(visit, bot))}${choices}`,
      body: html`<div class="charts">${charts.map((chart) => chart.html)}${quality}${explain}</div>${tokens.html}<div class="columns">${settingsPanel(visit, bot)}<div class="stack">${exclusionsPanel(visit, bot)}${messages}${switchPanel(visit, bot)}</div></div>`,
      tables: [...charts, tokens],
      figuresAgeSeconds: reports.ageSeconds(),
    };
  });
}
