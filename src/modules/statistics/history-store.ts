import type { Queryable } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';
import type { LedgerKind, RecordedTransfer } from '../ledger/index.ts';

/** Higher than any number a transfer can have: where the newest page begins. */
const BEGINNING = 2n ** 63n - 1n;

/** What transfers that were folded had come to (decision 0040). */
export interface CarriedTransfers {
  readonly availableKopecks: Kopecks;
  readonly holdKopecks: Kopecks;
  /** The time of the latest of them. */
  readonly lastAt: Date;
}

export interface TransfersPage {
  readonly transfers: readonly RecordedTransfer[];
  /** What came before the very first of the account's transfers; null when nothing of it was folded. */
  readonly carried: CarriedTransfers | null;
}

interface HistoryRow {
  id: bigint | null;
  key: string;
  from_kind: LedgerKind;
  from_owner_id: bigint;
  to_kind: LedgerKind;
  to_owner_id: bigint;
  amount_kopecks: bigint;
  created_at: Date;
  available: bigint;
  hold: bigint;
  last_at: Date | null;
}

/** Transfers that change what an account has available or in hold, newest first, from before the one named. */
export async function listTransfersOf(
  db: Queryable,
  { accountId, before, limit }: { accountId: number; before: number | undefined; limit: number },
): Promise<TransfersPage> {
  const rows = await db.query<HistoryRow>(HISTORY_SQL, [accountId, before ?? BEGINNING, limit]);
  const [first] = rows;
  return {
    transfers: rows.flatMap((row) => (row.id === null ? [] : toTransfer(row, row.id))),
    carried:
      first === undefined || first.last_at === null
        ? null
        : { availableKopecks: first.available, holdKopecks: first.hold, lastAt: first.last_at },
  };
}

const toTransfer = (row: HistoryRow, id: bigint): RecordedTransfer => ({
  id: Number(id),
  key: row.key,
  from: { kind: row.from_kind, ownerId: Number(row.from_owner_id) },
  to: { kind: row.to_kind, ownerId: Number(row.to_owner_id) },
  amountKopecks: row.amount_kopecks,
  createdAt: row.created_at,
});

// One statement, so that what is being folded is seen once. The conditions repeat those of the two indexes word for word, or
// they would not be used; together they name each transfer once.
const HISTORY_SQL = `
  WITH carried AS MATERIALIZED (
    SELECT coalesce(sum(amount_kopecks) FILTER (WHERE kind = 'available'), 0)::bigint AS available,
           coalesce(sum(amount_kopecks) FILTER (WHERE kind = 'hold'), 0)::bigint AS hold, max(last_at) AS last_at
    FROM ledger_folded_sums WHERE kind IN ('available', 'hold') AND owner_id = $1
  ), page AS (
    (SELECT * FROM ledger_transfers
     WHERE from_owner_id = $1 AND id < $2 AND from_kind IN ('available', 'hold')
       AND (to_kind NOT IN ('available', 'hold') OR to_owner_id <> from_owner_id)
     ORDER BY id DESC LIMIT $3)
    UNION ALL
    (SELECT * FROM ledger_transfers
     WHERE to_owner_id = $1 AND id < $2 AND to_kind IN ('available', 'hold')
     ORDER BY id DESC LIMIT $3)
    ORDER BY id DESC LIMIT $3
  )
  SELECT page.*, carried.* FROM carried LEFT JOIN page ON true ORDER BY page.id DESC`;

export interface CountedSubscription {
  readonly userId: number;
  readonly resourceId: number;
  readonly botId: number;
  readonly orderId: number;
}

/** Through which bot and for which order these were counted. */
export async function findSubscriptions(
  db: Queryable,
  pairs: readonly { readonly userId: number; readonly resourceId: number }[],
): Promise<CountedSubscription[]> {
  if (pairs.length === 0) return [];
  const rows = await db.query<{ user_id: bigint; resource_id: bigint; bot_id: bigint; order_id: bigint }>(
    `SELECT c.user_id, c.resource_id, c.bot_id, c.order_id
     FROM counted_subscriptions c
     JOIN (SELECT DISTINCT * FROM unnest($1::bigint[], $2::bigint[]) AS t (user_id, resource_id)) p
       USING (user_id, resource_id)`,
    [pairs.map(({ userId }) => userId), pairs.map(({ resourceId }) => resourceId)],
  );
  return rows.map((row) => ({
    userId: Number(row.user_id),
    resourceId: Number(row.resource_id),
    botId: Number(row.bot_id),
    orderId: Number(row.order_id),
  }));
}
