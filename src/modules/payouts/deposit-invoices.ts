import { addSeconds, type Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import { type Kopecks, toRubles } from '../../core/money.ts';
import { deposit } from '../accounts/index.ts';
import { recordNotices } from '../notices/index.ts';
import {
  type DepositInvoice,
  findInvoice,
  insertInvoice,
  listPendingInvoices,
  lockInvoice,
  saveExpired,
  savePaid,
} from './deposit-store.ts';
import type { PayoutDeps } from './payout-deps.ts';

export type InvoiceOutcome =
  | { readonly kind: 'created'; readonly invoiceId: number; readonly url: string; readonly expiresAt: Date }
  | { readonly kind: 'invalid_amount' }
  /** Crypto Pay created no invoice. Nothing is stored, so the caller may try again. */
  | { readonly kind: 'unavailable'; readonly reason: string };

const LIFETIME_SECONDS = 24 * 60 * 60;

/**
 * Creates a Crypto Pay invoice in rubles. The invoice is stored before its URL is returned, so every invoice that can be
 * paid is known. After a crash in between, the URL is lost.
 */
export async function createDepositInvoice(
  { db, clock, cryptoPay }: PayoutDeps,
  { accountId, amountKopecks }: { accountId: number; amountKopecks: Kopecks },
): Promise<InvoiceOutcome> {
  if (cryptoPay === undefined) return { kind: 'unavailable', reason: 'Crypto Pay is not set up' };
  if (amountKopecks <= 0n) return { kind: 'invalid_amount' };
  const reply = await cryptoPay.client.createInvoice({
    amountRubles: toRubles(amountKopecks).toFixed(2),
    description: `Deposit to account ${accountId}`,
    payload: String(accountId),
    expiresInSeconds: LIFETIME_SECONDS,
  });
  if (reply.kind === 'refused') return { kind: 'unavailable', reason: reply.name };
  if (reply.kind === 'unknown') return { kind: 'unavailable', reason: reply.reason };
  const { invoiceId, url } = reply.result;
  if (url === '') return { kind: 'unavailable', reason: 'an invoice without an address' };
  const at = clock.now();
  const expiresAt = addSeconds(at, LIFETIME_SECONDS);
  await insertInvoice(db, { invoiceId, accountId, amountKopecks, url, expiresAt, at });
  return { kind: 'created', invoiceId, url, expiresAt };
}

export type InvoicePaidOutcome = { readonly kind: 'credited' | 'already_credited' | 'unknown_invoice' };

/**
 * Credits a paid invoice once, with the amount that the service asked for. A notification may arrive late, twice, or
 * while the reconciling job runs. An invoice that is marked as expired is credited too: its money was paid.
 */
export async function recordInvoicePaid(
  { db, clock }: { db: Database; clock: Clock },
  invoiceId: number,
): Promise<InvoicePaidOutcome> {
  return db.transaction(async (tx) => {
    const invoice = await lockInvoice(tx, invoiceId);
    if (invoice === undefined) return { kind: 'unknown_invoice' };
    if (invoice.status === 'paid') return { kind: 'already_credited' };
    const at = clock.now();
    await savePaid(tx, invoiceId, at);
    await deposit(tx, { ...invoice, key: `crypto-pay:${invoiceId}`, at });
    const { accountId, amountKopecks } = invoice;
    await recordNotices(tx, [{ accountId, kind: 'balance_credited', data: { amount: String(amountKopecks) } }], at);
    return { kind: 'credited' };
  });
}

export type CheckInvoiceOutcome =
  | { readonly kind: 'paid' | 'pending' | 'expired'; readonly invoice: DepositInvoice }
  /** No such invoice exists, or it belongs to another account. */
  | { readonly kind: 'not_found' };

/** Asks Crypto Pay about one invoice, so that its owner does not have to wait for the notification. */
export async function checkInvoice(
  deps: PayoutDeps,
  { accountId, invoiceId }: { accountId: number; invoiceId: number },
): Promise<CheckInvoiceOutcome> {
  const invoice = await findInvoice(deps.db, invoiceId);
  if (invoice?.accountId !== accountId) return { kind: 'not_found' };
  if (invoice.status === 'paid') return { kind: 'paid', invoice };
  const reply = await deps.cryptoPay?.client.getInvoices([invoiceId]);
  const found = reply?.kind === 'ok' ? reply.result.find((one) => one.invoiceId === invoiceId) : undefined;
  if (found?.status !== 'paid') return { kind: invoice.status === 'expired' ? 'expired' : 'pending', invoice };
  await recordInvoicePaid(deps, invoiceId);
  return { kind: 'paid', invoice };
}

const PAGE = 100;
/** An invoice that Crypto Pay no longer returns is marked as expired this long after its end. */
const GRACE_SECONDS = 60 * 60;

/** Asks Crypto Pay about every pending invoice, because a notification can be lost. Returns how many it credited. */
export async function reconcileInvoices(deps: PayoutDeps, signal?: AbortSignal): Promise<number> {
  const { db, clock, cryptoPay } = deps;
  let credited = 0;
  let after = 0;
  while (cryptoPay !== undefined && signal?.aborted !== true) {
    const page = await listPendingInvoices(db, { after, limit: PAGE });
    const last = page.at(-1);
    if (last === undefined) break;
    after = last.invoiceId;
    const reply = await cryptoPay.client.getInvoices(page.map((invoice) => invoice.invoiceId));
    if (reply.kind !== 'ok') break;
    const statusOf = new Map(reply.result.map((invoice) => [invoice.invoiceId, invoice.status]));
    const expired: number[] = [];
    for (const { invoiceId, expiresAt } of page) {
      const status = statusOf.get(invoiceId);
      const isLost = status === undefined && addSeconds(expiresAt, GRACE_SECONDS) < clock.now();
      if (status === 'paid' && (await recordInvoicePaid(deps, invoiceId)).kind === 'credited') credited += 1;
      if (status === 'expired' || isLost) expired.push(invoiceId);
    }
    await saveExpired(db, expired);
  }
  return credited;
}
