import type { Kopecks } from '../../core/money.ts';
import type {
  CreditOutcome,
  DecisionOutcome,
  DeclineDepositOutcome,
  MarkSentOutcome,
  Payout,
} from '../payouts/index.ts';
import { type ByOperator, type DeskDeps, writeDown } from './desk.ts';

type PayoutDecision = ByOperator & { readonly payoutId: number };

export async function approvePayout(deps: DeskDeps, decision: PayoutDecision): Promise<DecisionOutcome> {
  const { payoutId, operatorId } = decision;
  const payout = await deps.payouts.find(payoutId);
  const alongside = writeDown(deps, decision, 'payout.approved', { kind: 'payout', id: payoutId }, about(payout));
  return deps.payouts.approve({ payoutId, operatorId, alongside });
}

export async function rejectPayout(
  deps: DeskDeps,
  decision: PayoutDecision & { readonly reason: string },
): Promise<DecisionOutcome> {
  const { payoutId, reason } = decision;
  const payout = await deps.payouts.find(payoutId);
  const details = { ...about(payout), reason };
  const alongside = writeDown(deps, decision, 'payout.rejected', { kind: 'payout', id: payoutId }, details);
  return deps.payouts.reject({ payoutId, reason, alongside });
}

export async function markPayoutSent(
  deps: DeskDeps,
  decision: PayoutDecision & { readonly reference: string },
): Promise<MarkSentOutcome> {
  const { payoutId, reference } = decision;
  const payout = await deps.payouts.find(payoutId);
  const details = { ...about(payout), reference };
  const alongside = writeDown(deps, decision, 'payout.sent', { kind: 'payout', id: payoutId }, details);
  return deps.payouts.markSent({ payoutId, reference, alongside });
}

/** What of a payout never changes. */
const about = (payout: Payout | undefined) =>
  payout === undefined ? {} : { accountId: payout.accountId, amountKopecks: String(payout.amountKopecks) };

export interface CreditDecision extends ByOperator {
  readonly accountId: number;
  readonly amountKopecks: Kopecks;
  readonly note: string;
  /** Names the payment, so that it is credited once. */
  readonly key: string;
  /** The request for a deposit that it answers, if it does. */
  readonly depositRequestId?: number | undefined;
}

export async function creditAccount(deps: DeskDeps, decision: CreditDecision): Promise<CreditOutcome> {
  const { accountId, amountKopecks, note } = decision;
  const details = { amountKopecks: String(amountKopecks), note };
  const alongside = writeDown(deps, decision, 'account.credited', { kind: 'account', id: accountId }, details);
  return deps.payouts.creditAccount({ ...decision, alongside });
}

export async function declineDeposit(
  deps: DeskDeps,
  decision: ByOperator & { readonly requestId: number },
): Promise<DeclineDepositOutcome> {
  const { requestId } = decision;
  const alongside = writeDown(deps, decision, 'deposit.declined', { kind: 'deposit', id: requestId });
  return deps.payouts.declineDeposit({ requestId, alongside });
}
