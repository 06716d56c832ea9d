import type { Transfer } from '../ledger/index.ts';

/** What a movement of an owner's money was. Closed: a new kind of transfer gets its name here before it is posted. */
export const HISTORY_KINDS = [
  'deposit',
  'order_funded',
  'order_topped_up',
  'order_refunded',
  'reward_held',
  'reward_paid',
  'reward_released',
  'reward_reversed',
  'payout_requested',
  'payout_returned',
  'contest_prize',
  'debited',
  /** Everything that is too old to be listed, in one sum; no transfer has this kind. */
  'earlier',
  /** A transfer that nobody has named. Shown all the same, since without it the amounts would not add up. */
  'other',
] as const;
export type HistoryKind = (typeof HISTORY_KINDS)[number];

export interface TransferFacts {
  readonly kind: HistoryKind;
  readonly orderId?: number;
  readonly botId?: number;
  readonly payoutId?: number;
  readonly contestId?: number;
  readonly place?: number;
  /** A user and what they subscribed to: counted once for ever, so the two nearly always name the bot and the order. */
  readonly subscription?: { readonly userId: number; readonly resourceId: number };
}

/** Reads off a transfer's natural key what happened. The keys are those of docs/architecture.md. */
export function describeTransfer({ key, to }: Pick<Transfer, 'key' | 'to'>): TransferFacts {
  const parts = key.split(':');
  const [what, first = '', second = '', third = ''] = parts;
  const part = parts.at(-1);
  switch (what) {
    case 'deposit':
      return { kind: 'deposit' };
    case 'order':
      return describeOrder(Number(first), second, third);
    case 'count':
      return part === 'reward'
        ? { kind: to.kind === 'hold' ? 'reward_held' : 'reward_paid', ...subscription(parts) }
        : UNKNOWN;
    case 'release':
      return { kind: 'reward_released', ...subscription(parts) };
    case 'reverse':
      return part === 'reward' ? { kind: 'reward_reversed', ...subscription(parts) } : UNKNOWN;
    case 'payout':
      return describePayout(Number(first), second);
    case 'debit':
      return { kind: 'debited' };
    case 'contest':
      return second === 'prize' ? { kind: 'contest_prize', contestId: Number(first), place: Number(third) } : UNKNOWN;
    default:
      return UNKNOWN;
  }
}

const UNKNOWN: TransferFacts = { kind: 'other' };

function describeOrder(orderId: number, what: string, which: string): TransferFacts {
  if (what === 'fund') return { kind: which === '0' ? 'order_funded' : 'order_topped_up', orderId };
  return what === 'refund' ? { kind: 'order_refunded', orderId } : UNKNOWN;
}

function describePayout(payoutId: number, what: string): TransferFacts {
  if (what === 'request') return { kind: 'payout_requested', payoutId };
  return what === 'return' ? { kind: 'payout_returned', payoutId } : UNKNOWN;
}

/** A claim that waited for the advertiser's side names its bot and order too: the two alone may name a later claim. */
const subscription = ([, userId, resourceId, botId, orderId, part]: readonly string[]) => ({
  subscription: { userId: Number(userId), resourceId: Number(resourceId) },
  ...(part !== undefined && { botId: Number(botId), orderId: Number(orderId) }),
});
