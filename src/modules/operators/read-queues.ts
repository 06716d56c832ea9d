import { countInModeration } from '../orders/index.ts';
import type { DeskDeps } from './desk.ts';

/** How much waits for an operator. */
export interface Queues {
  readonly orders: number;
  readonly payouts: number;
  readonly deposits: number;
}

/** A payout waits twice: to be approved, and, when it is paid by hand, to be called sent. */
export const WAITING_PAYOUTS = ['requested', 'approved'] as const;

export async function readQueues({ db, payouts }: Pick<DeskDeps, 'db' | 'payouts'>): Promise<Queues> {
  const [orders, waiting, deposits] = await Promise.all([
    countInModeration(db),
    payouts.countIn(WAITING_PAYOUTS),
    payouts.countDepositRequests(),
  ]);
  return { orders, payouts: waiting, deposits };
}
