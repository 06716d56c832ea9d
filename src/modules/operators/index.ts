export {
  type ActionDetails,
  type ActionKind,
  OPERATOR_ACTIONS,
  type OperatorAction,
  type Subject,
  type SubjectKind,
} from './action.ts';
export { type BanOutcome, banAccount, type UnbanOutcome, unbanAccount } from './ban-account.ts';
export { banUserId, unbanUserId } from './ban-user.ts';
export {
  type DebitDecision,
  debitAccount,
  type FreezeAccountOutcome,
  freezeAccount,
  freezePayout,
  pauseOrder,
  type ReverseDecision,
  resumeOrder,
  reverseSubscriptions,
  unfreezeAccount,
  unfreezePayout,
} from './brake.ts';
export { changeBeta } from './change-beta.ts';
export {
  approvePayout,
  type CreditDecision,
  creditAccount,
  declineDeposit,
  markPayoutSent,
  rejectPayout,
} from './decide-payout.ts';
export { type AccountDescription, describeAccount, searchAccounts } from './describe-account.ts';
export type { ByOperator, DeskDeps } from './desk.ts';
export type { Counterparty } from './earnings-store.ts';
export { decideOrder } from './moderate.ts';
export { type Queues, readQueues, WAITING_PAYOUTS } from './read-queues.ts';
export { type EarningsReview, percentOf, REVIEW_DAYS, reviewEarnings } from './review-earnings.ts';
export { type BroadcastDecision, beginBroadcast, endBroadcast } from './run-broadcast.ts';
export { approveContest, cancelContest, createContest } from './run-contest.ts';
export { listActions } from './store.ts';
