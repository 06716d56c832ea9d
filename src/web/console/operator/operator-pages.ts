import { html } from '../../../core/html.ts';
import { listActions, nameActions, readQueues } from '../../../modules/operators/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { tile, tiles } from '../parts/elements.ts';
import { type ConsoleRouter, withOptions } from '../router.ts';
import { accountList, debtorPage } from './account-list.ts';
import { accountActions, accountPage } from './account-page.ts';
import { booksPage } from './books-page.ts';
import { casePages } from './case-pages.ts';
import { checkerPages } from './checker-pages.ts';
import { contestPages } from './contest-pages.ts';
import { logPage, logTable } from './log-page.ts';
import { moderationPages } from './moderation-pages.ts';
import { moneyPages } from './money-pages.ts';
import { CASES, CONTESTS, MODERATION, OPERATOR, PAYOUTS } from './operator-path.ts';
import { payoutPages } from './payout-pages.ts';
import { reversalPages } from './reversal-pages.ts';
import { riskActions } from './risk-panels.ts';

const AREAS = [
  queuesPage,
  moderationPages,
  payoutPages,
  casePages,
  accountList,
  accountPage,
  accountActions,
  riskActions,
  moneyPages,
  debtorPage,
  reversalPages,
  contestPages,
  checkerPages,
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

const LATEST = 10;

/** Shows how many items wait for an operator, and the latest decisions. */
function queuesPage(router: ConsoleRouter, deps: ConsoleDeps): void {
  router.page(OPERATOR, async (visit) => {
    const { count } = visit.formats;
    const words = visit.texts.operator;
    const [queues, latest] = await Promise.all([
      readQueues(deps),
      listActions(deps.db, { before: undefined, limit: LATEST }),
    ]);
    const queueTile = (queue: 'orders' | 'payouts' | 'contests' | 'cases', path: string) => {
      const label = words.queues[queue];
      const open = html`<a href="${path}" aria-label="${`${words.toQueue}: ${label}`}">${words.toQueue}</a>`;
      return tile(label, count(queues[queue]), open);
    };
    const log = logTable(visit, {
      title: words.queues.latest,
      rows: latest,
      names: await nameActions(deps.db, latest),
    });
    return {
      title: words.menu.queues,
      body: html`${tiles(
        queueTile('orders', MODERATION),
        queueTile('payouts', PAYOUTS),
        queueTile('contests', CONTESTS),
        queueTile('cases', CASES),
        tile(words.queues.deposits, count(queues.deposits), words.inBot),
      )}${log.html}`,
      tables: [log],
    };
  });
}
