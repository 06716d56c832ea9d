import { setTimeout as sleep } from 'node:timers/promises';
import type { Gauge } from 'prom-client';
import type { Clock } from '../core/clock.ts';
import type { Queryable } from '../core/database.ts';
import { toRubles } from '../core/money.ts';
import { CASE_KINDS, readOpenCases } from '../modules/cases/index.ts';
import type { Availability, OrderBook } from '../modules/orders/index.ts';
import { readTasksToExpire, readTasksToSettle } from '../modules/tasks/index.ts';
import { readDeliveriesDue } from '../modules/webhooks/index.ts';

export interface Sources {
  readonly db: Queryable & { connections(): { total: number; idle: number; waiting: number } };
  /** The service's clock, which decides what is due. */
  readonly clock: Clock;
  readonly book: Pick<OrderBook, 'active'>;
  /** Absent when the service uses no Redis; `redis_up` is absent too then. */
  readonly redis: { readonly isUp: boolean } | undefined;
  /** The flood waits of Telegram that are not over yet. */
  readonly floods: { current(): { readonly chats: number; readonly callers: number } };
}

/** Scrapes within this time share one read of the database, so that frequent scrapes add no load. */
const FRESH_MS = 5_000;
/** When the database takes longer, the page reports it as down and shows the other metrics without waiting. */
const PATIENCE_MS = 2_000;

type MakeGauge = (name: string, help: string, labelNames?: readonly string[]) => Gauge;

/** Creates the gauges of the current state. Returns a function that updates them; it never throws. */
export function watchState(gauge: MakeGauge, { db, clock, book, floods, redis }: Sources): () => Promise<void> {
  const pool = gauge('database_connections', 'Connections of the pool of this process.', ['state']);
  const waiting = gauge('database_waiting', 'Statements that wait for a connection.');
  const orders = gauge('orders_in_book', 'Active orders, by whether they can be shown now.', ['availability']);
  const waits = gauge('telegram_flood_waits', 'Flood waits of Telegram that last, by what must not be asked.', [
    'scope',
  ]);
  const redisIsUp =
    redis && gauge('redis_up', '1 while limits are shared over Redis, 0 while this process counts for itself.');
  const isUp = gauge('database_up', '1 when the figures of what is due could be read.');
  const due = gauge('tasks_due', 'Tasks that are due and not done; counted up to 10,000.', ['work']);
  const dueAge = gauge('tasks_due_oldest_seconds', 'How long the oldest of them is due; 0 when none is.', ['work']);
  const deliveries = gauge('webhook_deliveries_due', 'Deliveries that wait for a sender.', ['receiver']);
  const openCases = gauge('cases_open', 'Undecided cases of suspected fraud.', ['kind']);
  const caseAge = gauge('cases_oldest_seconds', 'How long the oldest undecided case waits; 0 when none does.', [
    'kind',
  ]);
  const caseRisk = gauge('cases_risk_rubles', 'Money at risk in undecided cases.', ['kind']);
  const lag = gauge('webhook_lag_seconds', 'How long the oldest of them waits; 0 when none does.', ['receiver']);

  function showMemory(): void {
    const { total, idle, waiting: queued } = db.connections();
    pool.set({ state: 'idle' }, idle);
    pool.set({ state: 'busy' }, total - idle);
    waiting.set(queued);
    redisIsUp?.set(redis?.isUp === true ? 1 : 0);
    const { chats, callers } = floods.current();
    waits.set({ scope: 'chat' }, chats);
    waits.set({ scope: 'bot' }, callers);
    const counts: Record<Availability, number> = { open: 0, out_of_budget: 0, paced: 0 };
    for (const { availability } of book.active()) counts[availability]++;
    for (const [availability, count] of Object.entries(counts)) orders.set({ availability }, count);
  }

  async function readDue(): Promise<void> {
    const now = clock.now();
    const secondsSince = (at: Date | null): number => (at === null ? 0 : (now.getTime() - at.getTime()) / 1000);
    const [settle, expire, webhooks, cases] = await Promise.all([
      readTasksToSettle(db, now),
      readTasksToExpire(db, now),
      readDeliveriesDue(db, now),
      readOpenCases(db),
    ]);
    for (const [work, { count, oldestDueAt }] of Object.entries({ settle, expire })) {
      due.set({ work }, count);
      dueAge.set({ work }, secondsSince(oldestDueAt));
    }
    for (const kind of CASE_KINDS) {
      const found = cases.find((one) => one.kind === kind);
      openCases.set({ kind }, found?.count ?? 0);
      caseAge.set({ kind }, secondsSince(found?.oldestAt ?? null));
      caseRisk.set({ kind }, toRubles(found?.riskKopecks ?? 0n));
    }
    for (const isFailing of [false, true]) {
      const receiver = isFailing ? 'failing' : 'answering';
      const found = webhooks.find((backlog) => backlog.isFailing === isFailing);
      deliveries.set({ receiver }, found?.count ?? 0);
      lag.set({ receiver }, secondsSince(found?.oldestDueAt ?? null));
    }
  }

  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<boolean> | undefined;

  /** Shares one read between concurrent scrapes, so that a slow database does not get more queries. */
  function startReading(): Promise<boolean> {
    reading ??= readDue()
      .then(
        () => {
          readAt = performance.now();
          return true;
        },
        () => false,
      )
      .finally(() => {
        reading = undefined;
      });
    return reading;
  }

  async function isRead(): Promise<boolean> {
    if (performance.now() - readAt < FRESH_MS) return true;
    const patience = new AbortController();
    const giveUp = sleep(PATIENCE_MS, false, { signal: patience.signal }).catch(() => false);
    try {
      return await Promise.race([startReading(), giveUp]);
    } finally {
      patience.abort();
    }
  }

  return async () => {
    showMemory();
    const succeeded = await isRead();
    isUp.set(succeeded ? 1 : 0);
    // Delete the old values: they would look like a service without a backlog.
    if (!succeeded) for (const old of [due, dueAge, deliveries, lag, openCases, caseAge, caseRisk]) old.reset();
  };
}
