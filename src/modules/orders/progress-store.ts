import type { Queryable, Transaction } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';
import type { OrderProgress } from './order.ts';
import { ORDER_VERSION } from './store.ts';

const COLUMNS = `p.order_id::float8 AS "orderId", p.reserved_count AS "reservedCount",
  p.reserved_kopecks AS "reservedKopecks", p.counted_count AS "countedCount", p.unsettled_count AS "unsettledCount",
  p.shown_total AS "shownTotal", p.confirmed_total AS "confirmedTotal", p.counted_day AS "countedDay",
  p.counted_today AS "countedToday", p.reversed_total AS "reversedTotal", p.spent_kopecks AS "spentKopecks",
  p.approved_total AS "approvedTotal", p.declined_total AS "declinedTotal"`;

const SELECT_PROGRESS = `SELECT ${COLUMNS} FROM order_progress p WHERE p.order_id = ANY($1::bigint[]) ORDER BY p.order_id`;

export type ProgressOf = ReadonlyMap<number, OrderProgress>;

export async function readProgress(db: Queryable, orderIds: readonly number[]): Promise<ProgressOf> {
  return byOrder(await db.query<OrderProgress>(SELECT_PROGRESS, [orderIds]));
}

/**
 * Locks the slots and the escrow of the orders until the transaction ends. Read dependent values (status, escrow) in a
 * later statement: values joined into this one may be older than the lock.
 */
export async function lockProgress(tx: Transaction, orderIds: readonly number[]): Promise<ProgressOf> {
  return byOrder(await tx.query<OrderProgress>(`${SELECT_PROGRESS} FOR UPDATE`, [orderIds]));
}

/** Returns the counters and versions of the next `limit` active orders after the given one. */
export async function readNextActive(
  db: Queryable,
  after: number,
  limit: number,
): Promise<(OrderProgress & { readonly version: string })[]> {
  return db.query(
    `SELECT ${COLUMNS}, ${ORDER_VERSION} AS version
     FROM orders o JOIN resources r ON r.id = o.resource_id JOIN order_progress p ON p.order_id = o.id
     WHERE o.status = 'active' AND o.id > $1 ORDER BY o.id LIMIT $2`,
    [after, limit],
  );
}

const byOrder = (rows: readonly OrderProgress[]): ProgressOf =>
  new Map(rows.map((progress) => [progress.orderId, progress]));

/** The effect of one task on the counters of its order. An absent field means no change. */
export interface ProgressChange {
  readonly orderId: number;
  readonly reserved?: number;
  readonly reservedKopecks?: Kopecks;
  readonly counted?: number;
  readonly unsettled?: number;
  readonly shown?: number;
  readonly confirmed?: number;
  readonly reversed?: number;
  readonly spentKopecks?: Kopecks;
  readonly approved?: number;
  readonly declined?: number;
}

/** Adds up the changes per order and applies them. The caller holds the lock of `lockProgress`. */
export async function changeProgress(tx: Transaction, single: readonly ProgressChange[], day: string): Promise<void> {
  if (single.length === 0) return;
  const changes = addUp(single);
  await tx.query(
    `UPDATE order_progress p SET
       reserved_count = p.reserved_count + c.reserved, reserved_kopecks = p.reserved_kopecks + c.reserved_kopecks,
       counted_count = p.counted_count + c.counted, unsettled_count = p.unsettled_count + c.unsettled,
       shown_total = p.shown_total + c.shown, confirmed_total = p.confirmed_total + c.confirmed,
       reversed_total = p.reversed_total + c.reversed, spent_kopecks = p.spent_kopecks + c.spent,
       approved_total = p.approved_total + c.approved, declined_total = p.declined_total + c.declined,
       counted_today = CASE WHEN p.counted_day = $10::date THEN p.counted_today ELSE 0 END + c.confirmed,
       counted_day = $10::date
     FROM unnest($1::bigint[], $2::int[], $3::bigint[], $4::int[], $5::int[], $6::int[], $7::int[], $8::int[],
                 $9::bigint[], $11::int[], $12::int[])
       AS c (order_id, reserved, reserved_kopecks, counted, unsettled, shown, confirmed, reversed, spent, approved, declined)
     WHERE p.order_id = c.order_id`,
    [
      changes.map((change) => change.orderId),
      changes.map((change) => change.reserved),
      changes.map((change) => change.reservedKopecks),
      changes.map((change) => change.counted),
      changes.map((change) => change.unsettled),
      changes.map((change) => change.shown),
      changes.map((change) => change.confirmed),
      changes.map((change) => change.reversed),
      changes.map((change) => change.spentKopecks),
      day,
      changes.map((change) => change.approved),
      changes.map((change) => change.declined),
    ],
  );
}

