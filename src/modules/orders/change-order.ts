import { publishChanges } from '../../core/changes.ts';
import { formatTimestamp } from '../../core/clock.ts';
import type { Transaction } from '../../core/database.ts';
import { type Kopecks, toRubles } from '../../core/money.ts';
import { lockFunds } from '../accounts/index.ts';
import type { NewEvent } from '../events/index.ts';
import { escrow, orderRefundedTransfer, orderToppedUpTransfer, postTransfers, readBalances } from '../ledger/index.ts';
import { chargeFor, type Filters } from '../targeting/index.ts';
import { findStop } from './moderation-store.ts';
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
import { addQuantity, findOrders, saveExcludedBots, saveFilters, saveTimetable, setStatus } from './store.ts';

export type ChangeOutcome =
  | { readonly kind: 'changed'; readonly from: OrderStatus }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'not_allowed'; readonly status: OrderStatus }
  /** An operator stopped the order, and only an operator can resume it. */
  | { readonly kind: 'stopped' }
  | { readonly kind: 'not_found' };

/**
 * Moves an order to another status. Tasks that are already shown keep their reservation and are paid. A closed order
 * refunds its unreserved money at once, and the rest as those tasks end.
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

/**
 * Buys more subscriptions at the current charge of the order. `key` identifies the request, so a repeat buys nothing.
 */
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

/** Locks an order and saves a change of its terms. A closed order refuses it. */
async function changeTerms(
  tx: Transaction,
  orderId: number,
  save: (order: Order) => Promise<void>,
): Promise<ChangeOutcome> {
  const order = await lockOrder(tx, orderId);
  if (order === undefined) return { kind: 'not_found' };
  if (isClosed(order.status)) return { kind: 'not_allowed', status: order.status };
  await save(order);
  await publishOrders(tx, [orderId]);
  return { kind: 'changed', from: order.status };
}

/** Changes the filters, and with them the charge, for tasks shown from now on. Existing tasks keep their charge. */
export function changeFilters(
  tx: Transaction,
  { orderId, filters }: { orderId: number; filters: Filters },
): Promise<ChangeOutcome> {
  return changeTerms(tx, orderId, ({ priceKopecks }) =>
    saveFilters(tx, orderId, { filters, chargeKopecks: chargeFor(priceKopecks, filters) }),
  );
}

export type Timetable = Pick<Order, 'dailyLimit' | 'activeHours' | 'paceEvenly'>;

/** Changes the daily limit, the active hours and the pacing. Omitted fields keep their value. */
export function changeTimetable(
  tx: Transaction,
  { orderId, change }: { orderId: number; change: Partial<Timetable> },
): Promise<ChangeOutcome> {
  return changeTerms(tx, orderId, (order) => {
    const { dailyLimit, activeHours, paceEvenly } = { ...order, ...change };
    // Pacing spreads the daily limit, so it needs one.
    return saveTimetable(tx, orderId, { dailyLimit, activeHours, paceEvenly: paceEvenly && dailyLimit !== null });
  });
}

/** Replaces the list of bots whose users the advertiser does not want. */
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

/** Excludes one bot from an order or allows it again. */
export async function excludeSource(
  tx: Transaction,
  { orderId, botId, isExcluded }: { orderId: number; botId: number; isExcluded: boolean },
): Promise<ChangeOutcome> {
  const order = await lockOrder(tx, orderId);
  const others = [...(order?.excludedBotIds ?? [])].filter((id) => id !== botId);
  return excludeSources(tx, { orderId, botIds: isExcluded ? [...others, botId] : others });
}

/**
 * Completes the orders whose subscriptions are all delivered and final, and refunds the surplus of closed orders.
 * Returns the events for their owners; the caller stores them with its own events in its last writes.
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

/** Refunds everything that the open tasks of a closed order have not reserved. */
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

/** Locks the order and then reads it, so that no other transaction can change the returned state. */
export async function lockOrder(tx: Transaction, orderId: number): Promise<Order | undefined> {
  await lockProgress(tx, [orderId]);
  const [order] = await findOrders(tx, [orderId]);
  return order;
}
