import type { Transaction } from '../../core/database.ts';
import { recordNotices } from '../notices/index.ts';
import { publishOrders } from './change-order.ts';
import { approvalPercent } from './order.ts';
import { readProgress } from './progress-store.ts';
import { findOrders, setStatus } from './store.ts';

/** A few refusals are nothing unusual: an order is judged from this many answers on … */
const LEAST_ANSWERS = 10;
/** … and pauses when its side approves less than this. */
const LEAST_PERCENT = 20;

/**
 * Pauses those of these orders whose advertiser's side hardly ever approves a user, and tells their owners: a side that
 * never answers would get its traffic for nothing. The caller holds the locks of `lockProgress`.
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
