import { batchOf } from '../../core/batcher.ts';
import { businessDay, type Clock, DAY_MS, SECOND_MS } from '../../core/clock.ts';
import { type Database, DatabaseUnavailable, type Queryable } from '../../core/database.ts';
import { runInChunks } from '../../core/run-in-chunks.ts';
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

type Gathered = { -readonly [K in keyof ClickCount]: ClickCount[K] };

export function createClickCounter(db: Database, onError: (error: unknown) => void): ClickCounter {
  let gathered = new Map<string, Gathered>();
  let timer: NodeJS.Timeout | undefined;
  // Write one batch at a time: parallel writes of one process would wait for each other's row locks.
  const writer = batchOf(
    async (tallies: readonly (readonly ClickCount[])[]) => {
      await addClicks(db, tallies.flat());
      return tallies.map(() => undefined);
    },
    { name: 'clicks' },
  );

  function add(count: ClickCount): void {
    const { linkId, day, country, deviceType, os, clicks } = count;
    const kind = `${linkId} ${day} ${country} ${deviceType} ${os}`;
    const known = gathered.get(kind);
    if (known !== undefined) known.clicks += clicks;
    else if (gathered.size < MAX_KINDS) gathered.set(kind, { linkId, day, country, deviceType, os, clicks });
    if (timer === undefined) {
      timer = setTimeout(write, GATHER_MS);
      timer.unref();
    }
  }

  function write(): void {
    clearTimeout(timer);
    timer = undefined;
    if (gathered.size === 0) return;
    const tally = [...gathered.values()];
    gathered = new Map();
    writer.submit(tally).catch((error: unknown) => {
      onError(error);
      if (error instanceof DatabaseUnavailable) for (const count of tally) add(count);
    });
  }

  let second = Number.NaN;
  let dayOfSecond = '';
  /** Caches the day for a second, because days begin on whole seconds. */
  function dayOf(at: Date): string {
    const current = Math.floor(at.getTime() / SECOND_MS);
    if (current !== second) {
      second = current;
      dayOfSecond = businessDay(at);
    }
    return dayOfSecond;
  }

  return {
    count(linkId, { country, deviceType, os }, at) {
      add({ linkId, day: dayOf(at), country, deviceType, os, clicks: 1 });
    },
    async drain() {
      write();
      await writer.drain();
    },
  };
}

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
