import { addDays, type Clock } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import { ROWS_AT_ONCE, runFullChunks } from '../../core/run-in-chunks.ts';
import { deleteCheckRequests, deleteMarks, deleteOpenings } from './store.ts';

/** Marks of an earlier month cannot be compared with new ones, so they are of little use after that month. */
const MARK_DAYS = 60;
/** The longest window in which a request decides about a reward, with time to spare. */
const REQUEST_DAYS = 90;

/** Deletes old device marks, used init data and requests for the human check. Returns the number of deleted rows. */
export async function forgetDevices(
  { db, clock }: { readonly db: Queryable; readonly clock: Clock },
  signal?: AbortSignal,
  limit = ROWS_AT_ONCE,
): Promise<number> {
  const now = clock.now();
  const daysAgo = (days: number): Date => addDays(now, -days);
  let total = 0;
  for (const forget of [
    () => deleteMarks(db, daysAgo(MARK_DAYS), limit),
    () => deleteOpenings(db, now, limit),
    () => deleteCheckRequests(db, daysAgo(REQUEST_DAYS), limit),
  ]) {
    total += await runFullChunks(limit, forget, { signal });
  }
  return total;
}
