import { addSeconds, DAY_MS, SECOND_MS } from '../../../core/clock.ts';
import type { Database, Transaction } from '../../../core/database.ts';
import { sumOverPartitions } from '../../../core/partitions.ts';
import { runInChunks } from '../../../core/run-in-chunks.ts';

/**
 * Handles one page of a partition after the cursor. Returns the deleted rows and the page's last row, undefined for the last
 * page.
 */
export type VisitPage = (
  tx: Transaction,
  after: Cursor,
  partition: string,
) => Promise<{ readonly count: number; readonly last: Cursor | undefined }>;

/**
 * Scans a table that has no index by time, partition by partition, one page with its cursor per transaction. A scan
 * continues where the last run of any process stopped. Returns how many rows were deleted.
 */
export async function scanTable(
  { db, now }: { readonly db: Database; readonly now: Date },
  table: string,
  visit: VisitPage,
  signal: AbortSignal | undefined,
): Promise<number> {
  return sumOverPartitions(db, table, (name, withinMs) =>
    scanPartition({ db, now }, name, visit, { signal, withinMs }),
  );
}

function scanPartition(
  { db, now }: { readonly db: Database; readonly now: Date },
  name: string,
  visit: VisitPage,
  limits: { readonly signal: AbortSignal | undefined; readonly withinMs: number },
): Promise<number> {
  return runInChunks(
    () =>
      db.transaction(async (tx) => {
        const after = await lockCursor(tx, name, now);
        if (after === undefined) return { count: 0, hasMore: false };
        const { count, last } = await visit(tx, after, name);
        await saveCursor(tx, name, last, now);
        return { count, hasMore: last !== undefined };
      }),
    limits,
  );
}

/** The last row that a scan has read, in a table whose key starts with the user. */
export interface Cursor {
  readonly userId: number;
  readonly otherId: number;
}

/** How long a finished scan pauses before it starts again. */
const PAUSE_SECONDS = DAY_MS / SECOND_MS;

/**
 * Locks the cursor of a scan. Returns undefined while the scan pauses or another process runs it. There is one row per
 * partition or whole table, and its lock grants the scan until the end of the transaction.
 */
async function lockCursor(tx: Transaction, scan: string, now: Date): Promise<Cursor | undefined> {
  // The condition avoids an INSERT that would wait for the holder of the row.
  await tx.query(
    `INSERT INTO job_cursors (job) SELECT $1 WHERE NOT EXISTS (SELECT FROM job_cursors WHERE job = $1) ON CONFLICT DO NOTHING`,
    [scan],
  );
  const [row] = await tx.query<{ user_id: bigint; second_id: bigint; paused_until: Date | null }>(
    'SELECT user_id, second_id, paused_until FROM job_cursors WHERE job = $1 FOR UPDATE SKIP LOCKED',
    [scan],
  );
  if (row === undefined || (row.paused_until !== null && row.paused_until > now)) return undefined;
  return { userId: Number(row.user_id), otherId: Number(row.second_id) };
}

/** Stores the cursor. Undefined means that the scan has reached the end of the table. */
async function saveCursor(tx: Transaction, scan: string, cursor: Cursor | undefined, now: Date): Promise<void> {
  const pausedUntil = cursor === undefined ? addSeconds(now, PAUSE_SECONDS) : null;
  await tx.query('UPDATE job_cursors SET user_id = $2, second_id = $3, paused_until = $4 WHERE job = $1', [
    scan,
    cursor?.userId ?? 0,
    cursor?.otherId ?? 0,
    pausedUntil,
  ]);
}
