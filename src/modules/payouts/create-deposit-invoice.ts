import { addSeconds, type Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import { type Kopecks, toRubles } from '../../core/money.ts';
import type { CryptoPay } from './crypto-pay.ts';
import { insertInvoice } from './invoice-store.ts';

export type InvoiceOutcome =
  | { readonly kind: 'created'; readonly invoiceId: number; readonly url: string; readonly expiresAt: Date }
  | { readonly kind: 'invalid_amount' }
  /** Crypto Pay did not make one. Nothing was promised to anybody, so trying again is harmless. */
  | { readonly kind: 'unavailable'; readonly reason: string };

const LIFETIME_SECONDS = 24 * 60 * 60;

/**
 * Asks Crypto Pay for an invoice in rubles. It is stored before anybody learns its address, so whatever is paid is known;
 * one that a crash keeps from being stored is one that nobody was shown.
 */
export async function createDepositInvoice(
  { db, clock, cryptoPay }: { db: Database; clock: Clock; cryptoPay: CryptoPay },
  { accountId, amountKopecks }: { accountId: number; amountKopecks: Kopecks },
): Promise<InvoiceOutcome> {
  if (amountKopecks <= 0n) return { kind: 'invalid_amount' };
  const answer = await cryptoPay.createInvoice({
    amountRubles: toRubles(amountKopecks).toFixed(2),
    description: `Deposit to account ${accountId}`,
    payload: String(accountId),
    expiresInSeconds: LIFETIME_SECONDS,
  });
  if (answer.kind === 'refused') return { kind: 'unavailable', reason: answer.name };
  if (answer.kind === 'unknown') return { kind: 'unavailable', reason: answer.reason };
  const { invoiceId, url } = answer.result;
  if (url === '') return { kind: 'unavailable', reason: 'an invoice without an address' };
  const at = clock.now();
  const expiresAt = addSeconds(at, LIFETIME_SECONDS);
  await insertInvoice(db, { invoiceId, accountId, amountKopecks, url, expiresAt, at });
  return { kind: 'created', invoiceId, url, expiresAt };
}
