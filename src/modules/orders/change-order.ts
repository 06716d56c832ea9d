import { publishChanges } from '../../core/changes.ts';
import { formatTimestamp } from '../../core/clock.ts';
import type { Transaction } from '../../core/database.ts';
import { type Kopecks, toRubles } from '../../core/money.ts';
import { lockFunds } from '../accounts/index.ts';
import type { NewEvent } from '../events/index.ts';
import { escrow, orderRefundedTransfer, orderToppedUpTransfer, postTransfers, readBalances } from '../ledger/index.ts';
import { chargeFor, type Filters } from '../targeting/index.ts';
import {
  canBecome,
  isClosed,
  MAX_ORDER_QUANTITY,
  type Order,
  type OrderStatus,
  type PauseReason,
  subscribersOf,
} from './order.ts';
import { findFinishedOrders, lockProgress, numberRefunds, readProgress } from './progress-store.ts';
import { findStop } from './stop-store.ts';
import {
  addQuantity,
  findOrders,
  listActiveOrdersOfResource,
  saveExcludedBots,
  saveFilters,
  setStatus,
} from './store.ts';

export type ChangeOutcome =
  | { readonly kind: 'changed'; readonly from: OrderStatus }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'not_allowed'; readonly status: OrderStatus }
  /** An operator stopped it: only an operator lets it go on. */
  | { readonly kind: 'stopped' }
  | { readonly kind: 'not_found' };

/**
 * Moves an order to another status. Tasks shown before keep their reservation and are paid; a closed order gives back
 * at once what no task was promised, and the rest as those tasks end.
 */
export async function changeOrderStatus(
  tx: Transaction,
  {
    orderId,
    to,
    pauseReason = 'owner',
    at,
  }: {
    orderId: number;
    to: OrderStatus;
    pauseReason?: PauseReason;
    at: Date;
  },
): Promise<ChangeOutcome> {
  const order = await lockOrder(tx, orderId);
  if (order === undefined) return { kind: 'not_found' };
  if (to === 'active' && (await findStop(tx, orderId)) !== undefined) return { kind: 'stopped' };
  if (order.status === to) return { kind: 'unchanged' };
  if (!canBecome(order.status, to)) return { kind: 'not_allowed', status: order.status };

  await setStatus(tx, {
    orderIds: [orderId],
    status: to,
    pauseReason: to === 'paused' ? pauseReason : null,
    closedAt: isClosed(to) ? at : null,
  });
  await refundClosedOrders(tx, [orderId], at);
  await publishOrders(tx, [orderId]);
  return { kind: 'changed', from: order.status };
}

export type TopUpOutcome =
  | { readonly kind: 'topped_up'; readonly paidKopecks: Kopecks }
  | { readonly kind: 'insufficient_funds'; readonly neededKopecks: Kopecks; readonly availableKopecks: Kopecks }
  | { readonly kind: 'not_allowed'; readonly status: OrderStatus }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'not_found' };

/** Buys more subscriptions at the order's present charge. `key` names the request, so that a repeat buys nothing. */
export async function topUpOrder(
  tx: Transaction,
  { orderId, quantity, key, at }: { orderId: number; quantity: number; key: string; at: Date },
): Promise<TopUpOutcome> {
  const order = await lockOrder(tx, orderId);
  if (order === undefined) return { kind: 'not_found' };
  if (isClosed(order.status)) return { kind: 'not_allowed', status: order.status };

  if (order.quantity + quantity > MAX_ORDER_QUANTITY) return { kind: 'too_large' };

  const neededKopecks = order.chargeKopecks * BigInt(quantity);
  const { withdrawableKopecks: availableKopecks } = await lockFunds(tx, order.accountId);
  if (availableKopecks < neededKopecks) return { kind: 'insufficient_funds', neededKopecks, availableKopecks };

  const topUp = orderToppedUpTransfer({ orderId, accountId: order.accountId, amountKopecks: neededKopecks, key });
  const posted = await postTransfers(tx, [topUp], at);
  if (posted.size > 0) await addQuantity(tx, orderId, quantity);
  await publishOrders(tx, [orderId]);
  return { kind: 'topped_up', paidKopecks: neededKopecks };
}

/** Other filters, other charge: for tasks shown from now on. Those already made keep the price they were made at. */
export async function changeFilters(
  tx: Transaction,
  { orderId, filters }: { orderId: number; filters: Filters },
): Promise<ChangeOutcome> {
  const order = await lockOrder(tx, orderId);
  if (order === undefined) return { kind: 'not_found' };
  if (isClosed(order.status)) return { kind: 'not_allowed', status: order.status };
  await saveFilters(tx, orderId, { filters, chargeKopecks: chargeFor(order.priceKopecks, filters) });
  await publishOrders(tx, [orderId]);
  return { kind: 'changed', from: order.status };
}

