import { addDays, type Clock } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import { ROWS_AT_ONCE, runInChunks } from '../../core/run-in-chunks.ts';
import { foldBatch } from './store.ts';

/** How long single transfers are kept. */
export const TRANSFER_DAYS = 400;

/**
 * Replaces older transfers by one sum per account, so that every balance can still be recomputed (decision 0040). Several
 * processes may do it at once, and beside traffic. Each batch is one transaction, so a crash leaves whole batches. Returns
 * how many transfers it folded.
 */
export async function foldTransfers(
  { db, clock }: { readonly db: Queryable; readonly clock: Clock },
  signal?: AbortSignal,
  limit = ROWS_AT_ONCE,
): Promise<number> {
  const olderThan = addDays(clock.now(), -TRANSFER_DAYS);
  return runInChunks(
    async () => {
      const count = await foldBatch(db, olderThan, limit);
      return { count, hasMore: count > 0 };
    },
    { signal },
  );
}
