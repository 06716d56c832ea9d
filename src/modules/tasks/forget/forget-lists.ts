import { type Clock, DAY_MS } from '../../../core/clock.ts';
import type { Database } from '../../../core/database.ts';
import { deleteLists } from './forget-store.ts';
import { scanTable } from './scan-table.ts';

/**
 * How long a list is kept after its round. Much shorter than TASK_DAYS: a list must not outlive the rows of its done
 * tasks, because only the rows know whether a task was rejected since.
 */
export const LIST_DAYS = 30;
const PAGE = 1_000;

/** Deletes lists whose round ended long ago and that have no reservation. Returns how many there were. */
export async function forgetLists(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  signal?: AbortSignal,
  limit = PAGE,
): Promise<number> {
  const now = clock.now();
  const endedBefore = new Date(now.getTime() - LIST_DAYS * DAY_MS);
  return scanTable({ db, now }, 'task_lists', (tx, after) => deleteLists(tx, { after, endedBefore, limit }), signal);
}
