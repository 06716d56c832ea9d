import { type Html, html } from '../../../core/html.ts';
import { listAccountsPage } from '../../../modules/accounts/index.ts';
import { searchAccounts } from '../../../modules/operators/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { queryForm, textField } from '../parts/form.ts';
import { buildTable, pageOf, rowLimit } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import { readCursor, type Visit } from '../visit.ts';
import { accountBadge, accountPath } from './account-page.ts';
import { ACCOUNTS } from './operator-path.ts';

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
        link(
          common.name,
          ({ name }) => name,
          (account) => accountPath(account.id),
        ),
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
