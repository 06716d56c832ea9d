import type { Kopecks } from '../../core/money.ts';

/**
 * The kinds of ledger account. The ledger does not know what its owners are: callers number them.
 * - available: what an owner may spend or withdraw; negative when a reversal came after a withdrawal
 * - hold: accrued, and not the owner's yet
 * - escrow: set aside for one purpose
 * - payout: on its way out; one account for each payout, so its money can leave only once
 * - platform: what the service itself earns, spread over many rows so that none is hot
 * - external: the world outside; its balance is the negative of what came in
 */
export const LEDGER_KINDS = ['available', 'hold', 'escrow', 'payout', 'platform', 'external'] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];

export interface LedgerAccount {
  readonly kind: LedgerKind;
  readonly ownerId: number;
}

export interface Transfer {
  /** Names the event that moves the money. A second transfer with the same key does nothing. */
  readonly key: string;
  readonly from: LedgerAccount;
  readonly to: LedgerAccount;
  readonly amountKopecks: Kopecks;
}

export const available = (ownerId: number): LedgerAccount => ({ kind: 'available', ownerId });
export const hold = (ownerId: number): LedgerAccount => ({ kind: 'hold', ownerId });
export const escrow = (ownerId: number): LedgerAccount => ({ kind: 'escrow', ownerId });
export const payout = (ownerId: number): LedgerAccount => ({ kind: 'payout', ownerId });
export const platform = (ownerId: number): LedgerAccount => ({ kind: 'platform', ownerId });
export const external = (ownerId: number): LedgerAccount => ({ kind: 'external', ownerId });

/** A movement of nothing is no transfer: callers may compute amounts of zero and need not care. */
export function movesMoney(transfer: Transfer): boolean {
  return transfer.amountKopecks > 0n;
}
