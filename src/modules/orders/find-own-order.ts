import { formatTimestamp } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import { type Kopecks, toRubles } from '../../core/money.ts';
import { escrow, readBalances } from '../ledger/index.ts';
import { conversionPercent, isExternal, type Order, type OrderProgress, subscribersOf } from './order.ts';
import { readProgress } from './progress-store.ts';
import { orderNotFound } from './refusals.ts';
import { findOrders } from './store.ts';

export interface OwnOrderRef {
  readonly accountId: number;
  readonly orderId: number;
}

/** Returns the order. Throws `order_not_found` also for an order of another account. */
export async function findOwnOrder(db: Queryable, { accountId, orderId }: OwnOrderRef): Promise<Order> {
  const [order] = await findOrders(db, [orderId]);
  if (order === undefined || order.accountId !== accountId) throw orderNotFound(orderId);
  return order;
}

/** An order with its counters and its escrow. */
export interface OrderState {
  readonly order: Order;
  readonly progress: OrderProgress;
  readonly escrowKopecks: Kopecks;
}

export async function readOwnOrder(db: Queryable, ref: OwnOrderRef): Promise<OrderState> {
  const [state] = await readOrderStates(db, [await findOwnOrder(db, ref)]);
  if (state === undefined) throw orderNotFound(ref.orderId);
  return state;
}

export async function readOrderStates(db: Queryable, orders: readonly Order[]): Promise<OrderState[]> {
  const ids = orders.map((order) => order.id);
  const [progressOf, escrowOf] = await Promise.all([readProgress(db, ids), readBalances(db, ids.map(escrow))]);
  return orders.flatMap((order) => {
    const progress = progressOf.get(order.id);
    return progress === undefined ? [] : [{ order, progress, escrowKopecks: escrowOf(escrow(order.id)) }];
  });
}

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
    ...(order.filters.min_quality !== undefined && { min_quality: order.filters.min_quality.min }),
    ...(order.filters.scored_source === true && { scored_sources_only: true }),
    ...(isExternal(order.resource) && { postback: postbackOf(order.id) }),
  }));
}
