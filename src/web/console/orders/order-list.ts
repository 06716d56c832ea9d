import { html } from '../../../core/html.ts';
import {
  conversionPercent,
  listOrdersPage,
  type OrderState,
  readOrderStates,
  subscribersOf,
} from '../../../modules/orders/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { buildTable, rowsShown, rowsWanted } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import { type BuiltTable, cursorIn, type Visit } from '../visit.ts';
import { ORDERS, pathOf, statusBadge } from './order-path.ts';

export function orderList(router: ConsoleRouter, { db }: ConsoleDeps): void {
  router.page(
    ORDERS,
    async (visit) => {
      const { accountId } = visit.owner;
      const before = cursorIn(visit.query);
      const found = await listOrdersPage(db, { accountId, before, limit: rowsWanted(visit, 'orders') });
      const shown = rowsShown(visit, 'orders', found);
      const next = found.length > shown.length ? `before=${shown.at(-1)?.id}` : undefined;
      const table = ordersTable(visit, await readOrderStates(db, shown), next);
      return { title: visit.texts.menu.orders, section: ORDERS, body: table.html, tables: [table] };
    },
    { isForApp: true },
  );
}

function ordersTable(visit: Visit, states: readonly OrderState[], next: string | undefined): BuiltTable {
  const { texts, formats } = visit;
  const { orders: words, common } = texts;
  const { rubles, count, percent } = formats;
  return buildTable(visit, {
    name: 'orders',
    title: words.listTitle,
    note: words.listNote,
    rows: states,
    next,
    empty: words.empty,
    columns: [
      {
        title: common.name,
        cell: ({ order }) => html`<a href="${pathOf(order)}">${order.name}</a>`,
        value: ({ order }) => order.name,
      },
      { title: common.number, cell: ({ order }) => String(order.id), value: ({ order }) => order.id, isFigure: true },
      {
        title: common.status,
        cell: ({ order }) => statusBadge(visit, order.status),
        value: ({ order }) => words.statuses[order.status],
      },
      {
        title: words.charge,
        cell: ({ order }) => rubles(order.chargeKopecks),
        value: ({ order }) => order.chargeKopecks,
        isFigure: true,
      },
      {
        title: words.subscribers,
        cell: ({ progress }) => count(subscribersOf(progress)),
        value: ({ progress }) => subscribersOf(progress),
        isFigure: true,
      },
      {
        title: words.quantity,
        cell: ({ order }) => count(order.quantity),
        value: ({ order }) => order.quantity,
        isFigure: true,
      },
      {
        title: words.conversion,
        cell: ({ progress }) => percent(conversionPercent(progress)),
        value: ({ progress }) => conversionPercent(progress),
        isFigure: true,
      },
      {
        title: words.spent,
        cell: ({ progress }) => rubles(progress.spentKopecks),
        value: ({ progress }) => progress.spentKopecks,
        isFigure: true,
      },
      {
        title: words.remainder,
        cell: ({ escrowKopecks }) => rubles(escrowKopecks),
        value: ({ escrowKopecks }) => escrowKopecks,
        isFigure: true,
      },
    ],
  });
}
