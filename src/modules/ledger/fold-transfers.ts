import { type Clock, DAY_MS } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import { inPieces } from '../../core/in-pieces.ts';
import { foldBatch } from './fold-store.ts';

/** How long a transfer can be looked up one by one. */
export const TRANSFER_DAYS = 400;
const BATCH = 1_000;

/**
 * Replaces transfers older than that by the sums they came to, one an account, so that every balance can still be proved
 * (decision 0040). Any number of processes may do it beside each other and beside traffic; each batch is one
 * transaction, so whoever is killed leaves the books as they were before a batch or after it. Answers how many it folded.
 */
export async function foldTransfers(
  { db, clock }: { readonly db: Queryable; readonly clock: Clock },
  signal?: AbortSignal,
  batch = BATCH,
): Promise<number> {
  const olderThan = new Date(clock.now().getTime() - TRANSFER_DAYS * DAY_MS);
  return inPieces(
    async () => {
      const count = await foldBatch(db, olderThan, batch);
      return { count, hasMore: count > 0 };
    },
    { signal },
  );
}
