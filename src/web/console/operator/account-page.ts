import { ApiError } from '../../../core/errors.ts';
import { type Html, html } from '../../../core/html.ts';
import type { Bot } from '../../../modules/bots/index.ts';
import { type AccountDescription, describeAccount } from '../../../modules/operators/index.ts';
import { listOrdersPage } from '../../../modules/orders/index.ts';
import { listPayouts } from '../../../modules/payouts/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { badge, facts, NOTHING, panel, tile, tiles } from '../parts/pieces.ts';
import { buildTable, rowsWanted } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import { type BuiltTable, type Crumb, idIn, type Page, type Visit } from '../visit.ts';
import { type CreditDraft, creditPanel } from './credit-form.ts';
import { ACCOUNTS, FOR_OPERATORS } from './operator-path.ts';
import { ordersTable, payoutsTable } from './tables.ts';

export const accountPath = (id: number): string => `${ACCOUNTS}/${id}`;
export const accountNotFound = (): ApiError => new ApiError('account_not_found', 'There is no such account.');
export const toAccounts = ({ texts }: Visit): Crumb => ({ label: texts.operator.menu.accounts, href: ACCOUNTS });

export async function accountIn(db: ConsoleDeps['db'], visit: Visit): Promise<AccountDescription> {
  const account = await describeAccount(db, idIn(visit));
  if (account === undefined) throw accountNotFound();
  return account;
}

export const accountCrumb = ({ texts }: Visit, id: number): Crumb => ({
  label: texts.operator.accounts.numbered(id),
  href: accountPath(id),
});

export function accountPage(router: ConsoleRouter, deps: ConsoleDeps): void {
  router.page(`${ACCOUNTS}/:id`, (visit) => showAccount(deps, visit), FOR_OPERATORS);
  // Where a form with an error in it stands: whoever reloads it or changes the language there sees the account.
  router.page(`${ACCOUNTS}/:id/credit`, (visit) => showAccount(deps, visit), FOR_OPERATORS);
}

/** All that an operator wants to know of an account before deciding anything about it. */
export async function showAccount({ db }: ConsoleDeps, asked: Visit, draft?: CreditDraft): Promise<Page> {
  const account = await accountIn(db, asked);
  const accountId = account.id;
  const visit = { ...asked, path: accountPath(accountId) };
  const [orders, paid] = await Promise.all([
    listOrdersPage(db, { accountId, limit: rowsWanted(visit, 'orders') - 1 }),
    listPayouts(db, { accountId, limit: rowsWanted(visit, 'payouts') - 1 }),
  ]);
  const { operator, payouts: money } = visit.texts;
  const words = operator.accounts;
  const bots = botsTable(visit, account.bots);
  const latest = (rows: readonly unknown[]) =>
    ({ common: 'owner', ...(rows.length > 0 && { note: words.ordersNote }) }) as const;
  const ordersOf = ordersTable(visit, {
    ...latest(orders),
    name: 'orders',
    title: words.orders,
    rows: orders,
    empty: words.noOrders,
  });
  const payoutsOf = payoutsTable(visit, {
    ...latest(paid),
    name: 'payouts',
    title: money.listTitle,
    rows: paid,
    empty: words.noPayouts,
  });
  return {
    title: words.numbered(accountId),
    section: ACCOUNTS,
    crumbs: [toAccounts(visit)],
    aside: account.bannedAt === null ? badge('good', words.works) : badge('bad', operator.isBanned),
    body: html`${banOf(visit, account)}${freezeOf(visit, account)}${figures(visit, account)}${about(visit, account)}<div class="columns">${creditPanel(visit, account, draft)}${accessPanel(visit, account)}</div>${bots.html}${ordersOf.html}${payoutsOf.html}`,
    tables: [bots, ordersOf, payoutsOf],
  };
}

function banOf({ texts, formats }: Visit, { bannedAt, banReason }: AccountDescription): Html {
  if (bannedAt === null) return NOTHING;
  const said = texts.operator.accounts.banned(formats.moment(bannedAt), banReason ?? '');
  return html`<p class="flash bad">${said}</p>`;
}

function freezeOf({ texts, formats }: Visit, { freeze }: AccountDescription): Html {
  if (freeze === undefined) return NOTHING;
  return html`<p class="flash bad">${texts.operator.freeze.frozen(formats.moment(freeze.at), freeze.reason)}</p>`;
}

function figures(
  { texts, formats }: Visit,
  { availableKopecks, withdrawableKopecks, holdKopecks, bots, orders }: AccountDescription,
): Html {
  const { payouts: money, operator } = texts;
  const inAll = [...orders.values()].reduce((sum, count) => sum + count, 0);
  return tiles(
    tile(money.withdrawable, formats.rubles(withdrawableKopecks), money.withdrawableNote),
    tile(money.available, formats.rubles(availableKopecks), money.availableNote),
    tile(money.hold, formats.rubles(holdKopecks), money.holdNote),
    tile(operator.accounts.bots, formats.count(bots.length)),
    tile(operator.accounts.orders, formats.count(inAll)),
  );
}

function about({ texts, formats }: Visit, account: AccountDescription): Html {
  const { operator, orders: words, common } = texts;
  const byStatus = [...account.orders].map(([status, count]) => `${words.statuses[status]} ${formats.count(count)}`);
  return panel(
    operator.accounts.about,
    facts(
      [common.name, account.name],
      [operator.telegramId, String(account.telegramUserId)],
      [operator.accounts.opened, formats.moment(account.createdAt)],
      [operator.accounts.ordersBy, byStatus.length === 0 ? '–' : byStatus.join(', ')],
    ),
    { id: 'about-account' },
  );
}

function accessPanel({ texts }: Visit, { id, bannedAt, freeze }: AccountDescription): Html {
  const words = texts.operator.accounts;
  const step =
    bannedAt === null
      ? html`<a class="button danger-link" href="${`${accountPath(id)}/ban`}">${words.ban}…</a>`
      : html`<a class="button" href="${`${accountPath(id)}/unban`}">${words.unban}…</a>`;
  const { freeze: ice, debit } = texts.operator;
  const money =
    freeze === undefined
      ? html`<a class="button danger-link" href="${`${accountPath(id)}/freeze`}">${ice.askAccount.submit}…</a>`
      : html`<a class="button" href="${`${accountPath(id)}/unfreeze`}">${ice.liftAccount.submit}…</a>`;
  const take = html`<a class="button danger-link" href="${`${accountPath(id)}/debit`}">${debit.submit}…</a>`;
  return panel(words.access, html`<div class="buttons">${step}${money}${take}</div>`, { note: words.accessNote });
}

function botsTable(visit: Visit, rows: readonly Bot[]): BuiltTable {
  const { common, operator } = visit.texts;
  const words = operator.accounts;
  return buildTable(visit, {
    name: 'bots',
    title: words.bots,
    rows,
    empty: words.noBots,
    columns: [
      { title: common.name, cell: ({ username }) => `@${username}` },
      { title: common.number, cell: ({ id }) => String(id), value: ({ id }) => id, isFigure: true },
      {
        title: words.state,
        cell: ({ isActive }) => (isActive ? badge('good', words.isActive) : badge('plain', words.isOff)),
        value: ({ isActive }) => (isActive ? words.isActive : words.isOff),
      },
    ],
  });
}
