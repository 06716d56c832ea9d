import { setImmediate as nextTurn } from 'node:timers/promises';
import { createBatcher } from '../../core/batcher.ts';
import { businessDay, type Clock } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import { escrow, readBalances } from '../ledger/index.ts';
import { buildMatchIndex, type Facts, type MatchIndex, type Ranked } from '../targeting/index.ts';
import { isExternal, type Order, openSlots } from './order.ts';
import { slotsByTimetable } from './pacing.ts';
import { readProgress } from './progress-store.ts';
import { rankingScore } from './ranking.ts';
import { findOrders, listActiveOrders } from './store.ts';

/** Why an active order is not offered at the moment. */
export type Availability = 'open' | 'out_of_budget' | 'paced';

export interface BookedOrder extends Ranked {
  readonly order: Order;
  readonly availability: Availability;
}

/**
 * The active orders in memory, with an index over those that have room. It only proposes: whether an order can really
 * take another task is decided under its lock when the offer is written, so a book that is a moment behind costs a
 * retry and never money.
 */
export interface OrderBook {
  /** The best orders for a user with these facts, of those that `isWanted` agrees to. */
  match(facts: Facts, limit: number, isWanted: (order: Order) => boolean): Order[];
  /** Every active order, with room or without. */
  active(): Iterable<BookedOrder>;
  /** What these orders are, active or not; the ids that no order has are missing from the answer. */
  lookup(orderIds: readonly number[]): Promise<ReadonlyMap<number, Order>>;
  /** The same at once, when all of them are remembered. */
  recall(orderIds: readonly number[]): ReadonlyMap<number, Order> | undefined;
  /** Whether the order still looks to users as it does here. No, when it is not remembered. */
  looksTheSame(order: Order): boolean;
  /** Reads these orders again. */
  reload(orderIds: readonly number[]): Promise<void>;
  reloadAll(): Promise<void>;
  /** The writer found no room: stop proposing the order until there is some. */
  markFull(orderId: number): void;
}

/** Orders that are asked for by id are remembered, up to this many, until they change. */
const MAX_KNOWN = 200_000;
/** Changed orders are looked at one by one until there are this many; then the index is built anew. */
const MAX_PENDING = 256;
/** A full reading lets requests through after so many orders. */
const CHUNK = 5_000;
const EVERYTHING = 'everything';

export function createOrderBook(db: Queryable, clock: Clock): OrderBook {
  let booked = new Map<number, BookedOrder>();
  let index: MatchIndex<BookedOrder> = buildMatchIndex([]);
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
    const orders = await listActiveOrders(db);
    const read = new Map<number, BookedOrder>();
    for (let from = 0; from < orders.length; from += CHUNK) {
      for (const entry of await book(orders.slice(from, from + CHUNK))) read.set(entry.id, entry);
      await nextTurn();
    }
    booked = read;
    index = buildMatchIndex(open(booked.values()));
    // What is asked for by id is nearly always an active order. Forgotten only now, so that nobody has to ask meanwhile.
    known.clear();
    for (const order of orders.slice(0, MAX_KNOWN)) known.set(order.id, order);
  }

  async function readSome(orderIds: readonly number[]): Promise<void> {
    changes++;
    for (const id of orderIds) known.delete(id);
    const fresh = await book((await findOrders(db, orderIds)).filter((order) => order.status === 'active'));
    for (const id of orderIds) {
      booked.delete(id);
      index.remove(id);
    }
    for (const entry of fresh) {
      booked.set(entry.id, entry);
      if (entry.availability === 'open') index.set(entry);
    }
    if (index.pending > MAX_PENDING) index = buildMatchIndex(index.items());
  }

  async function book(orders: readonly Order[]): Promise<BookedOrder[]> {
    const ids = orders.map((order) => order.id);
    const progress = await readProgress(db, ids);
    const escrowOf = await readBalances(db, ids.map(escrow));
    const now = clock.now();
    return orders.flatMap((order) => {
      const counters = progress.get(order.id);
      if (counters === undefined) return [];
      const hasTime = slotsByTimetable(order, counters, now) >= 1;
      const hasRoom = openSlots(order, counters, escrowOf(escrow(order.id)), businessDay(now)) >= 1;
      const hasMoney = openSlots({ ...order, dailyLimit: null }, counters, escrowOf(escrow(order.id)), '') >= 1;
      const availability: Availability = !hasMoney ? 'out_of_budget' : hasRoom && hasTime ? 'open' : 'paced';
      return [{ id: order.id, score: rankingScore(order, counters), filters: order.filters, order, availability }];
    });
  }

  return {
    match: (facts, limit, isWanted) =>
      index.match(facts, limit, ({ order }) => isWanted(order)).map(({ order }) => order),
    active: () => booked.values(),

    recall(orderIds) {
      const found = new Map<number, Order>();
      for (const id of orderIds) {
        const order = known.get(id);
        if (order === undefined) return undefined;
        found.set(id, order);
      }
      return found;
    },

    looksTheSame(order) {
      const now = known.get(order.id);
      // Read anew it is another object, mostly with the same in it.
      return now === order || (now !== undefined && looksLike(now, order));
    },

    async lookup(orderIds) {
      const found = new Map<number, Order>();
      for (const id of orderIds) {
        const order = known.get(id);
        if (order !== undefined) found.set(id, order);
      }
      const missing = orderIds.filter((id) => !found.has(id));
      if (missing.length === 0) return found;

      const before = changes;
      const read = await findOrders(db, missing);
      for (const order of read) found.set(order.id, order);
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
      index.remove(orderId);
      // A slot may have been freed in the meantime. If this reading fails, the next regular one will do.
      readings.submit(orderId).catch(() => undefined);
    },
  };
}

/** Everything of an order that an answer to a bot is made of. */
function looksLike(a: Order, b: Order): boolean {
  return (
    a.link === b.link &&
    a.title === b.title &&
    a.resource.id === b.resource.id &&
    isExternal(a.resource) === isExternal(b.resource)
  );
}

function* open(entries: Iterable<BookedOrder>): Iterable<BookedOrder> {
  for (const entry of entries) if (entry.availability === 'open') yield entry;
}
