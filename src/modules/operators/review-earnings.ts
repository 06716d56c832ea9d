import { businessDay, type Clock, DAY_MS } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';
import { type Funds, readFunds } from '../accounts/index.ts';
import { hold, readBalances } from '../ledger/index.ts';
import { type Earnings, readEarnings } from './earnings-store.ts';

/** The time that a review looks back on, today included. */
export const REVIEW_DAYS = 30;
const SHOWN_COUNTERPARTIES = 5;

/** Where the money of a payout comes from: what an operator sees before approving it. */
export interface EarningsReview extends Earnings {
  readonly funds: Funds;
  /** Rewards that leaving users can still take back, in hold or in the balance. */
  readonly reversibleKopecks: Kopecks;
  /** The same as a share of all rewards of the period, in whole percent; null when there were none. */
  readonly unsettledPercent: number | null;
  /** Reversed subscriptions as a share of the counted ones, in whole percent; null when none was counted. */
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

/** Rounded up, so that something is never shown as nothing. */
export function percentOf(part: bigint, whole: bigint): number | null {
  return whole <= 0n ? null : Number((part * 100n + whole - 1n) / whole);
}
