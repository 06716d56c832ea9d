import { addDays, type Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import { ROWS_AT_ONCE, runFullChunks } from '../../core/run-in-chunks.ts';
import { lowestEventId } from './event-id.ts';
import { deleteEvents } from './store.ts';

/** How long an event can be read and replayed. The last retry of a delivery comes after 28 hours. */
export const EVENT_DAYS = 30;

/** Deletes older events in small batches. Returns the number of deleted events. */
export async function forgetOldEvents(deps: { db: Database; clock: Clock }, signal?: AbortSignal): Promise<number> {
  const belowId = lowestEventId(addDays(deps.clock.now(), -EVENT_DAYS));
  return runFullChunks(ROWS_AT_ONCE, () => deleteEvents(deps.db, belowId, ROWS_AT_ONCE), { signal });
}
