import type { Transaction } from '../../core/database.ts';
import { changeOrderStatus, publishOrders } from './change-order.ts';
import { isClosed, type Order } from './order.ts';
import { listOrdersOfResource, moveResource } from './store.ts';

/**
 * Moves the orders of a chat to its new id. Orders that were paused because the old id could not be checked become
 * active again. Returns the orders that are not closed, or undefined if the chat never had an order.
 */
export async function moveOrdersToChat(
  tx: Transaction,
  { from, to, at }: { from: number; to: number; at: Date },
): Promise<Order[] | undefined> {
  const resourceId = await moveResource(tx, { from, to });
  if (resourceId === undefined) return undefined;
  const orders = (await listOrdersOfResource(tx, resourceId)).filter(({ status }) => !isClosed(status));
  for (const { id, pauseReason } of orders) {
    if (pauseReason === 'access_lost') await changeOrderStatus(tx, { orderId: id, to: 'active', at });
  }
  await publishOrders(
    tx,
    orders.map(({ id }) => id),
  );
  return orders;
}
