import { type Clock, DAY_MS } from '../../../core/clock.ts';
import type { Queryable } from '../../../core/database.ts';
import { runInChunks } from '../../../core/run-in-chunks.ts';
import { deleteTasks } from './forget-store.ts';

/** How long a decided task is kept after its confirm, and a settled one after its settlement. */
export const TASK_DAYS = 180;
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
  let afterOrderId = 0;
  return runInChunks(
    async () => {
      const { count, lastOrderId } = await deleteTasks(db, { afterOrderId, orders: ORDERS_AT_ONCE, before, limit });
      // After a full batch some of these orders may have more, so they are read again.
      if (count < limit) afterOrderId = lastOrderId ?? afterOrderId;
      return { count, hasMore: count === limit || lastOrderId !== null };
    },
    { signal },
  );
}
