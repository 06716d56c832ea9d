import { type Html, html } from '../../../core/html.ts';
import { readCount } from '../../../core/locale.ts';
import type { Bot } from '../../../modules/bots/index.ts';
import type { Explanation } from '../../../modules/tasks/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { tile, tiles, warning } from '../parts/elements.ts';
import { checkbox, queryForm, textField } from '../parts/form.ts';
import { buildTable } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import type { BuiltTable, Visit } from '../visit.ts';
import { BOTS, botCrumbs, pathOf, requireBot } from './bot-path.ts';

const USER_IDS = { min: 1, max: 999_999_999_999 };

/** Explains why a user gets no tasks from a bot. It changes nothing, so the form is sent as a query. */
export function explainPage(router: ConsoleRouter, { db, flow }: ConsoleDeps): void {
  router.page(`${BOTS}/:id/explain`, async (visit) => {
    const bot = await requireBot(db, visit);
    const typed = visit.query.get('user_id');
    const userId = typed === null ? undefined : readCount(typed, USER_IDS);
    const request = { ...readProfile(visit), bot, action: 'subscribe', max: bot.maxSponsors } as const;
    const found = userId === undefined ? undefined : await flow.explain({ ...request, userId });
    const table = found && reasonsTable(visit, found);
    return {
      title: visit.texts.explain.title,
      crumbs: botCrumbs(visit, bot),
      body: html`${userForm(visit, bot, typed !== null && userId === undefined)}${found && summary(visit, bot, found)}${table?.html}`,
      tables: table === undefined ? [] : [table],
    };
  });
}

/** Returns the profile that the bot would send with its request. */
function readProfile({ query }: Visit) {
  const text = (name: string) => query.get(name)?.trim() || undefined;
  return {
    firstName: text('first_name'),
    username: text('username'),
    languageCode: text('language_code') ?? 'ru',
    isPremium: query.get('is_premium') === 'yes',
    chatId: undefined,
  };
}

function userForm(visit: Visit, bot: Bot, isWrong: boolean): Html {
  const { query, texts } = visit;
  const words = texts.explain;
  const value = (name: string): string => query.get(name) ?? '';
  const fields = html`${textField({ name: 'user_id', label: words.userId, hint: words.userIdHint, value: value('user_id'), inputMode: 'numeric', isRequired: true, width: 'short', error: isWrong ? words.wrongId : undefined })}
      <details class="more"${query.size > 1 && ' open'}><summary>${words.more}</summary><div class="form">
      ${textField({ name: 'first_name', label: words.firstName, value: value('first_name'), maxLength: 64 })}
      ${textField({ name: 'username', label: words.username, value: value('username'), maxLength: 32 })}
      ${textField({ name: 'language_code', label: words.language, value: value('language_code'), maxLength: 8, placeholder: 'ru', width: 'short' })}
      ${checkbox('is_premium', { value: 'yes', label: words.premium }, query.get('is_premium') === 'yes')}
      </div></details>`;
  return html`<section class="panel"><p class="note">${words.note}</p>${queryForm({ action: `${pathOf(bot)}/explain`, fields, submit: words.ask })}</section>`;
}

function summary(visit: Visit, bot: Bot, found: Explanation): Html {
  const { explain: words } = visit.texts;
  const { count } = visit.formats;
  const isServed = found.matchingOrders > 0 && !found.isBanned && !found.isHiddenByLimit;
  return html`${!bot.isActive && warning(visit.shared.tasks.isOff)}<p class="flash ${isServed ? 'good' : 'bad'}">${conclusion(visit, found)}</p>${tiles(
    tile(words.matching, count(found.matchingOrders)),
    tile(words.active, count(found.activeOrders)),
    tile(words.paused, count(found.pausedOrders)),
  )}`;
}

function conclusion({ texts, shared }: Visit, found: Explanation): string {
  if (found.isBanned) return shared.tasks.isBanned;
  if (found.isHiddenByLimit) return shared.tasks.isOverLimit;
  if (found.activeOrders === 0) return shared.tasks.noOrders;
  if (found.matchingOrders > 0) return texts.explain.some;
  return found.removedByBarrier.has('already_shown') ? shared.tasks.onlyShown : shared.tasks.noneFits;
}

/** Lists the reasons that removed orders, the most frequent first. */
function reasonsTable(visit: Visit, { removedByBarrier, removedByFilter }: Explanation): BuiltTable {
  const { texts, shared } = visit;
  const words = texts.explain;
  const { removalReasons } = shared.tasks;
  const rows = [
    ...[...removedByBarrier].map(([key, orders]) => ({ reason: removalReasons[key], kind: words.byRule, orders })),
    ...[...removedByFilter].map(([key, orders]) => ({
      reason: shared.filters.names[key],
      kind: words.byFilter,
      orders,
    })),
  ].sort((a, b) => b.orders - a.orders);
  return buildTable(visit, {
    name: 'reasons',
    title: words.reasonsTitle,
    rows,
    empty: words.noReasons,
    columns: ({ text, count }) => [
      text(words.reason, ({ reason }) => reason),
      text(words.kind, ({ kind }) => kind),
      count(words.orders, ({ orders }) => orders),
    ],
  });
}
