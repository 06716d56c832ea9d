import * as contests from '../contests/index.ts';
import { type ByOperator, decide, type OperatorDeps } from './decide.ts';

type ContestDecision = ByOperator & { readonly contestId: number };

export function createContest(
  deps: OperatorDeps & { readonly contests: Pick<contests.ContestDeps, 'needsApproval'> },
  by: ByOperator,
  contest: contests.NewContest,
): Promise<contests.CreateContestOutcome> {
  const { needsApproval } = deps.contests;
  return decide(deps, by, async ({ tx, at, log }) => {
    const outcome = await contests.createContest(tx, { ...contest, needsApproval, at });
    if (outcome.kind === 'created' && !outcome.isRepeat) {
      await log('contest.created', outcome.contest.id, { name: outcome.contest.name });
    }
    return outcome;
  });
}

export function approveContest(deps: OperatorDeps, decision: ContestDecision): Promise<contests.ApproveContestOutcome> {
  const { contestId } = decision;
  return decide(deps, decision, async ({ tx, at, log }) => {
    const outcome = await contests.approveContest(tx, { contestId, at });
    if (outcome.kind === 'approved') await log('contest.approved', contestId);
    return outcome;
  });
}

export function cancelContest(deps: OperatorDeps, decision: ContestDecision): Promise<contests.CancelContestOutcome> {
  const { contestId } = decision;
  return decide(deps, decision, async ({ tx, at, log }) => {
    const outcome = await contests.cancelContest(tx, { contestId, at });
    if (outcome.kind === 'cancelled') await log('contest.cancelled', contestId);
    return outcome;
  });
}
