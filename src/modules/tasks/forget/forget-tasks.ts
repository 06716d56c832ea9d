import { addDays, type Clock } from '../../../core/clock.ts';
import type { Database, Queryable } from '../../../core/database.ts';
import { sumOverPartitions } from '../../../core/partitions.ts';
import { ROWS_AT_ONCE, runByOwner } from '../../../core/run-in-chunks.ts';
import { deleteMemberships, listMemberships } from '../../audience/index.ts';
import { deleteLists, deleteTasks, findIdleMemberships } from './forget-store.ts';
import { scanTable } from './scan-store.ts';

/** How long a decided task is kept after its confirm, and a settled one after its settlement. */
export const TASK_DAYS = 180;
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
  limit = ROWS_AT_ONCE,
): Promise<number> {
  const aged = addDays(clock.now(), -TASK_DAYS);
  const needed = await neededSince();
  const before = needed !== null && needed < aged ? needed : aged;
  return sumOverPartitions(db, 'tasks', (partition, withinMs) =>
    runByOwner(
      limit,
      (afterOrderId) => deleteTasks(db, { partition, afterOrderId, orders: ORDERS_AT_ONCE, before, limit }),
      { signal, withinMs },
    ),
  );
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
  limit = ROWS_AT_ONCE,
): Promise<number> {
  const now = clock.now();
  const endedBefore = addDays(now, -LIST_DAYS);
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
  limit = ROWS_AT_ONCE,
): Promise<number> {
  const now = clock.now();
  const observedBefore = addDays(now, -MEMBERSHIP_DAYS);
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
