import type { OrderBook } from '../../orders/index.ts';
import type { TaskWithOrder } from './describe-tasks.ts';
import { renewalDue, type TaskRequest } from './plan-tasks.ts';
import type { StoredList } from './show-store.ts';

/**
 * The last tasks of repeat callers. Bots call on every message, and the tasks stay the same while the list keeps its
 * version, no task is due for renewal and the orders look the same. Every request compares the version with PostgreSQL
 * (`readShowFacts`), so a change by another process is never missed.
 */
export interface TaskCache {
  /** Whether tasks of the user in any bot are cached. */
  has(userId: number): boolean;
  /** Returns the tasks for the request; valid only if the list still has that version. */
  get(request: TaskRequest): CachedTasks | undefined;
  /** Stores the tasks of an unchanged list. */
  set(list: StoredList, request: TaskRequest, tasks: readonly TaskWithOrder[]): void;
}

interface CachedTasks {
  readonly version: number;
  readonly tasks: readonly TaskWithOrder[];
}

interface Entry extends CachedTasks {
  readonly botId: number;
  readonly max: number;
  /** When the round ends or the first task is due for renewal. */
  readonly validUntilMs: number;
}

/** Users; about 30 MB. */
const MAX_USERS = 20_000;

export function createTaskCache(book: Pick<OrderBook, 'looksTheSame'>): TaskCache {
  const entries = new Map<number, Entry>();

  return {
    has: (userId) => entries.has(userId),

    get({ userId, botId, action, max, now }) {
      const entry = entries.get(userId);
      if (entry === undefined || action !== 'subscribe' || entry.botId !== botId || entry.max !== max) return undefined;
      if (entry.validUntilMs <= now.getTime()) return undefined;
      return entry.tasks.every(({ order }) => book.looksTheSame(order)) ? entry : undefined;
    },

    set({ userId, botId, round, version, lostOrders }, { max, reservationSeconds }, tasks) {
      if (round === undefined || version === undefined || lostOrders.length > 0) return;
      entries.delete(userId); // moves the user to the end, away from eviction
      const [oldest] = entries.size < MAX_USERS ? [] : entries.keys();
      if (oldest !== undefined) entries.delete(oldest);
      const renewals = tasks.map(({ task }) => renewalDue(task, reservationSeconds).getTime());
      entries.set(userId, { botId, version, max, validUntilMs: Math.min(round.endsAt.getTime(), ...renewals), tasks });
    },
  };
}
