import { addSeconds, DAY_MS, SECOND_MS } from '../../../core/clock.ts';
import type { Transaction } from '../../../core/database.ts';

/** A place in a table whose key begins with the user. */
export interface Place {
  readonly userId: number;
  readonly otherId: number;
}

/** Once all rows have been looked at, the next look at the first of them is this far away. */
const REST_SECONDS = DAY_MS / SECOND_MS;

/**
 * Where a walk over a table has come to; nothing while it rests, or while somebody else walks. Whoever got the place has
 * it until the end of the transaction.
 */
export async function takePlace(tx: Transaction, walk: string, now: Date): Promise<Place | undefined> {
  // Only where there is none yet: it would wait for whoever holds the row.
  await tx.query(
    `INSERT INTO job_cursors (job) SELECT $1 WHERE NOT EXISTS (SELECT FROM job_cursors WHERE job = $1) ON CONFLICT DO NOTHING`,
    [walk],
  );
  const [row] = await tx.query<{ user_id: bigint; second_id: bigint; paused_until: Date | null }>(
    'SELECT user_id, second_id, paused_until FROM job_cursors WHERE job = $1 FOR UPDATE SKIP LOCKED',
    [walk],
  );
  if (row === undefined || (row.paused_until !== null && row.paused_until > now)) return undefined;
  return { userId: Number(row.user_id), otherId: Number(row.second_id) };
}

/** The walk has come to this place; to the end, when there is none. */
export async function keepPlace(tx: Transaction, walk: string, place: Place | undefined, now: Date): Promise<void> {
  const restsUntil = place === undefined ? addSeconds(now, REST_SECONDS) : null;
  await tx.query('UPDATE job_cursors SET user_id = $2, second_id = $3, paused_until = $4 WHERE job = $1', [
    walk,
    place?.userId ?? 0,
    place?.otherId ?? 0,
    restsUntil,
  ]);
}
