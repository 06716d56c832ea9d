export {
  type ActionKind,
  OPERATOR_ACTIONS,
  type OperatorAction,
  type SubjectKind,
} from './action.ts';
export { banAccount, unbanAccount } from './ban-account.ts';
export { banUserId, unbanUserId } from './ban-user.ts';
export {
  type DebitDecision,
  debitAccount,
  freezeAccount,
  freezePayout,
  pauseOrder,
  resumeOrder,
  reverseSubscriptions,
  unfreezeAccount,
  unfreezePayout,
} from './brake.ts';
export { changeBeta } from './change-beta.ts';
export {
  approvePayout,
  creditAccount,
  declineDeposit,
  markPayoutSent,
  rejectPayout,
} from './decide-payout.ts';
export { type AccountDescription, describeAccount, searchAccounts } from './describe-account.ts';
export type { ByOperator, DeskDeps } from './desk.ts';

export { decideOrder } from './moderate.ts';
export { readQueues, WAITING_PAYOUTS } from './read-queues.ts';
export { percentOf, REVIEW_DAYS, reviewEarnings } from './review-earnings.ts';
export { beginBroadcast, endBroadcast } from './run-broadcast.ts';
export { approveContest, cancelContest, createContest } from './run-contest.ts';
export { listActions } from './store.ts';
