import type { Database, Transaction } from '../../../core/database.ts';
import { runInChunks } from '../../../core/run-in-chunks.ts';
import { type Cursor, lockCursor, saveCursor } from './cursor-store.ts';

/** Handles one page after the cursor. Returns the deleted rows and the page's last row, undefined for the last page. */
export type VisitPage = (
  tx: Transaction,
  after: Cursor,
) => Promise<{ readonly count: number; readonly last: Cursor | undefined }>;

/**
 * Scans a table that has no index by time, one page with its cursor per transaction. A scan continues where the last run
 * of any process stopped. Returns how many rows were deleted.
 */
export async function scanTable(
  { db, now }: { readonly db: Database; readonly now: Date },
  name: string,
  visit: VisitPage,
  signal: AbortSignal | undefined,
): Promise<number> {
  return runInChunks(
    () =>
      db.transaction(async (tx) => {
        const after = await lockCursor(tx, name, now);
        if (after === undefined) return { count: 0, hasMore: false };
        const { count, last } = await visit(tx, after);
        await saveCursor(tx, name, last, now);
        return { count, hasMore: last !== undefined };
      }),
    { signal },
  );
}
