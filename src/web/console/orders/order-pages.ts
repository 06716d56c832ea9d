import type { ConsoleDeps } from '../deps.ts';
import { type ConsoleRouter, withOptions } from '../router.ts';
import { filtersPage } from './filters-page.ts';
import { orderActions } from './order-actions.ts';
import { orderList } from './order-list.ts';
import { orderPage } from './order-page.ts';

/** The pages of an advertiser's orders. The Mini App reaches these pages only. */
export function orderPages(router: ConsoleRouter, deps: ConsoleDeps): void {
  const forApp = withOptions(router, { isForApp: true });
  for (const addPages of [orderList, orderPage, orderActions, filtersPage]) addPages(forApp, deps);
}
