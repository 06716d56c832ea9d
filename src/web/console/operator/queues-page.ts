import { html } from '../../../core/html.ts';
import { listActions, readQueues } from '../../../modules/operators/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { tile, tiles } from '../parts/pieces.ts';
import type { ConsoleRouter } from '../router.ts';
import { logTable } from './log-page.ts';
import { CONTESTS, FOR_OPERATORS, MODERATION, OPERATOR, PAYOUTS } from './operator-path.ts';

const LATEST = 10;

/** What waits for an operator, and what was decided last. */
export function queuesPage(router: ConsoleRouter, deps: ConsoleDeps): void {
  router.page(
    OPERATOR,
    async (visit) => {
      const { texts, formats } = visit;
      const words = texts.operator;
      const [queues, latest] = await Promise.all([
        readQueues(deps),
        listActions(deps.db, { before: undefined, limit: LATEST }),
      ]);
      const open = (path: string, about: string) =>
        html`<a href="${path}" aria-label="${`${words.toQueue}: ${about}`}">${words.toQueue}</a>`;
      const log = logTable(visit, { title: words.queues.latest, rows: latest });
      return {
        title: words.menu.queues,
        section: OPERATOR,
        body: html`${tiles(
          tile(words.queues.orders, formats.count(queues.orders), open(MODERATION, words.queues.orders)),
          tile(words.queues.payouts, formats.count(queues.payouts), open(PAYOUTS, words.queues.payouts)),
          tile(words.queues.contests, formats.count(queues.contests), open(CONTESTS, words.queues.contests)),
          tile(words.queues.deposits, formats.count(queues.deposits), words.inBot),
        )}${log.html}`,
        tables: [log],
      };
    },
    FOR_OPERATORS,
  );
}
