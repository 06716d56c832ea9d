import type { Queryable } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';
import { type Funds, readFunds } from '../accounts/index.ts';
import { hold, readBalances } from '../ledger/index.ts';
import { isPayoutClosed, PAYOUT_STATUSES } from '../payouts/index.ts';
import {
  type AdvertiserFigures,
  type PublisherFigures,
  reportAccountDays,
  reportAdvertiserDays,
  sumAdvertiserDays,
  sumPublisherDays,
} from './report-days.ts';
import { readUndertakings, type Undertakings } from './store.ts';

/** Business days, today included. */
interface ByPeriod<Figures> {
  readonly today: Figures;
  readonly last7Days: Figures;
  readonly last30Days: Figures;
}

export interface Overview extends Undertakings, Funds {
  readonly holdKopecks: Kopecks;
  /** Earned by the account's own bots. */
  readonly earned: ByPeriod<PublisherFigures>;
  /** Spent on the account's own orders. */
  readonly spent: ByPeriod<AdvertiserFigures>;
}

const OPEN_PAYOUTS = PAYOUT_STATUSES.filter((status) => !isPayoutClosed(status));

/** Reports the figures of an owner's overview page. */
export async function reportOverview(
  db: Queryable,
  { accountId, now }: { accountId: number; now: Date },
): Promise<Overview> {
  const month = { accountId, days: 30, now };
  // Query sequentially, so that a page uses one connection of the pool and leaves the others to confirms.
  const funds = await readFunds(db, accountId);
  const balanceOf = await readBalances(db, [hold(accountId)]);
  const undertakings = await readUndertakings(db, accountId, OPEN_PAYOUTS);
  const earnedDays = await reportAccountDays(db, month);
  const spentDays = await reportAdvertiserDays(db, month);
  return {
    ...funds,
    holdKopecks: balanceOf(hold(accountId)),
    ...undertakings,
    earned: byPeriod(earnedDays, sumPublisherDays),
    spent: byPeriod(spentDays, sumAdvertiserDays),
  };
}

function byPeriod<Day, Figures>(days: readonly Day[], sum: (days: readonly Day[]) => Figures): ByPeriod<Figures> {
  return { today: sum(days.slice(-1)), last7Days: sum(days.slice(-7)), last30Days: sum(days) };
}
