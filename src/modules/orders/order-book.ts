import { setImmediate as nextTurn } from 'node:timers/promises';
import { batchOf } from '../../core/batcher.ts';
import { businessDay, type Clock } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';
import { escrow, readBalances } from '../ledger/index.ts';
import { buildMatchIndex, type Facts, type MatchIndex, type Ranked } from '../targeting/index.ts';
import {
  approvalPercent,
  isExternal,
  type Order,
  type OrderProgress,
  openSlots,
  rankingScore,
  slotsByTimetable,
} from './order.ts';
import { readNextActive, readProgress } from './progress-store.ts';
import { findOrders, listActiveOrders } from './store.ts';

/** Whether an active order is shown at the moment, and otherwise why not. */
export type Availability = 'open' | 'out_of_budget' | 'paced';

interface BookedOrder extends Ranked {
  readonly order: Order;
  readonly availability: Availability;
  /** The share of users that the advertiser's side approves; undefined before it has replied a few times. */
  readonly approvalPercent: number | undefined;
}

/**
 * The cache of active orders, with an index of those that have open slots. It only proposes orders: the writer of a
 * task checks the slots under the lock of the order. A stale order book therefore costs a retry but never money.
 */
export interface OrderBook {
  /** Returns the best orders for a user with these facts, of those that `isWanted` accepts. */
  match(facts: Facts, limit: number, isWanted: (order: Order) => boolean): Order[];
  /** Returns every active order, with or without open slots. */
  active(): Iterable<BookedOrder>;
  /** Returns these orders, active or not. Unknown ids are missing from the result. */
  lookup(orderIds: readonly number[]): Promise<ReadonlyMap<number, Order>>;
  /** Like `lookup`, but synchronous; returns undefined unless all of them are cached. */
  recall(orderIds: readonly number[]): ReadonlyMap<number, Order> | undefined;
  /** Returns whether users still see the order as given here. False if the order is not cached. */
  looksTheSame(order: Order): boolean;
  /** Returns the approval rate of an active order that only the advertiser's side can check, if it is known. */
  approvalPercent(orderId: number): number | undefined;
  /** Reads these orders again from the database. */
  reload(orderIds: readonly number[]): Promise<void>;
  reloadAll(): Promise<void>;
  /**
   * Refreshes the next orders in turn: their counters and, if its version changed, the order itself. Returns the share
   * of the order book that was refreshed.
   */
  refresh(): Promise<number>;
  /** Stops proposing the order until it has open slots again. The writer calls this when it finds none. */
  markFull(orderId: number): void;
}

/** How many orders the cache by id holds. */
const MAX_KNOWN = 200_000;
/** How many changed orders the index holds in its overlay before it is rebuilt. */
const MAX_PENDING = 256;
/** After this many orders a full reading yields to waiting requests. */
const CHUNK = 5_000;
/** How many orders one refresh reads: few enough not to delay requests. */
const SLICE = 100;
/** With fewer replies of the advertiser's side, the approval rate says too little. */
const SHOWN_FROM_ANSWERS = 5;
const EVERYTHING = 'everything';
const NEXT = 'next';
type Reading = number | typeof EVERYTHING | typeof NEXT;

