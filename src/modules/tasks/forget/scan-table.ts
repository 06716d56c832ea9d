import type { Database, Transaction } from '../../../core/database.ts';
import { runInChunks } from '../../../core/run-in-chunks.ts';
import { keepPlace, type Place, takePlace } from './cursor-store.ts';

/** A page of the table behind `after`: what was forgotten of it, and its last row, none when it was the last page. */
export type VisitPage = (
  tx: Transaction,
  after: Place,
) => Promise<{ readonly count: number; readonly last: Place | undefined }>;

/**
 * Walks over a table that has no index by time, page by page, each with its place in one transaction. Goes on where the
 * last run ended, in whatever process; at the end it rests for a day. Answers how many rows were forgotten.
 */
export async function walkOver(
  { db, now }: { readonly db: Database; readonly now: Date },
  name: string,
  visit: VisitPage,
  signal: AbortSignal | undefined,
): Promise<number> {
  return runInChunks(
    () =>
      db.transaction(async (tx) => {
        const after = await takePlace(tx, name, now);
        if (after === undefined) return { count: 0, hasMore: false };
        const { count, last } = await visit(tx, after);
        await keepPlace(tx, name, last, now);
        return { count, hasMore: last !== undefined };
      }),
    { signal },
  );
}
