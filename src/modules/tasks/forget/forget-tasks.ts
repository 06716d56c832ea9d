import { type Clock, DAY_MS } from '../../../core/clock.ts';
import type { Queryable } from '../../../core/database.ts';
import { runInChunks } from '../../../core/run-in-chunks.ts';
import { deleteTasks } from './forget-store.ts';

/** How long what became of a task can be looked up, from when it was confirmed; a settled one from when it was settled. */
export const TASK_DAYS = 180;
const BATCH = 1_000;
/** An order costs one look into an index, whether or not anything of it is old. */
const ORDERS_AT_ONCE = 200;

export interface ForgetTasksDeps {
  readonly db: Queryable;
  readonly clock: Clock;
  /** Since when settlements are still being counted, by a contest that runs; null when nobody counts. */
  readonly neededSince: () => Promise<Date | null>;
}

/**
 * Forgets tasks that are long over: settled, reversed or not counted. Their money stands in the ledger, their figures in
 * the totals, and that the user was counted stays in `counted_subscriptions` for ever. Answers how many there were.
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
      // A full batch may have left some of these orders behind; they are looked at again.
      if (count < limit) afterOrderId = lastOrderId ?? afterOrderId;
      return { count, hasMore: count === limit || lastOrderId !== null };
    },
    { signal },
  );
}
