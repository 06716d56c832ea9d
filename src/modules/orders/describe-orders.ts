import { formatTimestamp } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import { toRubles } from '../../core/money.ts';
import { readOrderStates } from './find-own-order.ts';
import { conversionPercent, isExternal, type Order, subscribersOf } from './order.ts';

export interface Postback {
  readonly url: string;
  readonly secret: string;
}

/** Returns orders in the form in which the API shows them to their owner. */
export async function describeOrders(
  db: Queryable,
  orders: readonly Order[],
  postbackOf: (orderId: number) => Postback,
) {
  return (await readOrderStates(db, orders)).map(({ order, progress, escrowKopecks }) => ({
    order_id: order.id,
    name: order.name,
    status: order.status,
    price_per_sub: toRubles(order.priceKopecks),
    charge_per_sub: toRubles(order.chargeKopecks),
    subscribers: subscribersOf(progress),
    spent: toRubles(progress.spentKopecks),
    remainder: toRubles(escrowKopecks),
    remaining_subscribers: Math.max(0, order.quantity - progress.countedCount),
    cr_pct: conversionPercent(progress),
    created_at: formatTimestamp(order.createdAt),
    ...(isExternal(order.resource) && { postback: postbackOf(order.id) }),
  }));
}
