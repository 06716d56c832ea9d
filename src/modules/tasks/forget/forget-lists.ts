import { type Clock, DAY_MS } from '../../../core/clock.ts';
import type { Database } from '../../../core/database.ts';
import { deleteLists } from './forget-store.ts';
import { walkOver } from './scan-table.ts';

/**
 * How long the list of a user who does not come back is kept after its round. Far less than tasks are: a list that
 * remembers a task as done must not be what answers for it when the task, which knows better, is gone.
 */
export const LIST_DAYS = 30;
const PAGE = 1_000;

/**
 * Forgets lists whose round is long over and that have no open task, so nothing is reserved for them. Who comes back
 * after that begins a new one. Answers how many there were.
 */
export async function forgetLists(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  signal?: AbortSignal,
  limit = PAGE,
): Promise<number> {
  const now = clock.now();
  const endedBefore = new Date(now.getTime() - LIST_DAYS * DAY_MS);
  return walkOver({ db, now }, 'task_lists', (tx, after) => deleteLists(tx, { after, endedBefore, limit }), signal);
}
