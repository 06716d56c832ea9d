import { type Clock, DAY_MS } from '../../../core/clock.ts';
import type { Database, Queryable } from '../../../core/database.ts';
import { sumOverPartitions } from '../../../core/partitions.ts';
import { runInChunks } from '../../../core/run-in-chunks.ts';
import { deleteMemberships, listMemberships } from '../../audience/index.ts';
import { deleteLists, deleteTasks, findIdleMemberships } from './forget-store.ts';
import { scanTable } from './scan-store.ts';

/** How long a decided task is kept after its confirm, and a settled one after its settlement. */
export const TASK_DAYS = 180;
/** Rows per transaction. */
const BATCH = 1_000;
/** Each order costs one index lookup, even when it has no old task. */
const ORDERS_AT_ONCE = 200;

export interface ForgetTasksDeps {
  readonly db: Queryable;
  readonly clock: Clock;
  /** Returns the start of the earliest running contest, which still counts settlements; null without one. */
  readonly neededSince: () => Promise<Date | null>;
}

/**
 * Deletes old tasks in a final state. Their money stays in the ledger, their figures in the totals, and their users in
 * `counted_subscriptions`. Returns how many there were.
 */
export async function forgetTasks(
  { db, clock, neededSince }: ForgetTasksDeps,
  signal?: AbortSignal,
  limit = BATCH,
): Promise<number> {
  const aged = new Date(clock.now().getTime() - TASK_DAYS * DAY_MS);
  const needed = await neededSince();
  const before = needed !== null && needed < aged ? needed : aged;
  return sumOverPartitions(db, 'tasks', (partition, withinMs) => {
    let afterOrderId = 0;
    return runInChunks(
      async () => {
        const piece = { partition, afterOrderId, orders: ORDERS_AT_ONCE, before, limit };
        const { count, lastOrderId } = await deleteTasks(db, piece);
        // After a full batch some of these orders may have more, so they are read again.
        if (count < limit) afterOrderId = lastOrderId ?? afterOrderId;
        return { count, hasMore: count === limit || lastOrderId !== null };
      },
      { signal, withinMs },
    );
  });
}

/**
 * How long a list is kept after its round. Much shorter than TASK_DAYS: a list must not outlive the rows of its done
 * tasks, because only the rows know whether a task was rejected since.
 */
export const LIST_DAYS = 30;

/** Deletes lists whose round ended long ago and that have no reservation. Returns how many there were. */
export async function forgetLists(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  signal?: AbortSignal,
  limit = BATCH,
): Promise<number> {
  const now = clock.now();
  const endedBefore = new Date(now.getTime() - LIST_DAYS * DAY_MS);
  return scanTable(
    { db, now },
    'task_lists',
    (tx, after, partition) => deleteLists(tx, { partition, after, endedBefore, limit }),
    signal,
  );
}

/** How long a membership is kept after its last observation. Longer than TASK_DAYS, because settlement reads it. */
export const MEMBERSHIP_DAYS = 400;

/** Deletes memberships that no decision needs (see `findIdleMemberships`). Returns how many there were. */
export async function forgetMemberships(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  signal?: AbortSignal,
  limit = BATCH,
): Promise<number> {
  const now = clock.now();
  const observedBefore = new Date(now.getTime() - MEMBERSHIP_DAYS * DAY_MS);
  return scanTable(
    { db, now },
    'memberships',
    async (tx, { userId, otherId }, partition) => {
      const page = await listMemberships(tx, { partition, after: { userId, chatId: otherId }, limit });
      const old = page.filter(({ observedAt }) => observedAt < observedBefore);
      const count = await deleteMemberships(tx, await findIdleMemberships(tx, old), { partition, observedBefore });
      const last = page.length < limit ? undefined : page.at(-1);
      return { count, last: last && { userId: last.userId, otherId: last.chatId } };
    },
    signal,
  );
}
