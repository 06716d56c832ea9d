import type { Queryable } from '../../core/database.ts';
import { assert } from '../../core/errors.ts';
import type { Kopecks } from '../../core/money.ts';
import type { LedgerKind, RecordedTransfer } from '../ledger/index.ts';
import {
  type CarriedTransfers,
  type CountedSubscription,
  findSubscriptions,
  listTransfersOf,
} from './history-store.ts';
import { describeTransfer, type HistoryKind } from './transfer-kind.ts';

/** One movement of an owner's money. What it has nothing to do with is null. */
export interface HistoryEntry {
  /** The transfer's number; 0 when it stands for all those that were folded. */
  readonly id: number;
  readonly at: Date;
  readonly kind: HistoryKind;
  /** How the available balance changed by it; 0 when only the hold did. */
  readonly amountKopecks: Kopecks;
  /** How the hold changed by it. */
  readonly holdKopecks: Kopecks;
  readonly orderId: number | null;
  readonly botId: number | null;
  readonly userId: number | null;
  readonly payoutId: number | null;
  readonly contestId: number | null;
  /** The place in that contest. */
  readonly place: number | null;
}

export interface HistoryPage {
  /** Newest first. */
  readonly entries: readonly HistoryEntry[];
  /** `before` of the next page; null on the last. */
  readonly next: number | null;
}

const MAX_ENTRIES = 100;

/**
 * An owner's money, movement by movement. Pages go by the transfers' numbers, so what happens while somebody turns pages
 * neither repeats nor skips an entry of the pages behind. The very last entry sums up what is too old to be listed, so that
 * all entries together are what the account has.
 */
export async function listHistory(
  db: Queryable,
  { accountId, limit, before }: { accountId: number; limit: number; before?: number | undefined },
): Promise<HistoryPage> {
  assert(Number.isInteger(limit) && limit >= 1 && limit <= MAX_ENTRIES, `1 to ${MAX_ENTRIES} entries, not ${limit}`);
  const { transfers, carried } = await listTransfersOf(db, { accountId, before, limit: limit + 1 });
  const page = transfers.slice(0, limit).map((transfer) => ({ transfer, facts: describeTransfer(transfer) }));
  const counted = await findSubscriptions(
    db,
    page.flatMap(({ facts }) => facts.subscription ?? []),
  );
  const countedOf = new Map(counted.map((one) => [`${one.userId}:${one.resourceId}`, one]));
  const entries = page.map(({ transfer, facts }): HistoryEntry => {
    const { kind, subscription } = facts;
    const source: CountedSubscription | undefined =
      subscription && countedOf.get(`${subscription.userId}:${subscription.resourceId}`);
    return {
      id: transfer.id,
      at: transfer.createdAt,
      kind,
      amountKopecks: changeOf('available', accountId, transfer),
      holdKopecks: changeOf('hold', accountId, transfer),
      orderId: facts.orderId ?? source?.orderId ?? null,
      botId: facts.botId ?? source?.botId ?? null,
      userId: subscription?.userId ?? null,
      payoutId: facts.payoutId ?? null,
      contestId: facts.contestId ?? null,
      place: facts.place ?? null,
    };
  });
  const rest = transfers.length > limit || carried === null ? [] : [summary(carried)];
  const hasMore = transfers.length + rest.length > limit;
  return {
    entries: [...entries, ...rest].slice(0, limit),
    next: hasMore ? (page.at(-1)?.transfer.id ?? null) : null,
  };
}

const summary = ({ availableKopecks, holdKopecks, lastAt }: CarriedTransfers): HistoryEntry => ({
  id: 0,
  at: lastAt,
  kind: 'earlier',
  amountKopecks: availableKopecks,
  holdKopecks,
  orderId: null,
  botId: null,
  userId: null,
  payoutId: null,
  contestId: null,
  place: null,
});

function changeOf(kind: LedgerKind, ownerId: number, { from, to, amountKopecks }: RecordedTransfer): Kopecks {
  if (to.kind === kind && to.ownerId === ownerId) return amountKopecks;
  return from.kind === kind && from.ownerId === ownerId ? -amountKopecks : 0n;
}
