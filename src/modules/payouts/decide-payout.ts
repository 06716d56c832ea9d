import type { Transaction } from '../../core/database.ts';
import { closeAsReturned, closeAsSent } from './close-payout.ts';
import { canBecome, isFrozen, type PayoutStatus, shorten } from './payout.ts';
import { lockPayout, saveApproval, saveFreeze, saveUnfreeze } from './store.ts';

export type DecisionOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'not_allowed'; readonly status: PayoutStatus }
  /** An operator froze the payout, or the withdrawals of its account. */
  | { readonly kind: 'frozen' }
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
