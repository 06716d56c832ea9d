import type { Queryable } from '../../core/database.ts';
import { escrow, readBalances } from '../ledger/index.ts';
import { type Order, openSlots } from './order.ts';
import { readProgress } from './progress-store.ts';
import { rankingScore } from './ranking.ts';
import { findOrders, listActiveOrders } from './store.ts';

/**
 * The active orders in memory, best first. It only proposes: whether an order can really take another task is decided
 * under its lock when the offer is written, so a book that is a moment behind costs a retry and never money.
 */
export interface OrderBook {
  /** Active orders that had room when last seen, best first. */
  ranked(): Iterable<Order>;
  /** Reads these orders again. */
  reload(orderIds: readonly number[]): Promise<void>;
  reloadAll(): Promise<void>;
  /** The writer found no room: stop proposing the order until something changes. */
  markFull(orderId: number): void;
}

interface Entry {
  readonly order: Order;
  readonly score: number;
}

export function createOrderBook(db: Queryable, today: () => string): OrderBook {
  let entries = new Map<number, Entry>();
  let sorted: readonly Entry[] | undefined;

  async function entriesFor(orders: readonly Order[]): Promise<Map<number, Entry>> {
    const ids = orders.map((order) => order.id);
    const progress = await readProgress(db, ids);
    const escrowOf = await readBalances(db, ids.map(escrow));
    const open = new Map<number, Entry>();
    for (const order of orders) {
      const counters = progress.get(order.id);
      if (counters === undefined) continue;
      if (openSlots(order, counters, escrowOf(escrow(order.id)), today()) < 1) continue;
      open.set(order.id, { order, score: rankingScore(order, counters) });
    }
    return open;
  }

  return {
    *ranked() {
      sorted ??= [...entries.values()].sort((a, b) => b.score - a.score || a.order.id - b.order.id);
      for (const entry of sorted) if (entries.has(entry.order.id)) yield entry.order;
    },

    async reload(orderIds) {
      const found = (await findOrders(db, orderIds)).filter((order) => order.status === 'active');
      const fresh = await entriesFor(found);
      for (const id of orderIds) {
        const entry = fresh.get(id);
        if (entry === undefined) entries.delete(id);
        else entries.set(id, entry);
      }
      sorted = undefined;
    },

    async reloadAll() {
      entries = await entriesFor(await listActiveOrders(db));
      sorted = undefined;
    },

    markFull(orderId) {
      entries.delete(orderId);
    },
  };
}
