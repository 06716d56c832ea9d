import type { Clock } from '../../core/clock.ts';
import type { Database, Transaction } from '../../core/database.ts';
import { isFrozen, type PayoutStatus } from './payout.ts';
import { lockPayout, saveApproval } from './store.ts';

export type DecisionOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'not_allowed'; readonly status: PayoutStatus }
  /** An operator froze it, or the withdrawals of its account. */
  | { readonly kind: 'frozen' }
  | { readonly kind: 'not_found' };

/** What the caller writes in the transaction of a decision that was carried out, such as who made it. */
export type Alongside = (tx: Transaction) => Promise<void>;

/** An operator lets a payout go out. One by Crypto Pay is then sent by the job, a manual one by the operator. */
export async function approvePayout(
  deps: { db: Database; clock: Clock },
  { payoutId, operatorId, alongside }: { payoutId: number; operatorId: number | null; alongside?: Alongside },
): Promise<DecisionOutcome> {
  return deps.db.transaction(async (tx) => {
    const payout = await lockPayout(tx, payoutId);
    if (payout === undefined) return { kind: 'not_found' };
    // Stricter than the transitions: from `sending` it is the provider's answer that leads back here, not a person.
    if (payout.status !== 'requested') return { kind: 'not_allowed', status: payout.status };
    if (isFrozen(payout)) return { kind: 'frozen' };
    await saveApproval(tx, { payoutId, operatorId, at: deps.clock.now() });
    await alongside?.(tx);
    return { kind: 'done' };
  });
}
