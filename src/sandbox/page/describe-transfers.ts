import { formatTimestamp } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import { toRubles } from '../../core/money.ts';
import { type LedgerAccount, latestTransfers, type Transfer } from '../../modules/ledger/index.ts';

/** What a transfer was, in the closed set of words that the page has texts for. */
type TransferWord =
  | 'deposit'
  | 'order_funded'
  | 'order_topped_up'
  | 'order_refunded'
  | 'reward_held'
  | 'reward_paid'
  | 'margin'
  | 'released'
  | 'reversed'
  | 'margin_returned'
  | 'payout'
  | 'prize'
  | 'other';

export interface TransferFacts {
  readonly what: TransferWord;
  /** Who subscribed, and to which resource. */
  readonly user_id?: number;
  readonly resource_id?: number;
}

const SHOWN_TRANSFERS = 40;

/** The latest transfers, newest first, told by what happened. */
export async function describeTransfers(db: Database) {
  const transfers = await latestTransfers(db, SHOWN_TRANSFERS);
  return transfers.map((transfer) => ({
    id: transfer.id,
    at: formatTimestamp(transfer.createdAt),
    amount: toRubles(transfer.amountKopecks),
    from: nameOf(transfer.from),
    to: nameOf(transfer.to),
    key: transfer.key,
    ...factsOf(transfer),
  }));
}

const nameOf = ({ kind, ownerId }: LedgerAccount) => ({ kind, owner_id: ownerId });

/** Read off the natural key; the keys are those of docs/architecture.md. */
export function factsOf({ key, to }: Pick<Transfer, 'key' | 'to'>): TransferFacts {
  const parts = key.split(':');
  const [what, first = '', second = '', third = ''] = parts;
  const part = parts.at(-1);
  const subscription = { user_id: Number(first), resource_id: Number(second) };
  switch (what) {
    case 'deposit':
      return { what: 'deposit' };
    case 'order':
      if (second === 'refund') return { what: 'order_refunded' };
      return { what: third === '0' ? 'order_funded' : 'order_topped_up' };
    case 'count':
      if (part === 'margin') return { what: 'margin', ...subscription };
      return { what: to.kind === 'hold' ? 'reward_held' : 'reward_paid', ...subscription };
    case 'release':
      return { what: 'released', ...subscription };
    case 'reverse':
      return { what: part === 'margin' ? 'margin_returned' : 'reversed', ...subscription };
    case 'payout':
      return { what: 'payout' };
    case 'contest':
      return { what: 'prize' };
    default:
      return { what: 'other' };
  }
}
