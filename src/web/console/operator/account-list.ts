import { type Html, html } from '../../../core/html.ts';
import { listAccountsPage, listDebtors } from '../../../modules/accounts/index.ts';
import { searchAccounts } from '../../../modules/operators/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { badge } from '../parts/elements.ts';
import { queryForm, textField } from '../parts/form.ts';
import { buildTable, pageOf, rowLimit } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import { readCursor, type Visit } from '../visit.ts';
import { accountBadge } from './account-page.ts';
import { accountPath } from './account-path.ts';
import { ACCOUNTS, DEBTORS } from './operator-path.ts';

const MAX_SEARCH_TEXT = 100;

/** Lists all accounts and finds them by number, Telegram id or the name of a bot. */
export function accountList(router: ConsoleRouter, { db }: ConsoleDeps): void {
  router.page(ACCOUNTS, async (visit) => {
    const { common, operator } = visit.texts;
    const words = operator.accounts;
    const searched = (visit.query.get('q') ?? '').trim().slice(0, MAX_SEARCH_TEXT);
    const isSearch = searched !== '';
    const found = isSearch
      ? await searchAccounts(db, searched)
      : await listAccountsPage(db, {
          before: readCursor(visit.query, 'after'),
          limit: rowLimit(visit, 'accounts'),
        });
    const { rows, last } = pageOf(visit, 'accounts', found);
    const table = buildTable(visit, {
      name: 'accounts',
      title: isSearch ? words.found : words.newest,
      empty: isSearch ? visit.shared.operator.accounts.notFound : words.empty,
      rows,
      next: last && { after: last.id },
      columns: ({ link, id, time, badge }) => [
        link(common.name, (account) => [account.name, accountPath(account.id)]),
        id(common.number, (account) => account.id),
        id(operator.telegramId, ({ telegramUserId }) => telegramUserId),
        time(words.opened, ({ createdAt }) => createdAt),
        badge(words.state, (account) => accountBadge(visit, account)),
      ],
    });
    const body = html`${searchPanel(visit, searched)}${table.html}`;
    return { title: operator.menu.accounts, body, tables: [table] };
  });
}

function searchPanel({ texts }: Visit, searched: string): Html {
  const words = texts.operator.accounts;
  const fields = textField({ name: 'q', label: words.search, value: searched, maxLength: MAX_SEARCH_TEXT });
  return html`<section class="panel">${queryForm({ action: ACCOUNTS, fields, submit: words.find, role: 'search' })}</section>`;
}

const MAX_DEBTORS = 1_000;

/** Lists accounts with a negative balance, the largest debts first. */
export function debtorPage(router: ConsoleRouter, { db }: ConsoleDeps): void {
  router.page(DEBTORS, async (visit) => {
    const { common, operator, payouts } = visit.texts;
    const words = operator.debtors;
    const table = buildTable(visit, {
      name: 'debtors',
      title: words.title,
      note: words.note,
      empty: visit.shared.operator.accounts.noDebtors,
      rows: await listDebtors(db, { limit: MAX_DEBTORS, offset: 0 }),
      columns: ({ id, rubles }) => [
        {
          title: common.name,
          cell: ({ accountId, name, isBanned }) =>
            html`<a href="${`${ACCOUNTS}/${accountId}`}">${name}</a>${isBanned && html` ${badge('bad', operator.isBanned)}`}`,
          value: ({ name }) => name,
        },
        id(common.number, ({ accountId }) => accountId),
        rubles(words.debt, ({ debtKopecks }) => debtKopecks),
        rubles(payouts.hold, ({ holdKopecks }) => holdKopecks),
      ],
    });
    return { title: operator.menu.debtors, body: table.html, tables: [table] };
  });
}
