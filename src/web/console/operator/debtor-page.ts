import { html } from '../../../core/html.ts';
import { listDebtors } from '../../../modules/accounts/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { badge, NOTHING } from '../parts/pieces.ts';
import { buildTable } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import { ACCOUNTS, DEBTORS, FOR_OPERATORS } from './operator-path.ts';

const MOST_LISTED = 1_000;

/** Accounts whose balance is negative, the largest debts first. */
export function debtorPage(router: ConsoleRouter, { db }: ConsoleDeps): void {
  router.page(
    DEBTORS,
    async (visit) => {
      const { texts, formats } = visit;
      const words = texts.operator.debtors;
      const table = buildTable(visit, {
        name: 'debtors',
        title: words.title,
        note: words.note,
        empty: words.empty,
        rows: await listDebtors(db, { limit: MOST_LISTED, offset: 0 }),
        columns: [
          {
            title: texts.common.name,
            cell: ({ accountId, name, isBanned }) =>
              html`<a href="${`${ACCOUNTS}/${accountId}`}">${name}</a>${isBanned ? html` ${badge('bad', texts.operator.isBanned)}` : NOTHING}`,
            value: ({ name }) => name,
          },
          {
            title: texts.common.number,
            cell: ({ accountId }) => String(accountId),
            value: ({ accountId }) => accountId,
            isFigure: true,
          },
          {
            title: words.debt,
            cell: ({ debtKopecks }) => formats.rubles(debtKopecks),
            value: ({ debtKopecks }) => debtKopecks,
            isFigure: true,
          },
          {
            title: texts.payouts.hold,
            cell: ({ holdKopecks }) => formats.rubles(holdKopecks),
            value: ({ holdKopecks }) => holdKopecks,
            isFigure: true,
          },
        ],
      });
      return { title: texts.operator.menu.debtors, section: DEBTORS, body: table.html, tables: [table] };
    },
    FOR_OPERATORS,
  );
}
