import { type Clock, DAY_MS } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import { runInChunks } from '../../core/run-in-chunks.ts';
import { deleteSignals } from './signal-store.ts';
import { SIGNAL_DAYS } from './signals.ts';

const BATCH = 1_000;

/** Deletes signals of users and sampled checks that are too old to be used. Returns how many. */
export async function forgetSignals(
  { db, clock }: { readonly db: Queryable; readonly clock: Clock },
  signal?: AbortSignal,
  batch = BATCH,
): Promise<number> {
  const before = new Date(clock.now().getTime() - SIGNAL_DAYS * DAY_MS);
  return runInChunks(
    async () => {
      const count = await deleteSignals(db, before, batch);
      return { count, hasMore: count >= batch };
    },
    { signal },
  );
}
