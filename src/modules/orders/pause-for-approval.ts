import type { Transaction } from '../../core/database.ts';
import { recordNotices } from '../notices/index.ts';
import { publishOrders } from './change-order.ts';
import { approvalPercent } from './order.ts';
import { readProgress } from './progress-store.ts';
import { findOrders, setStatus } from './store.ts';

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
  const paused = (await findOrders(tx, [...low.keys()])).filter(({ status }) => status === 'active');
  if (paused.length === 0) return;
  const pausedIds = paused.map(({ id }) => id);
  await setStatus(tx, { orderIds: pausedIds, status: 'paused', pauseReason: 'low_approval', closedAt: null });
  await publishOrders(tx, pausedIds);
  await recordNotices(
    tx,
    paused.map(({ id, accountId, title }) => ({
      accountId,
      kind: 'order_low_approval' as const,
      data: { order_id: id, title, percent: low.get(id) ?? 0 },
    })),
    now,
  );
}
