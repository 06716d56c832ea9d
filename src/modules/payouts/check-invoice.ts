import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import type { CryptoPay } from './crypto-pay.ts';
import { type DepositInvoice, findInvoice } from './invoice-store.ts';
import { recordInvoicePaid } from './record-invoice-paid.ts';

export type CheckInvoiceOutcome =
  | { readonly kind: 'paid' | 'pending' | 'expired'; readonly invoice: DepositInvoice }
  /** There is none, or it is another account's. */
  | { readonly kind: 'not_found' };

/** Whoever paid need not wait for the notice: asked, we look ourselves. */
export async function checkInvoice(
  deps: { db: Database; clock: Clock; cryptoPay: CryptoPay | undefined },
  { accountId, invoiceId }: { accountId: number; invoiceId: number },
): Promise<CheckInvoiceOutcome> {
  const invoice = await findInvoice(deps.db, invoiceId);
  if (invoice?.accountId !== accountId) return { kind: 'not_found' };
  if (invoice.status === 'paid') return { kind: 'paid', invoice };
  const answer = await deps.cryptoPay?.getInvoices([invoiceId]);
  const found = answer?.kind === 'ok' ? answer.result.find((one) => one.invoiceId === invoiceId) : undefined;
  if (found?.status !== 'paid') return { kind: invoice.status === 'expired' ? 'expired' : 'pending', invoice };
  await recordInvoicePaid(deps, invoiceId);
  return { kind: 'paid', invoice };
}
