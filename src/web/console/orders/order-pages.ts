import type { ConsoleDeps } from '../deps.ts';
import type { ConsoleRouter } from '../router.ts';
import { filtersPage } from './filters-page.ts';
import { orderActions } from './order-actions.ts';
import { orderList } from './order-list.ts';
import { orderPage } from './order-page.ts';

/** An advertiser's orders. The Mini App reaches these pages too, and no others. */
export function orderPages(router: ConsoleRouter, deps: ConsoleDeps): void {
  orderList(router, deps);
  orderPage(router, deps);
  orderActions(router, deps);
  filtersPage(router, deps);
}
