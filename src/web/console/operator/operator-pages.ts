import type { ConsoleDeps } from '../deps.ts';
import { type ConsoleRouter, withOptions } from '../router.ts';
import { accountActions } from './account-actions.ts';
import { accountList } from './account-list.ts';
import { accountPage } from './account-page.ts';
import { booksPage } from './books-page.ts';
import { contestPages } from './contest-pages.ts';
import { debtorPage } from './debtor-page.ts';
import { logPage } from './log-page.ts';
import { moderationPages } from './moderation-pages.ts';
import { moneyPages } from './money-pages.ts';
import { payoutPages } from './payout-pages.ts';
import { queuesPage } from './queues-page.ts';
import { reversalPages } from './reversal-pages.ts';

const AREAS = [
  queuesPage,
  moderationPages,
  payoutPages,
  accountList,
  accountPage,
  accountActions,
  moneyPages,
  debtorPage,
  reversalPages,
  contestPages,
  logPage,
  booksPage,
];

/**
 * The pages of operators. They call the same use cases as the management bot, and each decision is written to the audit
 * log.
 */
export function operatorPages(router: ConsoleRouter, deps: ConsoleDeps): void {
  const forOperators = withOptions(router, { isForOperators: true });
  for (const addPages of AREAS) addPages(forOperators, deps);
}