/** The advertiser does not want users of these bots (any more). */
export async function excludeSources(
  tx: Transaction,
  { orderId, botIds }: { orderId: number; botIds: readonly number[] },
): Promise<ChangeOutcome> {
  const order = await lockOrder(tx, orderId);
  if (order === undefined) return { kind: 'not_found' };
  await saveExcludedBots(tx, orderId, botIds);
  await publishOrders(tx, [orderId]);
  return { kind: 'changed', from: order.status };
}

/** Our bot can no longer see who belongs to the resource: nothing of it is shown until its owner has mended that. */
export async function pauseForLostAccess(tx: Transaction, resourceId: number): Promise<Order[]> {
  const candidates = await listActiveOrdersOfResource(tx, resourceId);
  const orderIds = candidates.map((order) => order.id);
  await lockProgress(tx, orderIds);
  const paused = (await findOrders(tx, orderIds)).filter((order) => order.status === 'active');
  const pausedIds = paused.map((order) => order.id);
  await setStatus(tx, { orderIds: pausedIds, status: 'paused', pauseReason: 'access_lost', closedAt: null });
  await publishOrders(tx, pausedIds);
  return paused;
}

/**
 * Completes those of the orders that have delivered everything for good, and returns what closed ones need no more.
 * Answers what their owners are to be told: the caller records it with its own events, as the last thing it does.
 */
export async function closeFinishedOrders(
  tx: Transaction,
  orderIds: readonly number[],
  at: Date,
): Promise<readonly NewEvent[]> {
  if (orderIds.length === 0) return [];
  const finished = await findFinishedOrders(tx, orderIds);
  if (finished.length > 0) {
    await setStatus(tx, { orderIds: finished, status: 'completed', pauseReason: null, closedAt: at });
    await publishOrders(tx, finished);
  }
  await refundClosedOrders(tx, orderIds, at);
  return finished.length === 0 ? [] : completedEvents(tx, finished, at);
}

async function completedEvents(tx: Transaction, orderIds: readonly number[], at: Date): Promise<NewEvent[]> {
  const [orders, progress] = [await findOrders(tx, orderIds), await readProgress(tx, orderIds)];
  return orders.flatMap((order) => {
    const counters = progress.get(order.id);
    if (counters === undefined) return [];
    return {
      accountId: order.accountId,
      type: 'order.completed' as const,
      data: {
        order_id: order.id,
        name: order.name,
        status: 'completed' as const,
        subscribers: subscribersOf(counters),
        spent: toRubles(counters.spentKopecks),
        completed_at: formatTimestamp(at),
      },
    };
  });
}

/** A closed order keeps what its open tasks were promised and nothing else. */
async function refundClosedOrders(tx: Transaction, orderIds: readonly number[], at: Date): Promise<void> {
  const closed = (await findOrders(tx, orderIds)).filter((order) => isClosed(order.status));
  if (closed.length === 0) return;
  const ids = closed.map((order) => order.id);
  const progress = await readProgress(tx, ids);
  const escrowOf = await readBalances(tx, ids.map(escrow));
  const surplus = closed
    .map((order) => ({ order, kopecks: escrowOf(escrow(order.id)) - (progress.get(order.id)?.reservedKopecks ?? 0n) }))
    .filter(({ kopecks }) => kopecks > 0n);
  if (surplus.length === 0) return;
  const numbers = await numberRefunds(
    tx,
    surplus.map(({ order }) => order.id),
  );
  await postTransfers(
    tx,
    surplus.map(({ order: { id: orderId, accountId }, kopecks }) =>
      orderRefundedTransfer({ orderId, accountId, amountKopecks: kopecks, number: numbers.get(orderId) ?? 0 }),
    ),
    at,
  );
}

/** Makes every process reload these orders into its order book after the commit. */
export async function publishOrders(tx: Transaction, orderIds: readonly number[]): Promise<void> {
  await publishChanges(tx, ...orderIds.map((id) => ({ kind: 'order' as const, id })));
}

/** The order as it is once nobody else can change it: locked first, read after. */
export async function lockOrder(tx: Transaction, orderId: number): Promise<Order | undefined> {
  await lockProgress(tx, [orderId]);
  const [order] = await findOrders(tx, [orderId]);
  return order;
}
