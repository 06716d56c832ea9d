import type { Queryable, Transaction } from '../../core/database.ts';
import { lockBan } from '../accounts/index.ts';
import { recordNotices } from '../notices/index.ts';
import { changeOrderStatus, lockOrder } from './change-order.ts';
import { listIdsInModeration, saveRejectReason } from './moderation-store.ts';
import type { Order, OrderStatus } from './order.ts';
import { findOrders } from './store.ts';

export type Verdict = { readonly kind: 'approve' } | { readonly kind: 'reject'; readonly reason: string };

export type ModerateOutcome =
  | { readonly kind: 'done'; readonly order: Order }
  /** Another operator was faster, or the owner cancelled the order. */
  | { readonly kind: 'not_waiting'; readonly status: OrderStatus }
  /** An approved order would spend the money of a banned account. */
  | { readonly kind: 'owner_banned' }
  | { readonly kind: 'not_found' };

/** Approves or rejects an order for an operator. A rejected order is refunded. The owner gets an event. */
export async function moderateOrder(
  tx: Transaction,
  { orderId, verdict, at }: { orderId: number; verdict: Verdict; at: Date },
): Promise<ModerateOutcome> {
  const [known] = await findOrders(tx, [orderId]);
  const owner = known && (await lockBan(tx, known.accountId));
  const order = owner && (await lockOrder(tx, orderId));
  if (order === undefined) return { kind: 'not_found' };
  if (order.status !== 'moderation') return { kind: 'not_waiting', status: order.status };
  const { accountId, title } = order;
  const told = { order_id: orderId, title };
  if (verdict.kind === 'approve') {
    if (owner?.isBanned !== false) return { kind: 'owner_banned' };
    await changeOrderStatus(tx, { orderId, to: 'active', at });
    await recordNotices(tx, [{ accountId, kind: 'order_approved', data: told }], at);
  } else {
    const { reason } = verdict;
    await changeOrderStatus(tx, { orderId, to: 'rejected', at });
    await saveRejectReason(tx, orderId, reason);
    await recordNotices(tx, [{ accountId, kind: 'order_rejected', data: { ...told, reason } }], at);
  }
  return { kind: 'done', order };
}

/** Returns the orders that wait for an operator, oldest first. */
export async function listModeration(
  db: Queryable,
  page: { readonly after: number; readonly limit: number },
): Promise<Order[]> {
  const orders = await findOrders(db, await listIdsInModeration(db, page));
  return orders.sort((a, b) => a.id - b.id);
}
