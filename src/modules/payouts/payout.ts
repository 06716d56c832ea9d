import type { Kopecks } from '../../core/money.ts';

/**
 * The states of a payout. The request moves the money from the owner's balance to a ledger account of the payout.
 *
 *   requested ─→ approved ─→ sent                    manual: an operator paid it
 *       │           ├──→ sending ─→ sent             crypto-pay: stored before the provider is called
 *       │           │      ├─────→ failed            the provider refused the payout: the money returns
 *       │           │      └─────→ approved          the provider refused the service: tried again later
 *       └───────────┴──→ rejected                    the money returns
 */
export const PAYOUT_STATUSES = ['requested', 'approved', 'sending', 'sent', 'rejected', 'failed'] as const;
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];

export const PAYOUT_METHODS = ['manual', 'crypto-pay'] as const;
export type PayoutMethod = (typeof PAYOUT_METHODS)[number];

export interface Payout {
  readonly id: number;
  readonly accountId: number;
  readonly amountKopecks: Kopecks;
  readonly method: PayoutMethod;
  /** For `crypto-pay` a Telegram user id; for `manual` free text for the operator, such as a card number. */
  readonly destination: string;
  readonly status: PayoutStatus;
  readonly reason: string | null;
  readonly reference: string | null;
  readonly spendId: string;
  readonly quote: Quote | null;
  readonly attempts: number;
  /** Since when it is unknown whether the provider sent it. */
  readonly doubtSince: Date | null;
  readonly lastError: string | null;
  /** When an operator froze this payout. `isAccountFrozen`: all payouts of its account are frozen. */
  readonly frozenAt: Date | null;
  readonly isAccountFrozen: boolean;
  readonly freezeReason: string | null;
  readonly createdAt: Date;
  readonly closedAt: Date | null;
}

/** The amount that the provider sends. It is fixed before the first call, so that every repeat sends the same. */
export interface Quote {
  readonly asset: string;
  /** Rubles for one unit of the asset. */
  readonly rate: string;
  readonly amount: string;
}

export function isFrozen({ frozenAt, isAccountFrozen }: Payout): boolean {
  return frozenAt !== null || isAccountFrozen;
}

const TRANSITIONS: Readonly<Record<PayoutStatus, readonly PayoutStatus[]>> = {
  requested: ['approved', 'rejected'],
  approved: ['sending', 'sent', 'rejected'],
  sending: ['sent', 'failed', 'approved'],
  sent: [],
  rejected: [],
  failed: [],
};

export function canBecome(from: PayoutStatus, to: PayoutStatus): boolean {
  return TRANSITIONS[from].includes(to);
}

/** Returns whether the status is final: the money has left the ledger or is back in the balance. */
export function isClosed(status: PayoutStatus): boolean {
  return TRANSITIONS[status].length === 0;
}

const MAX_DESTINATION = 256;
const CONTROL = /\p{Cc}/u;

export function isDestination(method: PayoutMethod, text: string): boolean {
  if (method === 'crypto-pay') return /^[1-9]\d{0,14}$/.test(text);
  return text.trim() !== '' && text.length <= MAX_DESTINATION && !CONTROL.test(text);
}

/** Cleans and limits a text that an operator typed, before others see it. */
export function shorten(text: string): string {
  return text.replaceAll('\0', '').trim().slice(0, 500);
}
