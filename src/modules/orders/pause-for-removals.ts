import type { Transaction } from '../../core/database.ts';
import { publishOrders } from './change-order.ts';
import type { Order } from './order.ts';
import { addRemovals, clearRemovals } from './progress-store.ts';
import { findOrders, setStatus } from './store.ts';

/** The least number of removals that pauses an order: every large chat bans a user now and then. */
const LEAST_REMOVALS = 3;
/** The removals must also be at least this share of the order's subscriptions. */
const LEAST_SHARE_PERCENT = 5;

export interface PausedForRemovals {
  readonly order: Order;
  readonly removals: number;
}

/**
 * Counts users that administrators removed within the window, one entry per user, and pauses the orders with too many
 * removals. The caller holds the locks of `lockProgress`.
 */
export async function pauseForRemovals(tx: Transaction, orderIds: readonly number[]): Promise<PausedForRemovals[]> {
  const counters = await addRemovals(tx, orderIds);
  const removalsOf = new Map(
    counters
      .filter(({ removed, counted }) => removed >= LEAST_REMOVALS && removed * 100 >= counted * LEAST_SHARE_PERCENT)
      .map(({ orderId, removed }) => [orderId, removed]),
  );
  const paused = (await findOrders(tx, [...removalsOf.keys()])).filter(({ status }) => status === 'active');
  const pausedIds = paused.map(({ id }) => id);
  await setStatus(tx, { orderIds: pausedIds, status: 'paused', pauseReason: 'removals', closedAt: null });
  await clearRemovals(tx, pausedIds);
  await publishOrders(tx, pausedIds);
  return paused.map((order) => ({ order, removals: removalsOf.get(order.id) ?? 0 }));
}
