import type { Queryable, Transaction } from '../../core/database.ts';
import type { OrderStatus } from './order.ts';

/** Returns the ids of the orders that wait for an operator, oldest first, after the given one. */
export async function listIdsInModeration(
  db: Queryable,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const rows = await db.query<{ id: bigint }>(
    "SELECT id FROM orders WHERE status = 'moderation' AND id > $1 ORDER BY id LIMIT $2",
    [after, limit],
  );
  return rows.map((row) => Number(row.id));
}

export async function countInModeration(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: bigint }>("SELECT count(*) AS count FROM orders WHERE status = 'moderation'");
  return Number(row?.count ?? 0);
}

export async function saveRejectReason(tx: Transaction, orderId: number, reason: string): Promise<void> {
  await tx.query('UPDATE orders SET reject_reason = $2 WHERE id = $1', [orderId, reason]);
}

/** Returns why an operator rejected the order, or undefined if none did. */
export async function findRejectReason(db: Queryable, orderId: number): Promise<string | undefined> {
  const [row] = await db.query<{ reject_reason: string | null }>('SELECT reject_reason FROM orders WHERE id = $1', [
    orderId,
  ]);
  return row?.reject_reason ?? undefined;
}

export async function countOrdersByStatus(db: Queryable, accountId: number): Promise<ReadonlyMap<OrderStatus, number>> {
  const rows = await db.query<{ status: OrderStatus; count: bigint }>(
    'SELECT status, count(*) AS count FROM orders WHERE account_id = $1 GROUP BY status',
    [accountId],
  );
  return new Map(rows.map((row) => [row.status, Number(row.count)]));
}

/** An operator's stop: the order is not shown, and its owner cannot resume it. */
export interface OrderStop {
  readonly at: Date;
  readonly reason: string;
  /** Whether the order was active when it was stopped. */
  readonly wasActive: boolean;
}

export async function findStop(db: Queryable, orderId: number): Promise<OrderStop | undefined> {
  const [row] = await db.query<OrderStop>(
    `SELECT stopped_at AS at, stop_reason AS reason, was_active AS "wasActive" FROM orders
     WHERE id = $1 AND stopped_at IS NOT NULL`,
    [orderId],
  );
  return row;
}

export async function saveStop(tx: Transaction, orderId: number, stop: OrderStop): Promise<void> {
  await tx.query('UPDATE orders SET stopped_at = $2, stop_reason = $3, was_active = $4 WHERE id = $1', [
    orderId,
    stop.at,
    stop.reason,
    stop.wasActive,
  ]);
}

export async function liftStop(tx: Transaction, orderId: number): Promise<void> {
  await tx.query('UPDATE orders SET stopped_at = NULL, stop_reason = NULL, was_active = false WHERE id = $1', [
    orderId,
  ]);
}
