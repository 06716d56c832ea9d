import { type Clock, DAY_MS } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import { runInChunks } from '../../core/run-in-chunks.ts';
import { deleteAnswers } from './idempotency-store.ts';

/**
 * For how long a request that comes again with its Idempotency-Key is known. Programs repeat within minutes, but a button
 * of the management bot carries its key for as long as its message stands in somebody's chat.
 */
export const ANSWER_DAYS = 400;
const BATCH = 1_000;

/** Forgets the answers to requests older than that. Answers how many there were. */
export async function forgetAnswers(
  { db, clock }: { readonly db: Queryable; readonly clock: Clock },
  signal?: AbortSignal,
  batch = BATCH,
): Promise<number> {
  const givenBefore = new Date(clock.now().getTime() - ANSWER_DAYS * DAY_MS);
  return runInChunks(
    async () => {
      const count = await deleteAnswers(db, givenBefore, batch);
      return { count, hasMore: count === batch };
    },
    { signal },
  );
}
