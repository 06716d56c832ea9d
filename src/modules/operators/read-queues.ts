import type { Clock } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import { countWaitingContests } from '../contests/index.ts';
import { countInModeration } from '../orders/index.ts';
import { countOpenDepositRequests, countPayoutsIn } from '../payouts/index.ts';

/** How many items wait for an operator. */
export interface Queues {
  readonly orders: number;
  readonly payouts: number;
  readonly deposits: number;
  readonly contests: number;
}

/** A manual payout waits twice: for approval, and then for an operator to pay it. */
export const WAITING_PAYOUTS = ['requested', 'approved'] as const;

export async function readQueues({ db, clock }: { db: Queryable; clock: Clock }): Promise<Queues> {
  const [orders, payouts, deposits, contests] = await Promise.all([
    countInModeration(db),
    countPayoutsIn(db, WAITING_PAYOUTS),
    countOpenDepositRequests(db),
    countWaitingContests(db, clock.now()),
  ]);
  return { orders, payouts, deposits, contests };
}
