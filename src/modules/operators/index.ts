export {
  type ActionKind,
  OPERATOR_ACTIONS,
  type OperatorAction,
  type SubjectKind,
} from './action.ts';
export type { ByOperator } from './decide.ts';
export {
  approveContest,
  banUserId,
  beginBroadcast,
  cancelContest,
  changeBeta,
  createContest,
  endBroadcast,
  unbanUserId,
} from './decide.ts';
export {
  banAccount,
  correctCredit,
  creditAccount,
  debitAccount,
  declineDeposit,
  freezeAccount,
  unbanAccount,
  unfreezeAccount,
} from './decide-account.ts';
export {
  banForCase,
  type CaseOutcome,
  changeConnection,
  clearCase,
  holdCase,
  overrideQuality,
  previewReversal,
  reverseCase,
} from './decide-case.ts';
export { addChecker, type CheckerDescription, describeCheckers, dropChecker } from './decide-checker.ts';
export { decideOrder, pauseOrder, resumeOrder, reverseSubscriptions } from './decide-order.ts';
export {
  approvePayout,
  freezePayout,
  markPayoutSent,
  rejectPayout,
  unfreezePayout,
} from './decide-payout.ts';
export {
  type AccountDescription,
  describeAccount,
  percentOf,
  REVIEW_DAYS,
  readQueues,
  reviewEarnings,
  searchAccounts,
  WAITING_PAYOUTS,
} from './describe-account.ts';
export { type ActionNames, findAction, listActions, nameActions } from './store.ts';
