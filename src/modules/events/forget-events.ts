import { type Clock, DAY_MS } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import { lowestEventId } from './event-id.ts';
import { deleteEvents } from './store.ts';

/** How long an event can be read and replayed. The last retry of a delivery comes after 28 hours. */
export const EVENT_DAYS = 30;
const BATCH = 1_000;

/** Deletes older events in small batches. Returns the number of deleted events. */
export async function forgetOldEvents(deps: { db: Database; clock: Clock }, signal?: AbortSignal): Promise<number> {
  const belowId = lowestEventId(new Date(deps.clock.now().getTime() - EVENT_DAYS * DAY_MS));
  let forgotten = 0;
  while (signal?.aborted !== true) {
    const count = await deleteEvents(deps.db, belowId, BATCH);
    forgotten += count;
    if (count < BATCH) break;
  }
  return forgotten;
}
