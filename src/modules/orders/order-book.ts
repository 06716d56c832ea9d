import { setImmediate as nextTurn } from 'node:timers/promises';
import { batchOf } from '../../core/batcher.ts';
import { businessDay, type Clock } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';
import { escrow, readBalances } from '../ledger/index.ts';
import { buildMatchIndex, type Facts, type MatchIndex, type Ranked } from '../targeting/index.ts';
import { approvalPercent, isExternal, type Order, type OrderProgress, openSlots } from './order.ts';
import { slotsByTimetable } from './pacing.ts';
import { readNextActive, readProgress } from './progress-store.ts';
import { rankingScore } from './ranking.ts';
import { findOrders, listActiveOrders } from './store.ts';

/** Why an active order is not shown at the moment. */
export type Availability = 'open' | 'out_of_budget' | 'paced';

interface BookedOrder extends Ranked {
  readonly order: Order;
  readonly availability: Availability;
  /** The share of users whom the advertiser's side approves, once it has answered a few times. */
  readonly approvalPercent: number | undefined;
}

/**
 * The active orders in memory, with an index over those that have room. It only proposes: whether an order can really
 * take another task is decided under its lock when the task is written, so a book that is a moment behind costs a
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
  /** The approval rate of an active order that only its advertiser's side can check, when it is known. */
  approvalPercent(orderId: number): number | undefined;
  /** Reads these orders again. */
  reload(orderIds: readonly number[]): Promise<void>;
  reloadAll(): Promise<void>;
  /**
   * Looks at the next few orders again, round and round: how far they are and, where that changed, what they are. Answers
   * which share of the book it was.
   */
  refresh(): Promise<number>;
  /** The writer found no room: stop proposing the order until there is some. */
  markFull(orderId: number): void;
}

/** Orders that are asked for by id are remembered, up to this many, until they change. */
const MAX_KNOWN = 200_000;
/** Changed orders are looked at one by one until there are this many; then the index is built anew. */
const MAX_PENDING = 256;
/** A full reading lets requests through after so many orders. */
const CHUNK = 5_000;
/** As many as can be looked at again without anybody noticing. */
const SLICE = 100;
/** Fewer answers of an advertiser's side say nothing. */
const SHOWN_FROM_ANSWERS = 5;
const EVERYTHING = 'everything';
const NEXT = 'next';
type Reading = number | typeof EVERYTHING | typeof NEXT;

export function createOrderBook(db: Queryable, clock: Clock): OrderBook {
  let booked = new Map<number, BookedOrder>();
  let index: MatchIndex<BookedOrder> = buildMatchIndex([]);
  /** Whether orders earn more or less by now than when the index was built. */
  let isRankOld = false;
  const known = new Map<number, Order>();
  let changes = 0;
  /** Where the round of looking again is: the last order looked at, and those that are still to come. */
  let lookedAt = 0;
  let toCome = new Set<number>();

  // One reading after another: an older one that ends later would bring back what a newer one has replaced.
  const readings = batchOf(runReadings);

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
    // What is asked for by id is nearly always an active order. Forgotten only now, so that nobody has to ask meanwhile.
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
      next.map(({ progress }) => escrow(progress.orderId)),
    );
    const changed: number[] = [];
    const now = clock.now();
    for (const { progress, version } of next) {
      const id = progress.orderId;
      toCome.delete(id);
      const order = booked.get(id)?.order;
      if (order?.version === version) put(entryOf(order, progress, escrowOf(escrow(id)), now));
      else changed.push(id);
    }
    const isLast = next.length < SLICE;
    if (isLast) changed.push(...toCome); // active no more
    if (changed.length > 0) await readSome(changed);
    lookedAt = next.at(-1)?.progress.orderId ?? 0;
    if (!isLast) return SLICE / booked.size;
    if (isRankOld) rank();
    beginRound();
    return 1;
  }

  function beginRound(): void {
    lookedAt = 0;
    toCome = new Set(booked.keys());
  }

  /** What is in the index stays where it stands there: only a new ranking moves it. */
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
    const progress = await readProgress(db, ids);
    const escrowOf = await readBalances(db, ids.map(escrow));
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
    async reloadAll() {
      await readings.submit(EVERYTHING);
    },
    refresh: () => readings.submit(NEXT),

    markFull(orderId) {
      index.remove(orderId);
      // A slot may have been freed in the meantime. If this reading fails, the next regular one will do.
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
