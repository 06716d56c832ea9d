import type { Transaction } from '../../../core/database.ts';
import { findTerms } from '../../orders/index.ts';
import { capOf } from '../../quality/index.ts';
import { readCountedBySource } from '../counters-store.ts';
import { type ConfirmedTask, ENDLESS, type Room } from './find-slots.ts';

/**
 * Reads how much of its share of an order each source has left. The caller holds the lock of each order, under which all
 * subscriptions of the order are counted, so the share is exact. Without a capped source it makes no query.
 */
export async function capSources(tx: Transaction, confirms: readonly ConfirmedTask[]): Promise<Room> {
  const capped = confirms.filter(({ orderShare }) => orderShare !== null);
  if (capped.length === 0) return ENDLESS;
  const [terms, counted] = await Promise.all([
    findTerms(tx, [...new Set(capped.map(({ orderId }) => orderId))]),
    readCountedBySource(tx, capped),
  ]);
  const quantityOf = new Map(terms.map(({ id, quantity }) => [id, quantity]));
  const taken = new Map<string, number>();
  const keyOf = ({ botId, orderId }: ConfirmedTask): string => `${botId}:${orderId}`;
  return {
    has(confirm) {
      const { orderId, orderShare } = confirm;
      if (orderShare === null) return true;
      const key = keyOf(confirm);
      return (counted.get(key) ?? 0) + (taken.get(key) ?? 0) < capOf(quantityOf.get(orderId) ?? 0, orderShare);
    },
    take(confirm) {
      const key = keyOf(confirm);
      taken.set(key, (taken.get(key) ?? 0) + 1);
    },
  };
}
