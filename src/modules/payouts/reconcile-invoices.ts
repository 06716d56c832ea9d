import { addSeconds, type Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import type { CryptoPay } from './crypto-pay.ts';
import { listPendingInvoices, saveExpired } from './invoice-store.ts';
import { recordInvoicePaid } from './record-invoice-paid.ts';

const PAGE = 100;
/** After its end an invoice of which Crypto Pay knows nothing any more is given up. */
const GRACE_SECONDS = 60 * 60;

/** Asks about every invoice whose fate is open, for notices that were lost. Answers how many were credited. */
export async function reconcileInvoices(
  deps: { db: Database; clock: Clock; cryptoPay: CryptoPay },
  signal?: AbortSignal,
): Promise<number> {
  let credited = 0;
  let after = 0;
  while (signal?.aborted !== true) {
    const page = await listPendingInvoices(deps.db, { after, limit: PAGE });
    const last = page.at(-1);
    if (last === undefined) break;
    after = last.invoiceId;
    const answer = await deps.cryptoPay.getInvoices(page.map((invoice) => invoice.invoiceId));
    if (answer.kind !== 'ok') break;
    const statusOf = new Map(answer.result.map((invoice) => [invoice.invoiceId, invoice.status]));
    const expired: number[] = [];
    for (const { invoiceId, expiresAt } of page) {
      const status = statusOf.get(invoiceId);
      const isGivenUp = status === undefined && addSeconds(expiresAt, GRACE_SECONDS) < deps.clock.now();
      if (status === 'paid' && (await recordInvoicePaid(deps, invoiceId)) === 'credited') credited += 1;
      if (status === 'expired' || isGivenUp) expired.push(invoiceId);
    }
    await saveExpired(deps.db, expired);
  }
  return credited;
}