export function createOrderBook(db: Queryable, clock: Clock): OrderBook {
  let booked = new Map<number, BookedOrder>();
  let index: MatchIndex<BookedOrder> = buildMatchIndex([]);
  /** Whether the expected earnings changed since the index was built. */
  let isRankOld = false;
  const known = new Map<number, Order>();
  let changes = 0;
  /** The progress of the refresh: the last order that was read, and the orders that are still to be read. */
  let lookedAt = 0;
  let toCome = new Set<number>();

  // Readings run one after another: an older reading that ends later would overwrite newer data.
  const readings = batchOf(runReadings, { name: 'order_reads' });

  async function runReadings(wanted: readonly Reading[]): Promise<number[]> {
    let share = 1;
    if (wanted.includes(EVERYTHING)) await readEverything();
    else {
      const orderIds = new Set(wanted.filter((item) => typeof item === 'number'));
      if (orderIds.size > 0) await readSome([...orderIds]);
      if (wanted.includes(NEXT)) share = await lookAtNext();
    }
    return wanted.map(() => share);
  }

  async function readEverything(): Promise<void> {
    changes++;
    const orders = await listActiveOrders(db);
    const read = new Map<number, BookedOrder>();
    for (let from = 0; from < orders.length; from += CHUNK) {
      for (const entry of await book(orders.slice(from, from + CHUNK))) read.set(entry.id, entry);
      await nextTurn();
    }
    booked = read;
    rank();
    beginRound();
    // Most lookups by id concern active orders. Clear the cache only now, so that lookups during the reading still hit
    // it.
    known.clear();
    for (const order of orders.slice(0, MAX_KNOWN)) known.set(order.id, order);
  }

  async function readSome(orderIds: readonly number[]): Promise<void> {
    changes++;
    for (const id of orderIds) known.delete(id);
    const found = await findOrders(db, orderIds);
    const fresh = await book(found.filter((order) => order.status === 'active'));
    if (known.size + found.length <= MAX_KNOWN) for (const order of found) known.set(order.id, order);
    for (const id of orderIds) {
      booked.delete(id);
      index.remove(id);
    }
    for (const entry of fresh) put(entry);
    if (index.pending > MAX_PENDING) rank();
  }

  async function lookAtNext(): Promise<number> {
    const next = await readNextActive(db, lookedAt, SLICE);
    const escrowOf = await readBalances(
      db,
      next.map(({ orderId }) => escrow(orderId)),
    );
    const changed: number[] = [];
    const now = clock.now();
    for (const progress of next) {
      const id = progress.orderId;
      toCome.delete(id);
      const { order, availability } = booked.get(id) ?? {};
      const entry =
        order?.version === progress.version ? entryOf(order, progress, escrowOf(escrow(id)), now) : undefined;
      // The money was read after the counters here, so a confirm in between can make it look too low.
      const isDoubtful = availability === 'open' && entry?.availability === 'out_of_budget';
      if (entry === undefined || isDoubtful) changed.push(id);
      else put(entry);
    }
    const isLast = next.length < SLICE;
    if (isLast) changed.push(...toCome); // no longer active
    if (changed.length > 0) await readSome(changed);
    lookedAt = next.at(-1)?.orderId ?? 0;
    if (!isLast) return SLICE / booked.size;
    if (isRankOld) rank();
    beginRound();
    return 1;
  }

  function beginRound(): void {
    lookedAt = 0;
    toCome = new Set(booked.keys());
  }

  /** Keeps the position of an order that is in the index already; a rebuild corrects it. */
  function put(entry: BookedOrder): void {
    const before = booked.get(entry.id);
    booked.set(entry.id, entry);
    if (entry.availability !== 'open') index.remove(entry.id);
    else if (!index.has(entry.id)) index.set(entry);
    else if (before?.score !== entry.score) isRankOld = true;
  }

  function rank(): void {
    index = buildMatchIndex(open(booked.values()));
    isRankOld = false;
  }

  async function book(orders: readonly Order[]): Promise<BookedOrder[]> {
    const ids = orders.map((order) => order.id);
    // Read the money first. A confirm between the two reads then makes the order look too rich, which the reservation
    // corrects. The other way round it would look out of money, and its last slots would not be shown for a while.
    const escrowOf = await readBalances(db, ids.map(escrow));
    const progress = await readProgress(db, ids);
    const now = clock.now();
    return orders.flatMap((order) => {
      const counters = progress.get(order.id);
      return counters === undefined ? [] : [entryOf(order, counters, escrowOf(escrow(order.id)), now)];
    });
  }

  return {
    match: (facts, limit, isWanted) =>
      index.match(facts, limit, ({ order }) => isWanted(order)).map(({ order }) => order),
    active: () => booked.values(),
    approvalPercent: (orderId) => booked.get(orderId)?.approvalPercent,

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
      // An order that was read again is a new object, usually with the same content.
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
      // Do not cache the result if an order changed during the query: it may be stale.
      if (changes === before) for (const order of read) known.set(order.id, order);
      return found;
    },

    async reload(orderIds) {
      await Promise.all(orderIds.map((id) => readings.submit(id)));
    },
    async reloadAll() {
      await readings.submit(EVERYTHING);
    },
    refresh: () => readings.submit(NEXT),

    markFull(orderId) {
      index.remove(orderId);
      // A slot may be free again by now. If this reading fails, the next refresh corrects the entry.
      readings.submit(orderId).catch(() => undefined);
    },
  };
}

function entryOf(order: Order, counters: OrderProgress, escrowKopecks: Kopecks, now: Date): BookedOrder {
  const hasTime = slotsByTimetable(order, counters, now) >= 1;
  const hasRoom = openSlots(order, counters, escrowKopecks, businessDay(now)) >= 1;
  const hasMoney = hasRoom || openSlots({ ...order, dailyLimit: null }, counters, escrowKopecks, '') >= 1;
  const availability: Availability = !hasMoney ? 'out_of_budget' : hasRoom && hasTime ? 'open' : 'paced';
  return {
    id: order.id,
    score: rankingScore(order, counters),
    filters: order.filters,
    order,
    availability,
    approvalPercent: approvalPercent(counters, SHOWN_FROM_ANSWERS),
  };
}

/** Compares all fields of an order that appear in a response to a bot. */
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
