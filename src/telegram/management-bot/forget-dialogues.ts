import { addDays, type Clock } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import { ROWS_AT_ONCE, runInChunks } from '../../core/run-in-chunks.ts';
import { deleteDialogues } from './dialogue-store.ts';

/** A dialogue unused for this long is deleted, with its drafts. */
export const DIALOGUE_DAYS = 180;

/** Deletes unused dialogues. Returns how many. */
export async function forgetDialogues(
  { db, clock }: { readonly db: Queryable; readonly clock: Clock },
  signal?: AbortSignal,
  limit = ROWS_AT_ONCE,
): Promise<number> {
  const silentSince = addDays(clock.now(), -DIALOGUE_DAYS);
  let after = 0;
  return runInChunks(
    async () => {
      const { count, last } = await deleteDialogues(db, { after, silentSince, limit });
      after = last ?? after;
      return { count, hasMore: last !== null };
    },
    { signal },
  );
}
