import { formatTimestamp } from '../../core/clock.ts';
import type { Transaction } from '../../core/database.ts';
import { assert } from '../../core/errors.ts';
import { toRubles } from '../../core/money.ts';
import { recordEvents } from '../events/index.ts';
import { payoutReturnedTransfer, payoutSentTransfer, postTransfers, type Transfer } from '../ledger/index.ts';
import { recordNotices } from '../notices/index.ts';
import { canBecome, type Payout } from './payout.ts';
import { saveReturned, saveSent } from './store.ts';

/** Closes a payout that was sent: moves its money out of the ledger and records the event. The caller holds its lock. */
export async function closeAsSent(
  tx: Transaction,
  { payout, reference, at }: { payout: Payout; reference: string; at: Date },
): Promise<void> {
  assert(canBecome(payout.status, 'sent'), `a payout that is ${payout.status} cannot be sent`);
  await saveSent(tx, payout.id, reference, at);
  await moveOnce(tx, payoutSentTransfer(payout), at);
  const data = {
    payout_id: payout.id,
    amount: toRubles(payout.amountKopecks),
    provider: payout.method,
    reference,
    requested_at: formatTimestamp(payout.createdAt),
    sent_at: formatTimestamp(at),
  };
  await recordEvents(tx, [{ accountId: payout.accountId, type: 'payout.sent', data }], at);
}

/** Closes a payout that will never be sent, and returns its money to the balance. The caller holds its lock. */
export async function closeAsReturned(
  tx: Transaction,
  { payout, status, reason, at }: { payout: Payout; status: 'rejected' | 'failed'; reason: string; at: Date },
): Promise<void> {
  assert(canBecome(payout.status, status), `a payout that is ${payout.status} cannot be ${status}`);
  await saveReturned(tx, { payoutId: payout.id, status, reason, at });
  await moveOnce(tx, payoutReturnedTransfer(payout), at);
  const data = { payout_id: payout.id, amount: String(payout.amountKopecks), reason };
  await recordNotices(tx, [{ accountId: payout.accountId, kind: 'payout_returned', data }], at);
}

async function moveOnce(tx: Transaction, transfer: Transfer, at: Date): Promise<void> {
  const posted = await postTransfers(tx, [transfer], at);
  assert(posted.size === 1, `${transfer.key} moves its money once`);
}
