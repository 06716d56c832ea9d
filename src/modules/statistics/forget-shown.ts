import { addDays, businessDay, type Clock } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import { ROWS_AT_ONCE, runByOwner } from '../../core/run-in-chunks.ts';
import { deleteShown } from './days-store.ts';

/** How long the daily numbers of shown tasks are kept: longer than the longest report. */
export const SHOWN_DAYS = 400;
const ORDERS_AT_ONCE = 200;

/** Deletes older days. `order_progress` keeps the total of every order. Returns the number of deleted rows. */
export async function forgetShown(
  { db, clock }: { readonly db: Queryable; readonly clock: Clock },
  signal?: AbortSignal,
  limit = ROWS_AT_ONCE,
): Promise<number> {
  const beforeDay = businessDay(addDays(clock.now(), -SHOWN_DAYS));
  return runByOwner(
    limit,
    (afterOrderId) => deleteShown(db, { afterOrderId, orders: ORDERS_AT_ONCE, beforeDay, limit }),
    { signal },
  );
}
