import { businessDay, type Clock, DAY_MS } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';
import { type Funds, readFunds } from '../accounts/index.ts';
import { hold, readBalances } from '../ledger/index.ts';
import { type Earnings, readEarnings } from './earnings-store.ts';

/** The length of the reviewed period, today included. */
export const REVIEW_DAYS = 30;
const SHOWN_COUNTERPARTIES = 5;

/** The sources of a publisher's money. An operator reads them before approving a payout. */
export interface EarningsReview extends Earnings {
  readonly funds: Funds;
  /** Rewards, in hold or in the balance, that are reversed if their users leave. */
  readonly reversibleKopecks: Kopecks;
  /** The same in percent of all rewards of the period; null when there were none. */
  readonly unsettledPercent: number | null;
  /** Reversed subscriptions in percent of the counted ones; null when none was counted. */
  readonly reversalPercent: number | null;
}

export async function reviewEarnings(
  { db, clock }: { db: Queryable; clock: Clock },
  accountId: number,
): Promise<EarningsReview> {
  const since = businessDay(new Date(clock.now().getTime() - (REVIEW_DAYS - 1) * DAY_MS));
  const [funds, balanceOf, earnings] = await Promise.all([
    readFunds(db, accountId),
    readBalances(db, [hold(accountId)]),
    readEarnings(db, { accountId, since, limit: SHOWN_COUNTERPARTIES }),
  ]);
  const reversibleKopecks = funds.unsettledKopecks + balanceOf(hold(accountId));
  return {
    ...earnings,
    funds,
    reversibleKopecks,
    unsettledPercent: percentOf(reversibleKopecks, earnings.rewardKopecks),
    reversalPercent: percentOf(BigInt(earnings.reversed), BigInt(earnings.counted)),
  };
}

/** Returns whole percent, rounded up so that a small part is not shown as zero. */
export function percentOf(part: bigint, whole: bigint): number | null {
  return whole <= 0n ? null : Number((part * 100n + whole - 1n) / whole);
}
