import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import type { Alongside, DecisionOutcome } from './approve-payout.ts';
import { closeAsSent, type RecordEvents } from './close-payout.ts';
import { isFrozen, shorten } from './payout.ts';
import { lockPayout } from './store.ts';

export interface MarkSentDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly recordEvents: RecordEvents;
}

export type MarkSentOutcome = DecisionOutcome | { readonly kind: 'invalid_reference' };

/** An operator has paid a manual payout and names what proves it. */
export async function markSent(
  deps: MarkSentDeps,
  proof: { payoutId: number; reference: string; alongside?: Alongside },
): Promise<MarkSentOutcome> {
  const { payoutId } = proof;
  const reference = shorten(proof.reference);
  if (reference === '') return { kind: 'invalid_reference' };
  return deps.db.transaction(async (tx) => {
    const payout = await lockPayout(tx, payoutId);
    if (payout === undefined) return { kind: 'not_found' };
    if (payout.method !== 'manual' || payout.status !== 'approved') {
      return { kind: 'not_allowed', status: payout.status };
    }
    if (isFrozen(payout)) return { kind: 'frozen' };
    await proof.alongside?.(tx);
    await closeAsSent(tx, deps.recordEvents, { payout, reference, at: deps.clock.now() });
    return { kind: 'done' };
  });
}
