import { addSeconds } from '../../core/clock.ts';
import type { Transaction } from '../../core/database.ts';
import {
  type Contest,
  type ContestStatus,
  FREEZE_AFTER_SECONDS,
  findFault,
  type NewContest,
  statusOf,
} from './contest.ts';
import { insertContest, lockContest, saveApproved, saveCancelled } from './store.ts';

export type CreateContestOutcome =
  | { readonly kind: 'created'; readonly contest: Contest; readonly isRepeat: boolean }
  | { readonly kind: 'invalid'; readonly message: string };

/** Creates a contest. Its start may lie in the past: settlements since then count. */
export async function createContest(
  tx: Transaction,
  input: NewContest & { readonly needsApproval: boolean; readonly at: Date },
): Promise<CreateContestOutcome> {
  const message = findFault(input, input.at);
  if (message !== undefined) return { kind: 'invalid', message };
  const { contest, isNew } = await insertContest(tx, { ...input, name: input.name.trim() });
  return { kind: 'created', contest, isRepeat: !isNew };
}

export type ApproveContestOutcome =
  | { readonly kind: 'approved' }
  /** The contest still runs, or its last settlements may not be committed yet. */
  | { readonly kind: 'too_early' }
  | { readonly kind: 'not_allowed'; readonly status: ContestStatus }
  | { readonly kind: 'not_found' };

/** Approves the final standings. The job then pays the prizes. */
export async function approveContest(
  tx: Transaction,
  { contestId, at }: { contestId: number; at: Date },
): Promise<ApproveContestOutcome> {
  const contest = await lockContest(tx, contestId);
  if (contest === undefined) return { kind: 'not_found' };
  const status = statusOf(contest, at);
  if (status === 'scheduled' || status === 'running') return { kind: 'too_early' };
  if (status !== 'waiting') return { kind: 'not_allowed', status };
  if (contest.endsAt > addSeconds(at, -FREEZE_AFTER_SECONDS)) return { kind: 'too_early' };
  await saveApproved(tx, contestId, at);
  return { kind: 'approved' };
}

export type CancelContestOutcome =
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'not_allowed'; readonly status: ContestStatus }
  | { readonly kind: 'not_found' };

/** Cancels a contest whose prizes are not paid yet. */
export async function cancelContest(
  tx: Transaction,
  { contestId, at }: { contestId: number; at: Date },
): Promise<CancelContestOutcome> {
  const contest = await lockContest(tx, contestId);
  if (contest === undefined) return { kind: 'not_found' };
  const status = statusOf(contest, at);
  if (status === 'finished' || status === 'cancelled') return { kind: 'not_allowed', status };
  await saveCancelled(tx, contestId, at);
  return { kind: 'cancelled' };
}
