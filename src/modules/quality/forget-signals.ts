import { addDays, type Clock } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import { ROWS_AT_ONCE, runFullChunks } from '../../core/run-in-chunks.ts';
import { deleteSignals } from './signal-store.ts';
import { SIGNAL_DAYS } from './signals.ts';

/** Deletes signals of users and sampled checks that are too old to be used. Returns how many. */
export async function forgetSignals(
  { db, clock }: { readonly db: Queryable; readonly clock: Clock },
  signal?: AbortSignal,
  limit = ROWS_AT_ONCE,
): Promise<number> {
  const before = addDays(clock.now(), -SIGNAL_DAYS);
  return runFullChunks(limit, () => deleteSignals(db, before, limit), { signal });
}
