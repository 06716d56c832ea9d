import { publishChanges } from '../../core/changes.ts';
import type { Transaction } from '../../core/database.ts';
import { recordNotices } from '../notices/index.ts';
import { changeOrderStatus, publishOrders } from './change-order.ts';
import { approvalPercent, isClosed, type Order, type PauseReason } from './order.ts';
import { addRemovals, clearRemovals, lockProgress, readProgress } from './progress-store.ts';
import { moveResource, setChecker } from './resource-store.ts';
import { findOrders, listOrdersOfAccount, listOrdersOfResource, setStatus } from './store.ts';

/** Pauses those of the orders that are active, and returns them. The caller holds the locks of `lockProgress`. */
async function pauseActive(tx: Transaction, orderIds: readonly number[], pauseReason: PauseReason): Promise<Order[]> {
  const paused = (await findOrders(tx, orderIds)).filter(({ status }) => status === 'active');
  const pausedIds = paused.map(({ id }) => id);
  await setStatus(tx, { orderIds: pausedIds, status: 'paused', pauseReason, closedAt: null });
  await publishOrders(tx, pausedIds);
  return paused;
}

async function lockAndPause(tx: Transaction, orders: readonly Order[], pauseReason: PauseReason): Promise<Order[]> {
  const orderIds = orders.filter(({ status }) => status === 'active').map(({ id }) => id);
  await lockProgress(tx, orderIds);
  return pauseActive(tx, orderIds, pauseReason);
}

/** Pauses all active orders of an account, with the reason `owner`. Returns the paused orders. */
export async function pauseOrdersOf(tx: Transaction, accountId: number): Promise<number[]> {
  return (await lockAndPause(tx, await listOrdersOfAccount(tx, accountId), 'owner')).map(({ id }) => id);
}

/**
 * Pauses the active orders of a resource whose members our bot can no longer check, until their owner restores the
 * access.
 */
export async function pauseForLostAccess(tx: Transaction, resourceId: number): Promise<Order[]> {
  return lockAndPause(tx, await listOrdersOfResource(tx, resourceId), 'access_lost');
}

/** Gives the channel to another bot; null is the management bot. The order books of all processes follow. */
export async function assignChecker(
  tx: Transaction,
  { resourceId, checkerId }: { readonly resourceId: number; readonly checkerId: number | null },
): Promise<void> {
  await setChecker(tx, resourceId, checkerId);
  // Closed orders too: their unsettled subscriptions are still checked.
  const orders = await listOrdersOfResource(tx, resourceId);
  await publishOrders(
    tx,
    orders.map(({ id }) => id),
  );
}

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
  const orderIds = orders.map(({ id }) => id);
  await publishOrders(tx, orderIds);
  // Another account may have advertised the chat by its new id.
  const accountIds = [...new Set(orders.map(({ accountId }) => accountId))];
  await publishChanges(tx, ...accountIds.map((id) => ({ kind: 'advertiser' as const, id })));
  return orders;
}

/** The least number of replies before the approval rate counts: a few rejections are normal. */
const LEAST_ANSWERS = 10;
/** An order with a lower approval rate is paused. */
const LEAST_PERCENT = 20;

/**
 * Pauses the orders whose advertiser's side approves too few users, and notifies their owners. Otherwise a side that
 * never replies would get free traffic. The caller holds the locks of `lockProgress`.
 */
export async function pauseForLowApproval(tx: Transaction, orderIds: readonly number[], now: Date): Promise<void> {
  if (orderIds.length === 0) return;
  const low = new Map<number, number>();
  for (const progress of (await readProgress(tx, orderIds)).values()) {
    const percent = approvalPercent(progress, LEAST_ANSWERS);
    if (percent !== undefined && percent < LEAST_PERCENT) low.set(progress.orderId, percent);
  }
  if (low.size === 0) return;
  const notices = (await pauseActive(tx, [...low.keys()], 'low_approval')).map(({ id, accountId, title }) => ({
    accountId,
    kind: 'order_low_approval' as const,
    data: { order_id: id, title, percent: low.get(id) ?? 0 },
  }));
  await recordNotices(tx, notices, now);
}

/** The least number of removals that pauses an order: every large chat bans a user now and then. */
const LEAST_REMOVALS = 3;
/** The removals must also be at least this share of the order's subscriptions. */
const LEAST_SHARE_PERCENT = 5;

/**
 * Counts users that administrators removed within the window, one entry per user, and pauses the orders with too many
 * removals. The caller holds the locks of `lockProgress`.
 */
export async function pauseForRemovals(
  tx: Transaction,
  orderIds: readonly number[],
): Promise<{ readonly order: Order; readonly removals: number }[]> {
  const counters = await addRemovals(tx, orderIds);
  const removalsOf = new Map(
    counters
      .filter(({ removed, counted }) => removed >= LEAST_REMOVALS && removed * 100 >= counted * LEAST_SHARE_PERCENT)
      .map(({ orderId, removed }) => [orderId, removed]),
  );
  const paused = await pauseActive(tx, [...removalsOf.keys()], 'removals');
  const pausedIds = paused.map(({ id }) => id);
  await clearRemovals(tx, pausedIds);
  return paused.map((order) => ({ order, removals: removalsOf.get(order.id) ?? 0 }));
}
