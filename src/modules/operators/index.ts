export {
  type ActionDetails,
  type ActionKind,
  OPERATOR_ACTIONS,
  type OperatorAction,
  type SubjectKind,
} from './action.ts';
export type { ByOperator, OperatorDeps } from './decide.ts';
export {
  type BanOutcome,
  banAccount,
  type CreditDecision,
  creditAccount,
  type DebitDecision,
  debitAccount,
  declineDeposit,
  type FreezeAccountOutcome,
  freezeAccount,
  type UnbanOutcome,
  unbanAccount,
  unfreezeAccount,
} from './decide-account.ts';
export { type BroadcastDecision, beginBroadcast, endBroadcast } from './decide-broadcast.ts';
export { approveContest, cancelContest, createContest } from './decide-contest.ts';
export { decideOrder, pauseOrder, type ReverseDecision, resumeOrder, reverseSubscriptions } from './decide-order.ts';
export { approvePayout, freezePayout, markPayoutSent, rejectPayout, unfreezePayout } from './decide-payout.ts';
export { banUserId, changeBeta, unbanUserId } from './decide-user.ts';
export { type AccountDescription, describeAccount, searchAccounts } from './describe-account.ts';
export type { Counterparty } from './earnings-store.ts';
export { type Queues, readQueues, WAITING_PAYOUTS } from './read-queues.ts';
export { type EarningsReview, percentOf, REVIEW_DAYS, reviewEarnings } from './review-earnings.ts';
export { listActions } from './store.ts';
