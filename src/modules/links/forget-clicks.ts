import { businessDay, type Clock, DAY_MS } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import { runInChunks } from '../../core/run-in-chunks.ts';
import { deleteClicks } from './forget-store.ts';

/** How long it is known by day, country, device and system how often a link was followed. */
export const CLICK_DAYS = 400;
const BATCH = 1_000;
const LINKS_AT_ONCE = 200;

/** Forgets days older than that; their clicks stay in the total of their link. Answers how many rows it were. */
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
