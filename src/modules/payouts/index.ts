export {
  type Credit,
  type CreditOutcome,
  creditAccount,
  type Debit,
  type DebitOutcome,
  debitAccount,
} from './adjust-balance.ts';
export { CRYPTO_ASSETS, type CryptoAsset } from './convert-to-asset.ts';
export { createDepositInvoice, type InvoiceOutcome } from './create-deposit-invoice.ts';
export { type CryptoPay, type CryptoPayOptions, createCryptoPay } from './crypto-pay.ts';
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
export {
  countOpenDepositRequests,
  type DepositRequest,
  type DepositRequestStatus,
  findDepositRequest,
  listOpenDepositRequests,
} from './deposit-request-store.ts';
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
  type RequestDepositOutcome,
  requestDeposit,
} from './request-deposit.ts';
export { type PayoutRequest, type RequestOutcome, requestPayout } from './request-payout.ts';
export { sendApprovedPayouts } from './send-payouts.ts';
export { type CheckInvoiceOutcome, checkInvoice, reconcileInvoices, recordInvoicePaid } from './settle-invoices.ts';
export { countPayoutsIn, findPayout, listPayouts, listPayoutsIn } from './store.ts';
