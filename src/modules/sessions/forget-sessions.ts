import type { Clock } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import { deleteExpired } from './store.ts';

const AT_ONCE = 1_000;
const MOST_ROUNDS = 100;

/** Deletes expired sessions and used init data. Returns the number of deleted rows. */
export async function forgetSessions(
  { db, clock }: { readonly db: Queryable; readonly clock: Clock },
  signal?: AbortSignal,
): Promise<number> {
  let total = 0;
  for (let round = 0; round < MOST_ROUNDS && signal?.aborted !== true; round++) {
    const gone = await deleteExpired(db, clock.now(), AT_ONCE);
    total += gone;
    if (gone < AT_ONCE) break;
  }
  return total;
}
