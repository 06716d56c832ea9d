export {
  type Credit,
  type CreditOutcome,
  creditAccount,
  type Debit,
  type DebitOutcome,
  debitAccount,
} from './adjust-balance.ts';
export { type CryptoPay, createCryptoPay } from './crypto-pay.ts';
export {
  approvePayout,
  type DecisionOutcome,
  type FreezeOutcome,
  freezePayout,
  type MarkSentOutcome,
  markPayoutSent,
  rejectPayout,
  unfreezePayout,
} from './decide-payout.ts';
export { checkInvoice, createDepositInvoice, reconcileInvoices, recordInvoicePaid } from './deposit-invoices.ts';
export {
  countOpenDepositRequests,
  findDepositRequest,
  listOpenDepositRequests,
} from './deposit-store.ts';
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
export { type PayoutDeps, payoutMethods } from './payout-deps.ts';
export {
  type DeclineDepositOutcome,
  declineDeposit,
  requestDeposit,
} from './request-deposit.ts';
export { type RequestOutcome, requestPayout } from './request-payout.ts';
export { sendApprovedPayouts } from './send-payouts.ts';
export { countPayoutsIn, findPayout, listPayouts, listPayoutsIn } from './store.ts';
