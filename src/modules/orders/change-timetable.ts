import type { Transaction } from '../../core/database.ts';
import { type ChangeOutcome, lockOrder, publishOrders } from './change-order.ts';
import { isClosed, type Order } from './order.ts';
import { saveTimetable } from './store.ts';

export type Timetable = Pick<Order, 'dailyLimit' | 'activeHours' | 'paceEvenly'>;

/** How many a day, in which hours, and whether spread over them; what is not named stays. */
export async function changeTimetable(
  tx: Transaction,
  { orderId, change }: { orderId: number; change: Partial<Timetable> },
): Promise<ChangeOutcome> {
  const order = await lockOrder(tx, orderId);
  if (order === undefined) return { kind: 'not_found' };
  if (isClosed(order.status)) return { kind: 'not_allowed', status: order.status };
  const { dailyLimit, activeHours, paceEvenly } = { ...order, ...change };
  // Without a limit there is nothing to spread.
  await saveTimetable(tx, orderId, { dailyLimit, activeHours, paceEvenly: paceEvenly && dailyLimit !== null });
  await publishOrders(tx, [orderId]);
  return { kind: 'changed', from: order.status };
}
