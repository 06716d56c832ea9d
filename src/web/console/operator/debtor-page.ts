import { html } from '../../../core/html.ts';
import { listDebtors } from '../../../modules/accounts/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { badge } from '../parts/elements.ts';
import { buildTable } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import { ACCOUNTS, DEBTORS } from './operator-path.ts';

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
