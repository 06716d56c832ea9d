export {
  type ActionKind,
  OPERATOR_ACTIONS,
  type OperatorAction,
  type SubjectKind,
} from './action.ts';
export type { ByOperator } from './decide.ts';
export {
  banAccount,
  creditAccount,
  type DebitDecision,
  debitAccount,
  declineDeposit,
  freezeAccount,
  unbanAccount,
  unfreezeAccount,
} from './decide-account.ts';
export { beginBroadcast, endBroadcast } from './decide-broadcast.ts';
export { approveContest, cancelContest, createContest } from './decide-contest.ts';
export { decideOrder, pauseOrder, resumeOrder, reverseSubscriptions } from './decide-order.ts';
export { approvePayout, freezePayout, markPayoutSent, rejectPayout, unfreezePayout } from './decide-payout.ts';
export { banUserId, changeBeta, unbanUserId } from './decide-user.ts';
export { type AccountDescription, describeAccount, searchAccounts } from './describe-account.ts';
export { readQueues, WAITING_PAYOUTS } from './read-queues.ts';
export { percentOf, REVIEW_DAYS, reviewEarnings } from './review-earnings.ts';
export { listActions } from './store.ts';
