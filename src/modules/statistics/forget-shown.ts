import { businessDay, type Clock, DAY_MS } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import { runInChunks } from '../../core/run-in-chunks.ts';
import { deleteShown } from './days-store.ts';

/** How long the daily numbers of shown tasks are kept: longer than the longest report. */
export const SHOWN_DAYS = 400;
const BATCH = 1_000;
const ORDERS_AT_ONCE = 200;

/** Deletes older days. `order_progress` keeps the total of every order. Returns the number of deleted rows. */
export async function forgetShown(
  { db, clock }: { readonly db: Queryable; readonly clock: Clock },
  signal?: AbortSignal,
  limit = BATCH,
): Promise<number> {
  const beforeDay = businessDay(new Date(clock.now().getTime() - SHOWN_DAYS * DAY_MS));
  let afterOrderId = 0;
  return runInChunks(
    async () => {
      const { count, lastOrderId } = await deleteShown(db, { afterOrderId, orders: ORDERS_AT_ONCE, beforeDay, limit });
      if (count < limit) afterOrderId = lastOrderId ?? afterOrderId;
      return { count, hasMore: count === limit || lastOrderId !== null };
    },
    { signal },
  );
}
