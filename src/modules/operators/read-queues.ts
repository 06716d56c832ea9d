import { countInModeration } from '../orders/index.ts';
import type { DeskDeps } from './desk.ts';

/** How much waits for an operator. */
export interface Queues {
  readonly orders: number;
  readonly payouts: number;
  readonly deposits: number;
  readonly contests: number;
}

/** A payout waits twice: to be approved, and, when it is paid by hand, to be called sent. */
export const WAITING_PAYOUTS = ['requested', 'approved'] as const;

export async function readQueues({
  db,
  payouts,
  contests,
}: Pick<DeskDeps, 'db' | 'payouts' | 'contests'>): Promise<Queues> {
  const [orders, waiting, deposits, standings] = await Promise.all([
    countInModeration(db),
    payouts.countIn(WAITING_PAYOUTS),
    payouts.countDepositRequests(),
    contests.countWaiting(),
  ]);
  return { orders, payouts: waiting, deposits, contests: standings };
}
