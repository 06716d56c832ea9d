import { type Clock, DAY_MS } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import { runInChunks } from '../../core/run-in-chunks.ts';
import { foldBatch } from './store.ts';

/** How long single transfers are kept. */
export const TRANSFER_DAYS = 400;
const BATCH = 1_000;

/**
 * Replaces older transfers by one sum per account, so that every balance can still be recomputed (decision 0040). Several
 * processes may do it at once, and beside traffic. Each batch is one transaction, so a crash leaves whole batches. Returns
 * how many transfers it folded.
 */
export async function foldTransfers(
  { db, clock }: { readonly db: Queryable; readonly clock: Clock },
  signal?: AbortSignal,
  batch = BATCH,
): Promise<number> {
  const olderThan = new Date(clock.now().getTime() - TRANSFER_DAYS * DAY_MS);
  return runInChunks(
    async () => {
      const count = await foldBatch(db, olderThan, batch);
      return { count, hasMore: count > 0 };
    },
    { signal },
  );
}
