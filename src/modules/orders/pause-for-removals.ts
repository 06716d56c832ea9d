import type { Transaction } from '../../core/database.ts';
import { publishOrders } from './change-order.ts';
import type { Order } from './order.ts';
import { addRemovals, clearRemovals } from './progress-store.ts';
import { findOrders, setStatus } from './store.ts';

/** Every large chat bans somebody now and then: an order pauses from this many removals on … */
const LEAST_REMOVALS = 3;
/** … when they are also at least this share of the subscriptions that it has. */
const LEAST_SHARE_PERCENT = 5;

export interface PausedForRemovals {
  readonly order: Order;
  readonly removals: number;
}

/**
 * Counts users whom administrators removed within their window, one entry per user, and pauses the orders that have too
 * many of them. The caller holds the locks of `lockProgress`.
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
