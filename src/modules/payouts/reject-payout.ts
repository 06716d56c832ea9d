import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import type { Alongside, DecisionOutcome } from './approve-payout.ts';
import { closeAsReturned } from './close-payout.ts';
import { canBecome, shorten } from './payout.ts';
import { lockPayout } from './store.ts';

/** An operator says no, before anything was sent: the money returns. One that is being sent can no longer be stopped. */
export async function rejectPayout(
  deps: { db: Database; clock: Clock },
  { payoutId, reason, alongside }: { payoutId: number; reason: string; alongside?: Alongside },
): Promise<DecisionOutcome> {
  return deps.db.transaction(async (tx) => {
    const payout = await lockPayout(tx, payoutId);
    if (payout === undefined) return { kind: 'not_found' };
    if (!canBecome(payout.status, 'rejected')) return { kind: 'not_allowed', status: payout.status };
    await alongside?.(tx);
    await closeAsReturned(tx, { payout, status: 'rejected', reason: shorten(reason), at: deps.clock.now() });
    return { kind: 'done' };
  });
}
