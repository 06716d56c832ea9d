import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import type { Alongside, DecisionOutcome } from './approve-payout.ts';
import { canBecome, shorten } from './payout.ts';
import { lockPayout, saveFreeze, saveUnfreeze } from './store.ts';

export type FreezeOutcome = DecisionOutcome | { readonly kind: 'unchanged' };

/** An operator keeps a payout from being approved or sent. One that is being sent can no longer be stopped. */
export async function freezePayout(
  deps: { db: Database; clock: Clock },
  { payoutId, reason, alongside }: { payoutId: number; reason: string; alongside?: Alongside },
): Promise<FreezeOutcome> {
  return deps.db.transaction(async (tx) => {
    const payout = await lockPayout(tx, payoutId);
    if (payout === undefined) return { kind: 'not_found' };
    if (!canBecome(payout.status, 'rejected')) return { kind: 'not_allowed', status: payout.status };
    if (payout.frozenAt !== null) return { kind: 'unchanged' };
    await saveFreeze(tx, { payoutId, reason: shorten(reason), at: deps.clock.now() });
    await alongside?.(tx);
    return { kind: 'done' };
  });
}

/** Lets it go on from where it was frozen. */
export async function unfreezePayout(
  deps: { db: Database; clock: Clock },
  { payoutId, alongside }: { payoutId: number; alongside?: Alongside },
): Promise<FreezeOutcome> {
  return deps.db.transaction(async (tx) => {
    const payout = await lockPayout(tx, payoutId);
    if (payout === undefined) return { kind: 'not_found' };
    if (payout.frozenAt === null) return { kind: 'unchanged' };
    await saveUnfreeze(tx, payoutId);
    await alongside?.(tx);
    return { kind: 'done' };
  });
}
