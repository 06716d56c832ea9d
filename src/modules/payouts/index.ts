export type { DecisionOutcome } from './approve-payout.ts';
export type { DeclineDepositOutcome } from './ask-deposit.ts';

export type { CreditOutcome } from './credit-account.ts';
export { type CryptoPay, createCryptoPay } from './crypto-pay.ts';
export type { DebitOutcome } from './debit-account.ts';
export type { DepositRequestStatus } from './deposit-request-store.ts';
export type { FreezeOutcome } from './freeze-payout.ts';

export type { MarkSentOutcome } from './mark-sent.ts';
export {
  isClosed as isPayoutClosed,
  isDestination as isPayoutDestination,
  isFrozen as isPayoutFrozen,
  PAYOUT_METHODS,
  PAYOUT_STATUSES,
  type Payout,
  type PayoutMethod,
  type PayoutStatus,
} from './payout.ts';
export { createPayouts, type Payouts } from './payouts.ts';
export type { RequestOutcome } from './request-payout.ts';
