import type { Transaction } from '../../core/database.ts';
import { changeOrderStatus, publishOrders } from './change-order.ts';
import { isClosed, type Order } from './order.ts';
import { listOrdersOfResource, moveResource } from './store.ts';

/**
 * What is advertised in a chat is from now on in the chat with another id. Orders that were paused because the old id
 * could not be checked any more go on. Returns the orders that are not closed, nothing when none was ever made.
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
