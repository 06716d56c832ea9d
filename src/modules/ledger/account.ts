/**
 * The kinds of ledger account. Callers number the owners; the ledger does not know what they are.
 * - available: the balance of an account; negative when a reversal came after a withdrawal
 * - hold: rewards that are not final yet
 * - escrow: the prepaid money of an order
 * - payout: the money of one payout, which can leave only once
 * - platform: the earnings of the service, spread over many rows so that no row is updated by every transaction
 * - external: the world outside; its balance is the negative of the money that came in
 */
export const LEDGER_KINDS = ['available', 'hold', 'escrow', 'payout', 'platform', 'external'] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];

export interface LedgerAccount {
  readonly kind: LedgerKind;
  readonly ownerId: number;
}

export const available = (ownerId: number): LedgerAccount => ({ kind: 'available', ownerId });
export const hold = (ownerId: number): LedgerAccount => ({ kind: 'hold', ownerId });
export const escrow = (ownerId: number): LedgerAccount => ({ kind: 'escrow', ownerId });
export const payout = (ownerId: number): LedgerAccount => ({ kind: 'payout', ownerId });
export const platform = (ownerId: number): LedgerAccount => ({ kind: 'platform', ownerId });
export const external = (ownerId: number): LedgerAccount => ({ kind: 'external', ownerId });

/** The platform's money that belongs to no order: it pays prizes and receives debits. It may be negative. */
export const GENERAL_PLATFORM = platform(0);
