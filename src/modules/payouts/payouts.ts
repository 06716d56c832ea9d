import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';
import { approvePayout, type DecisionOutcome } from './approve-payout.ts';
import type { RecordEvents } from './close-payout.ts';
import type { CryptoAsset } from './convert.ts';
import { createDepositInvoice, type InvoiceOutcome } from './create-deposit-invoice.ts';
import { type CreditOutcome, creditAccount } from './credit-account.ts';
import type { CryptoPay } from './crypto-pay.ts';
import type { OperatorCredit } from './invoice-store.ts';
import { type MarkSentOutcome, markSent } from './mark-sent.ts';
import type { Payout, PayoutMethod, PayoutStatus } from './payout.ts';
import { reconcileInvoices } from './reconcile-invoices.ts';
import { recordInvoicePaid } from './record-invoice-paid.ts';
import { rejectPayout } from './reject-payout.ts';
import { type PayoutRequest, type RequestOutcome, requestPayout } from './request-payout.ts';
import { sendApproved } from './send-approved.ts';
import { findPayout, listPayouts, listPayoutsIn, type Position } from './store.ts';

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
  approve(decision: { payoutId: number; operatorId: number | null }): Promise<DecisionOutcome>;
  reject(decision: { payoutId: number; reason: string }): Promise<DecisionOutcome>;
  markSent(proof: { payoutId: number; reference: string }): Promise<MarkSentOutcome>;
  find(payoutId: number): Promise<Payout | undefined>;
  list(page: { accountId: number; limit: number; after?: Position | undefined }): Promise<Payout[]>;
  /** What waits for an operator or the provider, oldest first. */
  listIn(statuses: readonly PayoutStatus[], limit: number): Promise<Payout[]>;
  creditAccount(credit: OperatorCredit): Promise<CreditOutcome>;
  createInvoice(deposit: { accountId: number; amountKopecks: Kopecks }): Promise<InvoiceOutcome>;
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
    find: (payoutId) => findPayout(db, payoutId),
    list: ({ accountId, limit, after }) => listPayouts(db, { accountId, limit, after }),
    listIn: (statuses, limit) => listPayoutsIn(db, { statuses, limit }),
    creditAccount: (credit) => creditAccount(deps, credit),
    async createInvoice(deposit) {
      if (cryptoPay === undefined) return { kind: 'unavailable', reason: 'Crypto Pay is not set up' };
      return createDepositInvoice({ ...deps, cryptoPay: cryptoPay.client }, deposit);
    },
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
