import { addSeconds, businessDay, type Clock, DAY_MS, HOUR_MS, SECOND_MS } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import { closeDays } from './platform-store.ts';

const DAY_SECONDS = DAY_MS / SECOND_MS;

/**
 * A fact is written a little after the moment it carries. A day that ended this long ago will hardly get another; should
 * it get one all the same, the database sums the day up again.
 */
const GRACE_SECONDS = HOUR_MS / SECOND_MS;

/** Each day closed takes a lock in the server's memory, of which there are a few thousand. */
const BATCH = 100;

/** The first of the `days` business days that end with today. */
export function firstDayOf(days: number, now: Date): string {
  return businessDay(addSeconds(now, -(days - 1) * DAY_SECONDS));
}

/** The last day that ended long enough ago to be closed. */
function lastDayToClose(now: Date): string {
  return businessDay(addSeconds(now, -GRACE_SECONDS - DAY_SECONDS));
}

/**
 * Sums up the days that are over, one row each, so that nobody has to add them up again. Any number of processes may do
 * it at any time: what one has in hand the others leave. Answers how many days were closed.
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
