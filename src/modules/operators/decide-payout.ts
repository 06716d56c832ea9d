import type { Transaction } from '../../core/database.ts';
import { listCasesOfAccount, type OpenCasesDeps, openPayoutCases } from '../cases/index.ts';
import * as payouts from '../payouts/index.ts';
import type { ActionDetails } from './action.ts';
import { type ByOperator, decide, type OperatorDeps } from './decide.ts';

type PayoutDecision = ByOperator & { readonly payoutId: number };

export type ApproveOutcome =
  | payouts.DecisionOutcome
  /** Undecided cases concern the account. The operator decides them, or confirms to have seen them. */
  | { readonly kind: 'open_cases'; readonly caseIds: readonly number[] };

const MOST_CASES = 50;

/**
 * Approves a payout. While a case of the account is undecided, only an operator who has seen it can: `seenCase` is the
 * newest case on the operator's screen.
 */
export function approvePayout(
  deps: OperatorDeps & ReviewDeps,
  decision: PayoutDecision & { readonly seenCase?: number },
): Promise<ApproveOutcome> {
  const { payoutId, seenCase = 0 } = decision;
  return decide<ApproveOutcome>(deps, decision, async ({ tx, at, log }) => {
    const payout = await payouts.findPayout(tx, payoutId);
    if (payout?.status === 'requested') {
      await openPayoutCases(tx, deps, payout.accountId);
      const open = await listCasesOfAccount(tx, { accountId: payout.accountId, isUndecided: true, limit: MOST_CASES });
      if (open.some(({ id }) => id > seenCase)) return { kind: 'open_cases', caseIds: open.map(({ id }) => id) };
    }
    const outcome = await payouts.approvePayout(tx, { ...decision, at });
    if (outcome.kind !== 'done') return outcome;
    const seen = seenCase > 0 && { caseIds: [seenCase] };
    await log('payout.approved', payoutId, { ...(await describePayout(tx, payoutId)), ...seen });
    return outcome;
  });
}

export type ReviewDeps = Pick<OpenCasesDeps, 'operatorIds' | 'payoutReviewAboveKopecks'>;

export function rejectPayout(
  deps: OperatorDeps,
  decision: PayoutDecision & { readonly reason: string },
): Promise<payouts.DecisionOutcome> {
  const { payoutId, reason } = decision;
  return decide(deps, decision, async ({ tx, at, log }) => {
    const outcome = await payouts.rejectPayout(tx, { payoutId, reason, at });
    if (outcome.kind === 'done') {
      await log('payout.rejected', payoutId, { ...(await describePayout(tx, payoutId)), reason });
    }
    return outcome;
  });
}

export function markPayoutSent(
  deps: OperatorDeps,
  decision: PayoutDecision & { readonly reference: string },
): Promise<payouts.MarkSentOutcome> {
  const { payoutId, reference } = decision;
  return decide(deps, decision, async ({ tx, at, log }) => {
    const outcome = await payouts.markPayoutSent(tx, { payoutId, reference, at });
    if (outcome.kind === 'done') {
      await log('payout.sent', payoutId, { ...(await describePayout(tx, payoutId)), reference });
    }
    return outcome;
  });
}

export function freezePayout(
  deps: OperatorDeps,
  decision: PayoutDecision & { readonly reason: string },
): Promise<payouts.FreezeOutcome> {
  const { payoutId, reason } = decision;
  return decide(deps, decision, async ({ tx, at, log }) => {
    const outcome = await payouts.freezePayout(tx, { payoutId, reason, at });
    if (outcome.kind === 'done') await log('payout.frozen', payoutId, { reason });
    return outcome;
  });
}

export function unfreezePayout(deps: OperatorDeps, decision: PayoutDecision): Promise<payouts.FreezeOutcome> {
  const { payoutId } = decision;
  return decide(deps, decision, async ({ tx, log }) => {
    const outcome = await payouts.unfreezePayout(tx, payoutId);
    if (outcome.kind === 'done') await log('payout.unfrozen', payoutId);
    return outcome;
  });
}

async function describePayout(tx: Transaction, payoutId: number): Promise<ActionDetails> {
  const payout = await payouts.findPayout(tx, payoutId);
  return payout === undefined ? {} : { accountId: payout.accountId, amountKopecks: String(payout.amountKopecks) };
}
