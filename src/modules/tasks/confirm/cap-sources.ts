import type { Transaction } from '../../../core/database.ts';
import { findTerms } from '../../orders/index.ts';
import { capOf } from '../../quality/index.ts';
import { readCountedBySource } from '../counters-store.ts';
import type { ConfirmedTask } from './find-slots.ts';

/**
 * Splits confirms into those within the share of the order that their source may fill, and those beyond it. The caller
 * holds the lock of each order, under which all subscriptions of the order are counted, so the share is exact. Without a
 * capped source it makes no query.
 */
export async function capSources(
  tx: Transaction,
  confirms: readonly ConfirmedTask[],
): Promise<{ readonly within: readonly ConfirmedTask[]; readonly beyond: readonly ConfirmedTask[] }> {
  const capped = confirms.filter(({ orderShare }) => orderShare !== null);
  if (capped.length === 0) return { within: confirms, beyond: [] };
  const [terms, counted] = await Promise.all([
    findTerms(tx, [...new Set(capped.map(({ orderId }) => orderId))]),
    readCountedBySource(tx, capped),
  ]);
  const quantityOf = new Map(terms.map(({ id, quantity }) => [id, quantity]));
  const left = new Map<string, number>();
  const within: ConfirmedTask[] = [];
  const beyond: ConfirmedTask[] = [];
  for (const confirm of confirms) {
    const { botId, orderId, orderShare } = confirm;
    if (orderShare === null) {
      within.push(confirm);
      continue;
    }
    const key = `${botId}:${orderId}`;
    const room = left.get(key) ?? capOf(quantityOf.get(orderId) ?? 0, orderShare) - (counted.get(key) ?? 0);
    left.set(key, room - 1);
    (room >= 1 ? within : beyond).push(confirm);
  }
  return { within, beyond };
}
