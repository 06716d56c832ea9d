import { formatTimestamp } from '../../core/clock.ts';
import type { Transaction } from '../../core/database.ts';
import { assert } from '../../core/errors.ts';
import { toRubles } from '../../core/money.ts';
import { lockFunds } from '../accounts/index.ts';
import { recordEvents } from '../events/index.ts';
import { payoutReturnedTransfer, payoutSentTransfer, postTransfers, type Transfer } from '../ledger/index.ts';
import { recordNotices } from '../notices/index.ts';
import { canBecome, isFrozen, type Payout, type PayoutStatus, shorten } from './payout.ts';
import { lockPayout, saveApproval, saveFreeze, saveReturned, saveSent, saveUnfreeze } from './store.ts';

export type DecisionOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'not_allowed'; readonly status: PayoutStatus }
  /** An operator froze the payout, or the withdrawals of its account. */
  | { readonly kind: 'frozen' }
  /** The account has a negative balance. The money of the payout must pay it first. */
  | { readonly kind: 'in_debt' }
  | { readonly kind: 'not_found' };

/** Approves a payout. The job then sends a Crypto Pay payout; the operator pays a manual one. */
export async function approvePayout(
  tx: Transaction,
  { payoutId, operatorId, at }: { payoutId: number; operatorId: number | null; at: Date },
): Promise<DecisionOutcome> {
  const payout = await lockPayout(tx, payoutId);
  if (payout === undefined) return { kind: 'not_found' };
  // Stricter than `canBecome`: only the provider's reply moves a payout from `sending` back to `approved`.
  if (payout.status !== 'requested') return { kind: 'not_allowed', status: payout.status };
  if (isFrozen(payout)) return { kind: 'frozen' };
  // Rewards that were reversed after the request are still in the payout. After the payout they would be lost.
  const { availableKopecks } = await lockFunds(tx, payout.accountId);
  if (availableKopecks < 0n) return { kind: 'in_debt' };
  await saveApproval(tx, { payoutId, operatorId, at });
  return { kind: 'done' };
}

/** Rejects a payout that is not being sent yet, and returns its money to the balance. */
export async function rejectPayout(
  tx: Transaction,
  { payoutId, reason, at }: { payoutId: number; reason: string; at: Date },
): Promise<DecisionOutcome> {
  const payout = await lockPayout(tx, payoutId);
  if (payout === undefined) return { kind: 'not_found' };
  if (!canBecome(payout.status, 'rejected')) return { kind: 'not_allowed', status: payout.status };
  await closeAsReturned(tx, { payout, status: 'rejected', reason: shorten(reason), at });
  return { kind: 'done' };
}

export type MarkSentOutcome = DecisionOutcome | { readonly kind: 'invalid_reference' };

/** Closes a manual payout that the operator paid. `reference` proves the payment. */
export async function markPayoutSent(
  tx: Transaction,
  input: { payoutId: number; reference: string; at: Date },
): Promise<MarkSentOutcome> {
  const { payoutId, at } = input;
  const reference = shorten(input.reference);
  if (reference === '') return { kind: 'invalid_reference' };
  const payout = await lockPayout(tx, payoutId);
  if (payout === undefined) return { kind: 'not_found' };
  if (payout.method !== 'manual' || payout.status !== 'approved') {
    return { kind: 'not_allowed', status: payout.status };
  }
  if (isFrozen(payout)) return { kind: 'frozen' };
  await closeAsSent(tx, { payout, reference, at });
  return { kind: 'done' };
}

export type FreezeOutcome = DecisionOutcome | { readonly kind: 'unchanged' };

/** Prevents a payout from being approved or sent. A payout that is being sent cannot be frozen. */
export async function freezePayout(
  tx: Transaction,
  { payoutId, reason, at }: { payoutId: number; reason: string; at: Date },
): Promise<FreezeOutcome> {
  const payout = await lockPayout(tx, payoutId);
  if (payout === undefined) return { kind: 'not_found' };
  if (!canBecome(payout.status, 'rejected')) return { kind: 'not_allowed', status: payout.status };
  if (payout.frozenAt !== null) return { kind: 'unchanged' };
  await saveFreeze(tx, { payoutId, reason: shorten(reason), at });
  return { kind: 'done' };
}

export async function unfreezePayout(tx: Transaction, payoutId: number): Promise<FreezeOutcome> {
  const payout = await lockPayout(tx, payoutId);
  if (payout === undefined) return { kind: 'not_found' };
  if (payout.frozenAt === null) return { kind: 'unchanged' };
  await saveUnfreeze(tx, payoutId);
  return { kind: 'done' };
}

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
