import type { ConsoleDeps } from '../deps.ts';
import type { ConsoleRouter } from '../router.ts';
import { accountActions } from './account-actions.ts';
import { accountList } from './account-list.ts';
import { accountPage } from './account-page.ts';
import { booksPage } from './books-page.ts';
import { contestPages } from './contest-pages.ts';
import { debitPages } from './debit-pages.ts';
import { debtorPage } from './debtor-page.ts';
import { logPage } from './log-page.ts';
import { moderationPages } from './moderation-pages.ts';
import { payoutPages } from './payout-pages.ts';
import { queuesPage } from './queues-page.ts';
import { reversalPages } from './reversal-pages.ts';

/** What operators decide, with the same use cases as in the management bot: each decision leaves its line in the log. */
export function operatorPages(router: ConsoleRouter, deps: ConsoleDeps): void {
  queuesPage(router, deps);
  moderationPages(router, deps);
  payoutPages(router, deps);
  accountList(router, deps);
  accountPage(router, deps);
  accountActions(router, deps);
  debitPages(router, deps);
  debtorPage(router, deps);
  reversalPages(router, deps);
  contestPages(router, deps);
  logPage(router, deps);
  booksPage(router, deps);
}
