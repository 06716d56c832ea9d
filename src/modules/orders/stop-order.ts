import type { Transaction } from '../../core/database.ts';
import { lockBan } from '../accounts/index.ts';
import { changeOrderStatus, lockOrder } from './change-order.ts';
import { isClosed, type OrderStatus } from './order.ts';
import { findStop, liftStop, saveStop } from './stop-store.ts';
import { findOrders } from './store.ts';

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
