import { type Clock, DAY_MS } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import { runInChunks } from '../../core/run-in-chunks.ts';
import { deleteDialogues } from './dialogue-store.ts';

/** A dialogue unused for this long is deleted, with its drafts. */
export const DIALOGUE_DAYS = 180;
const PAGE = 1_000;

/** Deletes unused dialogues. Returns how many. */
export async function forgetDialogues(
  { db, clock }: { readonly db: Queryable; readonly clock: Clock },
  signal?: AbortSignal,
  limit = PAGE,
): Promise<number> {
  const silentSince = new Date(clock.now().getTime() - DIALOGUE_DAYS * DAY_MS);
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
