import type { Transaction } from '../../core/database.ts';
import { publishOrders } from './change-order.ts';
import { lockProgress } from './progress-store.ts';
import { findOrders, listOrdersOfAccount, setStatus } from './store.ts';

/** Pauses all active orders of an account, with the reason `owner`. Returns the paused orders. */
export async function pauseOrdersOf(tx: Transaction, accountId: number): Promise<number[]> {
  const active = (await listOrdersOfAccount(tx, accountId)).filter(({ status }) => status === 'active');
  const orderIds = active.map(({ id }) => id).sort((a, b) => a - b);
  await lockProgress(tx, orderIds);
  const paused = (await findOrders(tx, orderIds)).filter(({ status }) => status === 'active').map(({ id }) => id);
  await setStatus(tx, { orderIds: paused, status: 'paused', pauseReason: 'owner', closedAt: null });
  await publishOrders(tx, paused);
  return paused;
}
