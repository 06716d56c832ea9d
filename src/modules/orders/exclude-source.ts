import type { Transaction } from '../../core/database.ts';
import { type ChangeOutcome, lockOrder, publishOrders } from './change-order.ts';
import { saveExcludedBots } from './store.ts';

/** Excludes one bot from an order or allows it again. */
export async function excludeSource(
  tx: Transaction,
  { orderId, botId, isExcluded }: { orderId: number; botId: number; isExcluded: boolean },
): Promise<ChangeOutcome> {
  const order = await lockOrder(tx, orderId);
  if (order === undefined) return { kind: 'not_found' };
  const others = [...order.excludedBotIds].filter((id) => id !== botId);
  await saveExcludedBots(tx, orderId, isExcluded ? [...others, botId] : others);
  await publishOrders(tx, [orderId]);
  return { kind: 'changed', from: order.status };
}
