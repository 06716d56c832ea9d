export type { Alongside, DecisionOutcome } from './approve-payout.ts';
export type { AskDepositOutcome, DeclineDepositOutcome } from './ask-deposit.ts';
export type { CheckInvoiceOutcome } from './check-invoice.ts';
export type { RecordEvents as RecordPayoutEvents } from './close-payout.ts';
export { CRYPTO_ASSETS, type CryptoAsset } from './convert.ts';
export type { InvoiceOutcome } from './create-deposit-invoice.ts';
export type { Credit, CreditOutcome } from './credit-account.ts';
export { type CryptoPay, type CryptoPayOptions, createCryptoPay } from './crypto-pay.ts';
export type { DebitOutcome } from './debit-account.ts';
export type { DepositRequest, DepositRequestStatus } from './deposit-request-store.ts';
export type { FreezeOutcome } from './freeze-payout.ts';
export type { OperatorCredit } from './invoice-store.ts';
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
export { createPayouts, type Payouts, type PayoutsDeps } from './payouts.ts';
export type { PayoutRequest, RequestOutcome } from './request-payout.ts';
