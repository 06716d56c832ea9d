import type { Kopecks } from '../../core/money.ts';

/**
 * The life of a payout. Its money leaves the owner's balance with the request and waits in an account of the payout's.
 *
 *   requested ─→ approved ─→ sent                    manual: an operator paid it and says so
 *       │           ├──→ sending ─→ sent             crypto-pay: recorded before the provider is called
 *       │           │      ├─────→ failed            the provider refused it: the money returns
 *       │           │      └─────→ approved          the provider refused us: tried again later
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
  /** Where to: for `crypto-pay` a Telegram user id, for `manual` what the operator needs to know. */
  readonly destination: string;
  readonly status: PayoutStatus;
  readonly reason: string | null;
  readonly reference: string | null;
  readonly spendId: string;
  readonly quote: Quote | null;
  readonly attempts: number;
  /** Since when the provider may or may not have sent it. */
  readonly doubtSince: Date | null;
  readonly lastError: string | null;
  /** Since when an operator keeps it from being approved or sent, or all payouts of its account. */
  readonly frozenAt: Date | null;
  readonly isAccountFrozen: boolean;
  readonly freezeReason: string | null;
  readonly createdAt: Date;
  readonly closedAt: Date | null;
}

/** What the provider is told to send: fixed before the first call, the same in every repeat. */
export interface Quote {
  readonly asset: string;
  /** Rubles for one unit of the asset. */
  readonly rate: string;
  readonly amount: string;
}

/** Whether an operator keeps it from being approved or sent. */
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

/** Nothing moves any more: the money is with the publisher or outside. */
export function isClosed(status: PayoutStatus): boolean {
  return TRANSITIONS[status].length === 0;
}

const MAX_DESTINATION = 256;
const CONTROL = /\p{Cc}/u;

export function isDestination(method: PayoutMethod, text: string): boolean {
  if (method === 'crypto-pay') return /^[1-9]\d{0,14}$/.test(text);
  return text.trim() !== '' && text.length <= MAX_DESTINATION && !CONTROL.test(text);
}

/** Texts that people give with a decision; what is shown to others has an end. */
export function shorten(text: string): string {
  return text.replaceAll('\0', '').trim().slice(0, 500);
}