/** Merges the changes into one per order: a batch has many tasks of few orders. */
function addUp(changes: readonly ProgressChange[]): Required<ProgressChange>[] {
  const sums = new Map<number, Required<ProgressChange>>();
  for (const change of changes) {
    const sum = sums.get(change.orderId) ?? NOTHING;
    sums.set(change.orderId, {
      orderId: change.orderId,
      reserved: sum.reserved + (change.reserved ?? 0),
      reservedKopecks: sum.reservedKopecks + (change.reservedKopecks ?? 0n),
      counted: sum.counted + (change.counted ?? 0),
      unsettled: sum.unsettled + (change.unsettled ?? 0),
      shown: sum.shown + (change.shown ?? 0),
      confirmed: sum.confirmed + (change.confirmed ?? 0),
      reversed: sum.reversed + (change.reversed ?? 0),
      spentKopecks: sum.spentKopecks + (change.spentKopecks ?? 0n),
      approved: sum.approved + (change.approved ?? 0),
      declined: sum.declined + (change.declined ?? 0),
    });
  }
  return [...sums.values()];
}

const NOTHING: Required<ProgressChange> = {
  orderId: 0,
  reserved: 0,
  reservedKopecks: 0n,
  counted: 0,
  unsettled: 0,
  shown: 0,
  confirmed: 0,
  reversed: 0,
  spentKopecks: 0n,
  approved: 0,
  declined: 0,
};

/** Returns those of the orders whose subscriptions are all delivered and final. */
export async function findFinishedOrders(tx: Transaction, orderIds: readonly number[]): Promise<number[]> {
  const rows = await tx.query<{ id: bigint }>(
    `SELECT o.id FROM orders o JOIN order_progress p ON p.order_id = o.id
     WHERE o.id = ANY($1::bigint[]) AND o.status IN ('active', 'paused')
       AND p.counted_count >= o.quantity AND p.unsettled_count = 0 AND p.reserved_count = 0
     ORDER BY o.id`,
    [orderIds],
  );
  return rows.map((row) => Number(row.id));
}

/** Counts a refund for each order and returns its number, which gives each refund its own key. */
export async function numberRefunds(
  tx: Transaction,
  orderIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await tx.query<{ order_id: bigint; refunds: number }>(
    'UPDATE order_progress SET refunds = refunds + 1 WHERE order_id = ANY($1::bigint[]) RETURNING order_id, refunds',
    [orderIds],
  );
  return new Map(rows.map((row) => [Number(row.order_id), row.refunds]));
}

/** Counts users that administrators removed, one entry per user. Returns the new counters of these orders. */
export async function addRemovals(
  tx: Transaction,
  orderIds: readonly number[],
): Promise<{ readonly orderId: number; readonly removed: number; readonly counted: number }[]> {
  return tx.query<{ orderId: number; removed: number; counted: number }>(
    `UPDATE order_progress p SET removed_count = p.removed_count + t.removed
     FROM (SELECT id, count(*)::int AS removed FROM unnest($1::bigint[]) AS u (id) GROUP BY id) t
     WHERE p.order_id = t.id
     RETURNING p.order_id::float8 AS "orderId", p.removed_count AS removed, p.counted_count AS counted`,
    [orderIds],
  );
}

export async function clearRemovals(tx: Transaction, orderIds: readonly number[]): Promise<void> {
  await tx.query('UPDATE order_progress SET removed_count = 0 WHERE order_id = ANY($1::bigint[])', [orderIds]);
}
