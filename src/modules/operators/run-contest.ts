import type {
  ApproveContestOutcome,
  CancelContestOutcome,
  CreateContestOutcome,
  NewContest,
} from '../contests/index.ts';
import { type ByOperator, type DeskDeps, writeDown } from './desk.ts';

export async function createContest(
  deps: DeskDeps,
  by: ByOperator,
  contest: NewContest,
): Promise<CreateContestOutcome> {
  return deps.contests.create(contest, (tx, { id, name }) =>
    writeDown(deps, by, 'contest.created', { kind: 'contest', id }, { name })(tx),
  );
}

/** Lets the prizes of a contest that is over go out. */
export async function approveContest(
  deps: DeskDeps,
  decision: ByOperator & { readonly contestId: number },
): Promise<ApproveContestOutcome> {
  const { contestId } = decision;
  const alongside = writeDown(deps, decision, 'contest.approved', { kind: 'contest', id: contestId });
  return deps.contests.approve(contestId, alongside);
}

export async function cancelContest(
  deps: DeskDeps,
  decision: ByOperator & { readonly contestId: number },
): Promise<CancelContestOutcome> {
  const { contestId } = decision;
  const alongside = writeDown(deps, decision, 'contest.cancelled', { kind: 'contest', id: contestId });
  return deps.contests.cancel(contestId, alongside);
}
