import { html } from '../../../core/html.ts';
import {
  conversionPercent,
  findOwnOrder,
  listOrdersPage,
  readOrderStates,
  subscribersOf,
} from '../../../modules/orders/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { dayPage } from '../overview/day-page.ts';
import { buildTable, pageOf, rowLimit } from '../parts/table.ts';
import { type ConsoleRouter, withOptions } from '../router.ts';
import { readCursor } from '../visit.ts';
import { filtersPage } from './filters-page.ts';
import { NEW_ORDER, newOrderPage } from './new-order.ts';
import { orderActions } from './order-actions.ts';
import { orderPage } from './order-page.ts';
import { ORDERS, orderBadge, orderCrumbs, pathOf, readOrderRef } from './order-path.ts';

/** The pages of an advertiser's orders. The Mini App reaches these pages only. */
export function orderPages(router: ConsoleRouter, deps: ConsoleDeps): void {
  const forApp = withOptions(router, { isForApp: true });
  dayPage(forApp, deps, `${ORDERS}/:id/days/:day`, async (visit) => {
    const order = await findOwnOrder(deps.db, readOrderRef(visit));
    return { scope: 'order', id: order.id, crumbs: orderCrumbs(visit, order) };
  });
  for (const addPages of [orderList, newOrderPage, orderPage, orderActions, filtersPage]) addPages(forApp, deps);
}

function orderList(router: ConsoleRouter, { db }: ConsoleDeps): void {
  router.page(ORDERS, async (visit) => {
    const { orders: words, common, menu } = visit.texts;
    const { accountId } = visit.owner;
    const before = readCursor(visit.query);
    const found = await listOrdersPage(db, { accountId, before, limit: rowLimit(visit, 'orders') });
    const { rows, last } = pageOf(visit, 'orders', found);
    const table = buildTable(visit, {
      name: 'orders',
      title: words.listTitle,
      note: words.listNote,
      rows: await readOrderStates(db, rows),
      next: last && { before: last.id },
      empty: words.empty,
      columns: ({ link, id, badge, rubles, count, percent }) => [
        link(common.name, ({ order }) => [order.name, pathOf(order)]),
        id(common.number, ({ order }) => order.id),
        badge(common.status, ({ order }) => orderBadge(visit, order)),
        rubles(words.charge, ({ order }) => order.chargeKopecks),
        count(words.subscribers, ({ progress }) => subscribersOf(progress)),
        count(words.quantity, ({ order }) => order.quantity),
        percent(words.conversion, ({ progress }) => conversionPercent(progress)),
        rubles(words.spent, ({ progress }) => progress.spentKopecks),
        rubles(words.remainder, ({ escrowKopecks }) => escrowKopecks),
      ],
    });
    const create = html`<a class="button primary-link" href="${NEW_ORDER}">${visit.texts.newOrder.open}</a>`;
    return { title: menu.orders, aside: create, body: table.html, tables: [table] };
  });
}
