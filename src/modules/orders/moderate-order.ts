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
  /** Somebody was faster, or its owner cancelled it. */
  | { readonly kind: 'not_waiting'; readonly status: OrderStatus }
  /** What is shown for a banned account would be paid for with its money. */
  | { readonly kind: 'owner_banned' }
  | { readonly kind: 'not_found' };

/** An operator lets an order be shown, or refuses it; a refused one gives its money back. Its owner is told. */
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

/** The orders that wait for an operator, oldest first. */
export async function listModeration(
  db: Queryable,
  page: { readonly after: number; readonly limit: number },
): Promise<Order[]> {
  const orders = await findOrders(db, await listIdsInModeration(db, page));
  return orders.sort((a, b) => a.id - b.id);
}
