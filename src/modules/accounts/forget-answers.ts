import { type Clock, DAY_MS } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import { runInChunks } from '../../core/run-in-chunks.ts';
import { deleteResults } from './idempotency-store.ts';

/**
 * How long an Idempotency-Key is kept. Programs repeat a request within minutes, but a button of the management bot
 * keeps its key as long as its message is in the chat.
 */
export const ANSWER_DAYS = 400;
const BATCH = 1_000;

/** Deletes the stored results of older requests. Returns the number of deleted results. */
export async function forgetAnswers(
  { db, clock }: { readonly db: Queryable; readonly clock: Clock },
  signal?: AbortSignal,
  batch = BATCH,
): Promise<number> {
  const storedBefore = new Date(clock.now().getTime() - ANSWER_DAYS * DAY_MS);
  return runInChunks(
    async () => {
      const count = await deleteResults(db, storedBefore, batch);
      return { count, hasMore: count === batch };
    },
    { signal },
  );
}
