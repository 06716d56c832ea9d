import { createBatcher } from '../../core/batcher.ts';
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
  /** What these orders are, active or not; the ids that no order has are missing from the answer. */
  lookup(orderIds: readonly number[]): Promise<ReadonlyMap<number, Order>>;
  /** Reads these orders again. */
  reload(orderIds: readonly number[]): Promise<void>;
  reloadAll(): Promise<void>;
  /** The writer found no room: stop proposing the order until there is some. */
  markFull(orderId: number): void;
}

interface Entry {
  readonly order: Order;
  readonly score: number;
}

/** Orders that are asked for by id are remembered, up to this many, until they change. */
const MAX_KNOWN = 200_000;
const EVERYTHING = 'everything';

export function createOrderBook(db: Queryable, today: () => string): OrderBook {
  let entries = new Map<number, Entry>();
  let sorted: readonly Entry[] | undefined;
  const known = new Map<number, Order>();
  let changes = 0;

  // One reading after another: an older one that ends later would bring back what a newer one has replaced.
  const readings = createBatcher<number | typeof EVERYTHING, void>({
    async run(wanted) {
      await (wanted.includes(EVERYTHING)
        ? readEverything()
        : readSome([...new Set(wanted.filter((id) => id !== EVERYTHING))]));
      return wanted.map(() => undefined);
    },
  });

  async function readEverything(): Promise<void> {
    changes++;
    known.clear();
    entries = await entriesFor(await listActiveOrders(db));
    sorted = undefined;
  }

  async function readSome(orderIds: readonly number[]): Promise<void> {
    changes++;
    for (const id of orderIds) known.delete(id);
    const fresh = await entriesFor((await findOrders(db, orderIds)).filter((order) => order.status === 'active'));
    for (const id of orderIds) {
      const entry = fresh.get(id);
      if (entry === undefined) entries.delete(id);
      else entries.set(id, entry);
    }
    sorted = undefined;
  }

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

    async lookup(orderIds) {
      const missing = orderIds.filter((id) => !known.has(id));
      const before = changes;
      const read = missing.length === 0 ? [] : await findOrders(db, missing);
      const found = new Map(read.map((order) => [order.id, order]));
      for (const id of orderIds) {
        const order = known.get(id);
        if (order !== undefined) found.set(id, order);
      }
      if (known.size + read.length > MAX_KNOWN) known.clear();
      // What changed while the answer was on its way is used once and not kept.
      if (changes === before) for (const order of read) known.set(order.id, order);
      return found;
    },

    async reload(orderIds) {
      await Promise.all(orderIds.map((id) => readings.submit(id)));
    },
    reloadAll: () => readings.submit(EVERYTHING),

    markFull(orderId) {
      entries.delete(orderId);
      // A slot may have been freed in the meantime. If this reading fails, the next regular one will do.
      readings.submit(orderId).catch(() => undefined);
    },
  };
}
