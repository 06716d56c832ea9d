import type { Clock } from '../../core/clock.ts';
import type { Database, Transaction } from '../../core/database.ts';
import { type ContestStatus, statusOf } from './contest.ts';
import { lockContest, saveCancelled } from './store.ts';

export type CancelContestOutcome =
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'not_allowed'; readonly status: ContestStatus }
  | { readonly kind: 'not_found' };

/** What the caller writes in the transaction of a decision that was carried out, such as who made it. */
export type Alongside = (tx: Transaction) => Promise<void>;

/** An operator calls a contest off while no prize has been paid. */
export async function cancelContest(
  { db, clock }: { db: Database; clock: Clock },
  { contestId, alongside }: { contestId: number; alongside?: Alongside | undefined },
): Promise<CancelContestOutcome> {
  return db.transaction(async (tx) => {
    const contest = await lockContest(tx, contestId);
    if (contest === undefined) return { kind: 'not_found' };
    const at = clock.now();
    const status = statusOf(contest, at);
    if (status === 'finished' || status === 'cancelled') return { kind: 'not_allowed', status };
    await saveCancelled(tx, contestId, at);
    await alongside?.(tx);
    return { kind: 'cancelled' };
  });
}
