import type { Transaction } from '../../core/database.ts';
import { type ChangeOutcome, lockOrder, publishOrders } from './change-order.ts';
import { isClosed, type Order } from './order.ts';
import { saveTimetable } from './store.ts';

export type Timetable = Pick<Order, 'dailyLimit' | 'activeHours' | 'paceEvenly'>;

/** Changes the daily limit, the active hours and the pacing. Omitted fields keep their value. */
export async function changeTimetable(
  tx: Transaction,
  { orderId, change }: { orderId: number; change: Partial<Timetable> },
): Promise<ChangeOutcome> {
  const order = await lockOrder(tx, orderId);
  if (order === undefined) return { kind: 'not_found' };
  if (isClosed(order.status)) return { kind: 'not_allowed', status: order.status };
  const { dailyLimit, activeHours, paceEvenly } = { ...order, ...change };
  // Pacing spreads the daily limit, so it needs one.
  await saveTimetable(tx, orderId, { dailyLimit, activeHours, paceEvenly: paceEvenly && dailyLimit !== null });
  await publishOrders(tx, [orderId]);
  return { kind: 'changed', from: order.status };
}
