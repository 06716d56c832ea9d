import { addSeconds } from '../../core/clock.ts';
import { type Kopecks, toRubles } from '../../core/money.ts';
import { insertInvoice } from './invoice-store.ts';
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
