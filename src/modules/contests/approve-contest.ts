import { addSeconds, type Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import type { Alongside } from './cancel-contest.ts';
import { type ContestStatus, FREEZE_AFTER_SECONDS, statusOf } from './contest.ts';
import { lockContest, saveApproved } from './store.ts';

export type ApproveContestOutcome =
  | { readonly kind: 'approved' }
  /** It still runs, or its last settlements may not be committed yet. */
  | { readonly kind: 'too_early' }
  | { readonly kind: 'not_allowed'; readonly status: ContestStatus }
  | { readonly kind: 'not_found' };

/** An operator has seen the final standings and lets the prizes go out. The job pays them. */
export async function approveContest(
  { db, clock }: { db: Database; clock: Clock },
  { contestId, alongside }: { contestId: number; alongside?: Alongside | undefined },
): Promise<ApproveContestOutcome> {
  return db.transaction(async (tx) => {
    const contest = await lockContest(tx, contestId);
    if (contest === undefined) return { kind: 'not_found' };
    const at = clock.now();
    const status = statusOf(contest, at);
    if (status === 'scheduled' || status === 'running') return { kind: 'too_early' };
    if (status !== 'waiting') return { kind: 'not_allowed', status };
    if (contest.endsAt > addSeconds(at, -FREEZE_AFTER_SECONDS)) return { kind: 'too_early' };
    await saveApproved(tx, contestId, at);
    await alongside?.(tx);
    return { kind: 'approved' };
  });
}
