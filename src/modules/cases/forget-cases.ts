import { addDays, type Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import { runFullChunks } from '../../core/run-in-chunks.ts';
import { deleteDecided } from './store.ts';

/** How long a decided case stays. Its evidence names users; the audit log keeps the decision without them. */
const CASE_DAYS = 400;
const BATCH = 500;

/** Deletes old decided cases. Returns how many. */
export function forgetCases({ db, clock }: { db: Database; clock: Clock }, signal?: AbortSignal): Promise<number> {
  const before = addDays(clock.now(), -CASE_DAYS);
  return runFullChunks(BATCH, () => db.transaction((tx) => deleteDecided(tx, before, BATCH)), { signal });
}
