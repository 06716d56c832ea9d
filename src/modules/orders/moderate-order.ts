import type { Queryable, Transaction } from '../../core/database.ts';
import { lockBan } from '../accounts/index.ts';
import { recordNotices } from '../notices/index.ts';
import { changeOrderStatus, lockOrder } from './change-order.ts';
import { findStop, liftStop, listIdsInModeration, saveRejectReason, saveStop } from './moderation-store.ts';
import { isClosed, type Order, type OrderStatus } from './order.ts';
import { findOrders } from './store.ts';

export type Moderation = { readonly kind: 'approve' } | { readonly kind: 'reject'; readonly reason: string };

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
  { orderId, moderation, at }: { orderId: number; moderation: Moderation; at: Date },
): Promise<ModerateOutcome> {
  const [known] = await findOrders(tx, [orderId]);
  const owner = known && (await lockBan(tx, known.accountId));
  const order = owner && (await lockOrder(tx, orderId));
  if (order === undefined) return { kind: 'not_found' };
  if (order.status !== 'moderation') return { kind: 'not_waiting', status: order.status };
  const { accountId, title } = order;
  const told = { order_id: orderId, title };
  if (moderation.kind === 'approve') {
    if (owner?.isBanned !== false) return { kind: 'owner_banned' };
    await changeOrderStatus(tx, { orderId, to: 'active', at });
    await recordNotices(tx, [{ accountId, kind: 'order_approved', data: told }], at);
  } else {
    const { reason } = moderation;
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

export type StopOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'owner_banned' }
  | { readonly kind: 'not_allowed'; readonly status: OrderStatus }
  | { readonly kind: 'not_found' };

/** Stops an order of any owner for an operator. Tasks that are already shown keep their reservation and are paid. */
export async function stopOrder(
  tx: Transaction,
  { orderId, reason, at }: { orderId: number; reason: string; at: Date },
): Promise<StopOutcome> {
  const order = await lockOrder(tx, orderId);
  if (order === undefined) return { kind: 'not_found' };
  if (isClosed(order.status) || order.status === 'moderation') return { kind: 'not_allowed', status: order.status };
  if ((await findStop(tx, orderId)) !== undefined) return { kind: 'unchanged' };
  await saveStop(tx, orderId, { at, reason, wasActive: order.status === 'active' });
  await changeOrderStatus(tx, { orderId, to: 'paused', at });
  return { kind: 'done' };
}

/**
 * Lifts the stop. An order that was active before becomes active again; an order that its owner paused stays paused.
 */
export async function resumeStoppedOrder(
  tx: Transaction,
  { orderId, at }: { orderId: number; at: Date },
): Promise<StopOutcome> {
  // Lock the ban before all other locks. The owner of an order never changes.
  const [known] = await findOrders(tx, [orderId]);
  if (known === undefined) return { kind: 'not_found' };
  if ((await lockBan(tx, known.accountId))?.isBanned !== false) return { kind: 'owner_banned' };
  const order = await lockOrder(tx, orderId);
  const stop = await findStop(tx, orderId);
  if (order === undefined || stop === undefined) return { kind: 'unchanged' };
  await liftStop(tx, orderId);
  // After lost access or removals the owner must fix the cause first.
  if (stop.wasActive && order.pauseReason === 'owner') await changeOrderStatus(tx, { orderId, to: 'active', at });
  return { kind: 'done' };
}
