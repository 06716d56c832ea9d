import { addSeconds, businessDay, type Clock, DAY_MS, HOUR_MS, SECOND_MS } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import { closeDays } from './platform-store.ts';

const DAY_SECONDS = DAY_MS / SECOND_MS;

/**
 * A row is written a little after the time that it carries, so a day is closed with this delay. If a row arrives even
 * later, the database sums the day up again.
 */
const GRACE_SECONDS = HOUR_MS / SECOND_MS;

/** Closing a day takes one lock of PostgreSQL's lock table, which has room for a few thousand. */
const BATCH = 100;

/** Returns the first of the `days` business days that end with today. */
export function firstDayOf(days: number, now: Date): string {
  return businessDay(addSeconds(now, -(days - 1) * DAY_SECONDS));
}

/** Returns the last day that can be closed. */
function lastDayToClose(now: Date): string {
  return businessDay(addSeconds(now, -GRACE_SECONDS - DAY_SECONDS));
}

/**
 * Sums up each past day in one row, so that reports need not add up its facts again. Several processes may do it at once;
 * each skips the days that another one closes. Returns how many days it closed.
 */
export async function closePlatformDays(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  signal?: AbortSignal,
): Promise<number> {
  const last = lastDayToClose(clock.now());
  let closed = 0;
  for (let batch = BATCH; batch === BATCH && signal?.aborted !== true; closed += batch) {
    batch = await closeDays(db, last, BATCH);
  }
  return closed;
}
