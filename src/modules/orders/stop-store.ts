import type { Queryable, Transaction } from '../../core/database.ts';

/** An operator's stop: the order is not shown, and its owner cannot resume it. */
export interface OrderStop {
  readonly at: Date;
  readonly reason: string;
  /** Whether the order was active when it was stopped. */
  readonly wasActive: boolean;
}

export async function findStop(db: Queryable, orderId: number): Promise<OrderStop | undefined> {
  const [row] = await db.query<{ at: Date; reason: string; was_active: boolean }>(
    'SELECT stopped_at AS at, stop_reason AS reason, was_active FROM orders WHERE id = $1 AND stopped_at IS NOT NULL',
    [orderId],
  );
  return row && { at: row.at, reason: row.reason, wasActive: row.was_active };
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
