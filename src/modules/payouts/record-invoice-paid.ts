import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import { deposit } from '../accounts/index.ts';
import { recordNotices } from '../notices/index.ts';
import { lockInvoice, savePaid } from './invoice-store.ts';

export type PaidOutcome = 'credited' | 'already_credited' | 'unknown_invoice';

/**
 * Credits a paid invoice, once, with the amount that we asked for. A notice may come late, twice, or beside the
 * reconciling job; one that comes after we took the invoice for expired is still money that was paid.
 */
export async function recordInvoicePaid(
  { db, clock }: { db: Database; clock: Clock },
  invoiceId: number,
): Promise<PaidOutcome> {
  return db.transaction(async (tx) => {
    const invoice = await lockInvoice(tx, invoiceId);
    if (invoice === undefined) return 'unknown_invoice';
    if (invoice.status === 'paid') return 'already_credited';
    const at = clock.now();
    await savePaid(tx, invoiceId, at);
    await deposit(tx, { ...invoice, key: `crypto-pay:${invoiceId}`, at });
    const { accountId, amountKopecks } = invoice;
    await recordNotices(tx, [{ accountId, kind: 'balance_credited', data: { amount: String(amountKopecks) } }], at);
    return 'credited';
  });
}
