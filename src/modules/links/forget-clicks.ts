import { businessDay, type Clock, DAY_MS } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import { runInChunks } from '../../core/run-in-chunks.ts';
import { deleteClicks } from './forget-store.ts';

/** How long clicks are stored by day, country, device and operating system. */
export const CLICK_DAYS = 400;
const BATCH = 1_000;
const LINKS_AT_ONCE = 200;

/** Deletes older days and adds their clicks to the total of the link. Returns the number of deleted rows. */
export async function forgetClicks(
  { db, clock }: { readonly db: Queryable; readonly clock: Clock },
  signal?: AbortSignal,
  limit = BATCH,
): Promise<number> {
  const beforeDay = businessDay(new Date(clock.now().getTime() - CLICK_DAYS * DAY_MS));
  let afterLinkId = 0;
  return runInChunks(
    async () => {
      const { count, lastLinkId } = await deleteClicks(db, { afterLinkId, links: LINKS_AT_ONCE, beforeDay, limit });
      if (count < limit) afterLinkId = lastLinkId ?? afterLinkId;
      return { count, hasMore: count === limit || lastLinkId !== null };
    },
    { signal },
  );
}
