import { type Clock, DAY_MS } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import { runInChunks } from '../../core/run-in-chunks.ts';
import { deleteValues } from './forget-store.ts';
import { LEARNED_FOR_DAYS } from './user-store.ts';

const BATCH = 1_000;

/** Deletes learned values that are too old to be used. Returns the number of deleted values. */
export async function forgetValues(
  { db, clock }: { readonly db: Queryable; readonly clock: Clock },
  signal?: AbortSignal,
  batch = BATCH,
): Promise<number> {
  const learnedBefore = new Date(clock.now().getTime() - LEARNED_FOR_DAYS * DAY_MS);
  return runInChunks(
    async () => {
      const count = await deleteValues(db, learnedBefore, batch);
      return { count, hasMore: count === batch };
    },
    { signal },
  );
}
