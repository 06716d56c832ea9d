import { addSeconds, businessDay, type Clock, DAY_MS, HOUR_MS, SECOND_MS } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import { closeDays } from './platform-store.ts';

const DAY_SECONDS = DAY_MS / SECOND_MS;

/**
 * A row is written shortly after the time that it stores, so a day is closed with this delay. If a row arrives even
 * later, the database recalculates the day.
 */
const GRACE_SECONDS = HOUR_MS / SECOND_MS;

/** Closing a day takes one entry of PostgreSQL's lock table, which holds a few thousand. */
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
 * Stores the sums of each past day in one row, so that reports need not add up its facts again. Several processes may
 * do this at once: each skips the days that another one is closing. Returns the number of closed days.
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
