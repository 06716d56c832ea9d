import { addDays, businessDay, type Clock } from '../../core/clock.ts';
import type { Database, Queryable } from '../../core/database.ts';
import { cachedBusinessDay, gatherCounts } from '../../core/gather-counts.ts';
import { ROWS_AT_ONCE, runByOwner } from '../../core/run-in-chunks.ts';
import { addClicks, type ClickCount, deleteClicks } from './click-store.ts';
import type { Visitor } from './link.ts';

/** Counts clicks in memory and writes them to the database shortly afterwards, one number per kind of click. */
export interface ClickCounter {
  /** Returns at once, so that no redirect waits for a write. */
  count(linkId: number, who: Visitor, at: Date): void;
  /** Writes all counts that are still in memory. */
  drain(): Promise<void>;
}

/** How long clicks are collected before a write. A crash loses at most the clicks of this time. */
const GATHER_MS = 250;
/** While the database is unavailable, counts stay in memory, up to this many kinds of click. */
const MAX_KINDS = 50_000;

export function createClickCounter(db: Database, onError: (error: unknown) => void): ClickCounter {
  const counts = gatherCounts<ClickCount>({
    ...{ name: 'clicks', gatherMs: GATHER_MS, maxKinds: MAX_KINDS, onError },
    kindOf: ({ linkId, day, country, deviceType, os }) => `${linkId} ${day} ${country} ${deviceType} ${os}`,
    sum: (one, other) => ({ ...one, clicks: one.clicks + other.clicks }),
    write: (clicks) => addClicks(db, clicks),
  });
  const dayOf = cachedBusinessDay();
  return {
    count(linkId, { country, deviceType, os }, at) {
      counts.add({ linkId, day: dayOf(at), country, deviceType, os, clicks: 1 });
    },
    drain: counts.drain,
  };
}

/** How long clicks are stored by day, country, device and operating system. */
export const CLICK_DAYS = 400;
const LINKS_AT_ONCE = 200;

/** Deletes older days and adds their clicks to the total of the link. Returns the number of deleted rows. */
export async function forgetClicks(
  { db, clock }: { readonly db: Queryable; readonly clock: Clock },
  signal?: AbortSignal,
  limit = ROWS_AT_ONCE,
): Promise<number> {
  const beforeDay = businessDay(addDays(clock.now(), -CLICK_DAYS));
  return runByOwner(limit, (afterLinkId) => deleteClicks(db, { afterLinkId, links: LINKS_AT_ONCE, beforeDay, limit }), {
    signal,
  });
}
