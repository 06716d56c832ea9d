import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';
import { type Alongside, approvePayout, type DecisionOutcome } from './approve-payout.ts';
import { type AskDepositOutcome, askDeposit, type DeclineDepositOutcome, declineDeposit } from './ask-deposit.ts';
import { type CheckInvoiceOutcome, checkInvoice } from './check-invoice.ts';
import type { RecordEvents } from './close-payout.ts';
import type { CryptoAsset } from './convert.ts';
import { createDepositInvoice, type InvoiceOutcome } from './create-deposit-invoice.ts';
import { type Credit, type CreditOutcome, creditAccount } from './credit-account.ts';
import type { CryptoPay } from './crypto-pay.ts';
import { type Debit, type DebitOutcome, debitAccount } from './debit-account.ts';
import {
  countOpenDepositRequests,
  type DepositRequest,
  findDepositRequest,
  listOpenDepositRequests,
} from './deposit-request-store.ts';
import { type FreezeOutcome, freezePayout, unfreezePayout } from './freeze-payout.ts';
import { type MarkSentOutcome, markSent } from './mark-sent.ts';
import type { Payout, PayoutMethod, PayoutStatus } from './payout.ts';
import { reconcileInvoices } from './reconcile-invoices.ts';
import { recordInvoicePaid } from './record-invoice-paid.ts';
import { rejectPayout } from './reject-payout.ts';
import { type PayoutRequest, type RequestOutcome, requestPayout } from './request-payout.ts';
import { sendApproved } from './send-approved.ts';
import { countPayoutsIn, findPayout, listPayouts, listPayoutsIn, type Position } from './store.ts';

export interface PayoutsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly recordEvents: RecordEvents;
  readonly minimumKopecks: Kopecks;
  /** Absent: payouts are manual only, and deposits are credited by operators. */
  readonly cryptoPay: { readonly client: CryptoPay; readonly asset: CryptoAsset } | undefined;
}

/** Money out and money in: the use cases of this module around what they share. */
export interface Payouts {
  readonly methods: ReadonlySet<PayoutMethod>;
  readonly minimumKopecks: Kopecks;
  request(request: PayoutRequest): Promise<RequestOutcome>;
  approve(decision: { payoutId: number; operatorId: number | null; alongside?: Alongside }): Promise<DecisionOutcome>;
  reject(decision: { payoutId: number; reason: string; alongside?: Alongside }): Promise<DecisionOutcome>;
  markSent(proof: { payoutId: number; reference: string; alongside?: Alongside }): Promise<MarkSentOutcome>;
  freeze(decision: { payoutId: number; reason: string; alongside?: Alongside }): Promise<FreezeOutcome>;
  unfreeze(decision: { payoutId: number; alongside?: Alongside }): Promise<FreezeOutcome>;
  find(payoutId: number): Promise<Payout | undefined>;
  list(page: { accountId: number; limit: number; after?: Position | undefined }): Promise<Payout[]>;
  /** What waits for an operator or the provider, oldest first, from behind the one named. */
  listIn(statuses: readonly PayoutStatus[], limit: number, after?: number): Promise<Payout[]>;
  countIn(statuses: readonly PayoutStatus[]): Promise<number>;
  creditAccount(credit: Credit): Promise<CreditOutcome>;
  debitAccount(debit: Debit): Promise<DebitOutcome>;
  askDeposit(request: { accountId: number; amountKopecks: Kopecks; key: string }): Promise<AskDepositOutcome>;
  declineDeposit(decision: { requestId: number; alongside?: Alongside }): Promise<DeclineDepositOutcome>;
  findDepositRequest(requestId: number): Promise<DepositRequest | undefined>;
  /** Those that wait for an operator, oldest first, from behind the one named. */
  listDepositRequests(page: { after: number; limit: number }): Promise<DepositRequest[]>;
  countDepositRequests(): Promise<number>;
  createInvoice(deposit: { accountId: number; amountKopecks: Kopecks }): Promise<InvoiceOutcome>;
  checkInvoice(question: { accountId: number; invoiceId: number }): Promise<CheckInvoiceOutcome>;
  recordInvoicePaid(invoiceId: number): Promise<void>;
  /** Jobs; each answers how much it did, and does nothing without Crypto Pay. */
  sendApproved(signal?: AbortSignal): Promise<number>;
  reconcileInvoices(signal?: AbortSignal): Promise<number>;
}

export function createPayouts(deps: PayoutsDeps): Payouts {
  const { db, cryptoPay } = deps;
  const methods: ReadonlySet<PayoutMethod> = new Set(
    cryptoPay === undefined ? (['manual'] as const) : (['manual', 'crypto-pay'] as const),
  );
  return {
    methods,
    minimumKopecks: deps.minimumKopecks,
    request: (request) => requestPayout({ ...deps, methods }, request),
    approve: (decision) => approvePayout(deps, decision),
    reject: (decision) => rejectPayout(deps, decision),
    markSent: (proof) => markSent(deps, proof),
    freeze: (decision) => freezePayout(deps, decision),
    unfreeze: (decision) => unfreezePayout(deps, decision),
    find: (payoutId) => findPayout(db, payoutId),
    list: ({ accountId, limit, after }) => listPayouts(db, { accountId, limit, after }),
    listIn: (statuses, limit, after = 0) => listPayoutsIn(db, { statuses, limit, after }),
    countIn: (statuses) => countPayoutsIn(db, statuses),
    creditAccount: (credit) => creditAccount(deps, credit),
    debitAccount: (debit) => debitAccount(deps, debit),
    askDeposit: (request) => askDeposit(deps, request),
    declineDeposit: (decision) => declineDeposit(deps, decision),
    findDepositRequest: (requestId) => findDepositRequest(db, requestId),
    listDepositRequests: (page) => listOpenDepositRequests(db, page),
    countDepositRequests: () => countOpenDepositRequests(db),
    async createInvoice(deposit) {
      if (cryptoPay === undefined) return { kind: 'unavailable', reason: 'Crypto Pay is not set up' };
      return createDepositInvoice({ ...deps, cryptoPay: cryptoPay.client }, deposit);
    },
    checkInvoice: (question) => checkInvoice({ ...deps, cryptoPay: cryptoPay?.client }, question),
    async recordInvoicePaid(invoiceId) {
      await recordInvoicePaid(deps, invoiceId);
    },
    async sendApproved(signal) {
      if (cryptoPay === undefined) return 0;
      return sendApproved({ ...deps, cryptoPay: cryptoPay.client, asset: cryptoPay.asset }, signal);
    },
    async reconcileInvoices(signal) {
      if (cryptoPay === undefined) return 0;
      return reconcileInvoices({ ...deps, cryptoPay: cryptoPay.client }, signal);
    },
  };
}
