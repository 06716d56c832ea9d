import { type Html, html } from '../../../core/html.ts';
import { type AccountSummary, listAccountsPage } from '../../../modules/accounts/index.ts';
import { searchAccounts } from '../../../modules/operators/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { textField } from '../parts/form.ts';
import { badge } from '../parts/pieces.ts';
import { buildTable, rowsShown, rowsWanted } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import { type BuiltTable, cursorIn, type Visit } from '../visit.ts';
import { ACCOUNTS, FOR_OPERATORS, onward } from './operator-path.ts';

/** Longer than anything that finds an account. */
const MAX_QUESTION = 100;

/** Everybody who has an account: found by number, Telegram id or the name of a bot. */
export function accountList(router: ConsoleRouter, { db }: ConsoleDeps): void {
  router.page(
    ACCOUNTS,
    async (visit) => {
      const words = visit.texts.operator.accounts;
      const question = (visit.query.get('q') ?? '').trim().slice(0, MAX_QUESTION);
      const isSearch = question !== '';
      const found = isSearch
        ? await searchAccounts(db, question)
        : await listAccountsPage(db, {
            before: cursorIn(visit.query, 'after'),
            limit: rowsWanted(visit, 'accounts'),
          });
      const rows = rowsShown(visit, 'accounts', found);
      const table = accountsTable(visit, {
        title: isSearch ? words.found : words.newest,
        empty: isSearch ? words.notFound : words.empty,
        rows,
      });
      return {
        title: visit.texts.operator.menu.accounts,
        section: ACCOUNTS,
        body: html`${search(visit, question)}${table.html}${onward(visit, found.length > rows.length ? rows.at(-1)?.id : undefined)}`,
        tables: [table],
      };
    },
    FOR_OPERATORS,
  );
}

function search({ texts }: Visit, question: string): Html {
  const words = texts.operator.accounts;
  const field = textField({ name: 'q', label: words.search, value: question, maxLength: MAX_QUESTION });
  return html`<section class="panel"><form method="get" action="${ACCOUNTS}" class="form" role="search">${field}<div class="form-end"><button type="submit" class="primary">${words.find}</button></div></form></section>`;
}

function accountsTable(
  visit: Visit,
  { title, empty, rows }: { title: string; empty: string; rows: readonly AccountSummary[] },
): BuiltTable {
  const { texts, formats } = visit;
  const { common, operator } = texts;
  const words = operator.accounts;
  return buildTable(visit, {
    name: 'accounts',
    title,
    empty,
    rows,
    columns: [
      {
        title: common.name,
        cell: ({ id, name }) => html`<a href="${`${ACCOUNTS}/${id}`}">${name}</a>`,
        value: ({ name }) => name,
      },
      { title: common.number, cell: ({ id }) => String(id), value: ({ id }) => id, isFigure: true },
      {
        title: operator.telegramId,
        cell: ({ telegramUserId }) => String(telegramUserId),
        value: ({ telegramUserId }) => telegramUserId,
        isFigure: true,
      },
      { title: words.opened, cell: ({ createdAt }) => formats.moment(createdAt), value: ({ createdAt }) => createdAt },
      {
        title: words.state,
        cell: ({ bannedAt }) => (bannedAt === null ? badge('good', words.works) : badge('bad', operator.isBanned)),
        value: ({ bannedAt }) => (bannedAt === null ? words.works : operator.isBanned),
      },
    ],
  });
}
