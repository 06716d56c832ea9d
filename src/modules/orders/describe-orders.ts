import { formatTimestamp } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import { toRubles } from '../../core/money.ts';
import { escrow, readBalances } from '../ledger/index.ts';
import { conversionPercent, isExternal, type Order, subscribersOf } from './order.ts';
import { readProgress } from './progress-store.ts';

export interface Postback {
  readonly url: string;
  readonly secret: string;
}

/** Orders as the API shows them to their owner. */
export async function describeOrders(
  db: Queryable,
  orders: readonly Order[],
  postbackOf: (orderId: number) => Postback,
) {
  const ids = orders.map((order) => order.id);
  const [progress, escrowOf] = await Promise.all([readProgress(db, ids), readBalances(db, ids.map(escrow))]);
  return orders.flatMap((order) => {
    const counters = progress.get(order.id);
    if (counters === undefined) return [];
    return [
      {
        order_id: order.id,
        name: order.name,
        status: order.status,
        price_per_sub: toRubles(order.priceKopecks),
        charge_per_sub: toRubles(order.chargeKopecks),
        subscribers: subscribersOf(counters),
        spent: toRubles(counters.spentKopecks),
        remainder: toRubles(escrowOf(escrow(order.id))),
        remaining_subscribers: Math.max(0, order.quantity - counters.countedCount),
        cr_pct: conversionPercent(counters),
        created_at: formatTimestamp(order.createdAt),
        ...(isExternal(order.resource) && { postback: postbackOf(order.id) }),
      },
    ];
  });
}
