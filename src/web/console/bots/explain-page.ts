import { type Html, html } from '../../../core/html.ts';
import { readCount } from '../../../core/locale.ts';
import type { Bot } from '../../../modules/bots/index.ts';
import type { Explanation } from '../../../modules/tasks/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { box, textField } from '../parts/form.ts';
import { NOTHING, tile, tiles } from '../parts/pieces.ts';
import { buildTable } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import type { BuiltTable, Visit } from '../visit.ts';
import { BOTS, botCrumbs, botIn, pathOf } from './bot-path.ts';

const USER_IDS = { min: 1, max: 999_999_999_999 };

/** "Why no tasks?" for one user, asked as a bot would ask. A question changes nothing, so it stands in the address. */
export function explainPage(router: ConsoleRouter, { db, flow }: ConsoleDeps): void {
  router.page(`${BOTS}/:id/explain`, async (visit) => {
    const bot = await botIn({ db }, visit);
    const words = visit.texts.explain;
    const asked = visit.query.get('user_id');
    const userId = asked === null ? undefined : readCount(asked, USER_IDS);
    const found =
      userId === undefined
        ? undefined
        : await flow.explain({ ...sentIn(visit), bot, userId, action: 'subscribe', max: bot.maxSponsors });
    const table = found === undefined ? undefined : reasonsTable(visit, found);
    return {
      title: words.title,
      section: BOTS,
      crumbs: botCrumbs(visit, bot),
      body: html`${question(visit, bot, asked !== null && userId === undefined)}${found === undefined || userId === undefined ? NOTHING : answer(visit, bot, found)}${table?.html ?? NOTHING}`,
      tables: table === undefined ? [] : [table],
    };
  });
}

/** What the bot would have sent along. */
function sentIn({ query }: Visit) {
  const text = (name: string) => query.get(name)?.trim() || undefined;
  return {
    firstName: text('first_name'),
    username: text('username'),
    languageCode: text('language_code') ?? 'ru',
    isPremium: query.get('is_premium') === 'yes',
    chatId: undefined,
  };
}

function question(visit: Visit, bot: Bot, isWrong: boolean): Html {
  const { query, texts } = visit;
  const words = texts.explain;
  const value = (name: string): string => query.get(name) ?? '';
  return html`<section class="panel"><p class="note">${words.note}</p>
    <form method="get" action="${`${pathOf(bot)}/explain`}" class="form">
      ${textField({ name: 'user_id', label: words.userId, hint: words.userIdHint, value: value('user_id'), inputMode: 'numeric', isRequired: true, width: 'short', error: isWrong ? words.wrongId : undefined })}
      <details class="more"${query.size > 1 ? html` open` : NOTHING}><summary>${words.more}</summary><div class="form">
      ${textField({ name: 'first_name', label: words.firstName, value: value('first_name'), maxLength: 64 })}
      ${textField({ name: 'username', label: words.username, value: value('username'), maxLength: 32 })}
      ${textField({ name: 'language_code', label: words.language, value: value('language_code'), maxLength: 8, placeholder: 'ru', width: 'short' })}
      ${box('is_premium', { value: 'yes', label: words.premium }, query.get('is_premium') === 'yes')}
      </div></details>
      <div class="form-end"><button type="submit" class="primary">${words.ask}</button></div>
    </form></section>`;
}

function answer({ texts, formats }: Visit, bot: Bot, found: Explanation): Html {
  const words = texts.explain;
  const off = bot.isActive ? NOTHING : html`<p class="flash bad">${words.isOff}</p>`;
  return html`${off}<p class="flash ${found.matchingOrders > 0 && !found.isBanned ? 'good' : 'bad'}">${verdict(texts, found)}</p>${tiles(
    tile(words.matching, formats.count(found.matchingOrders)),
    tile(words.active, formats.count(found.activeOrders)),
    tile(words.paused, formats.count(found.pausedOrders)),
  )}`;
}

function verdict({ explain: words }: Visit['texts'], found: Explanation): string {
  if (found.isBanned) return words.isBanned;
  if (found.activeOrders === 0) return words.noOrders;
  if (found.matchingOrders > 0) return words.some;
  return found.removedByBarrier.has('already_shown') ? words.onlyShown : words.noneFits;
}

/** What removed most stands first. */
function reasonsTable(visit: Visit, found: Explanation): BuiltTable {
  const { texts, formats } = visit;
  const words = texts.explain;
  const rows = [
    ...[...found.removedByBarrier].map(([key, orders]) => ({ reason: words.reasons[key], kind: words.byRule, orders })),
    ...[...found.removedByFilter].map(([key, orders]) => ({
      reason: texts.filterNames[key],
      kind: words.byFilter,
      orders,
    })),
  ].sort((a, b) => b.orders - a.orders);
  return buildTable(visit, {
    name: 'reasons',
    title: words.reasonsTitle,
    columns: [
      { title: words.reason, cell: ({ reason }) => reason },
      { title: words.kind, cell: ({ kind }) => kind },
      {
        title: words.orders,
        cell: ({ orders }) => formats.count(orders),
        value: ({ orders }) => orders,
        isFigure: true,
      },
    ],
    rows,
    empty: words.noReasons,
  });
}
