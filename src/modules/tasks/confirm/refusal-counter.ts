import { batchOf } from '../../../core/batcher.ts';
import { businessDay, type Clock, DAY_MS, SECOND_MS } from '../../../core/clock.ts';
import { type Database, DatabaseUnavailable, type Queryable } from '../../../core/database.ts';
import { runInChunks } from '../../../core/run-in-chunks.ts';
import type { ConfirmOutcome } from './confirm-rules.ts';
import { addRefusals, deleteRefusals, type RefusalCount } from './refusal-store.ts';

/** Counts refused confirms per user in memory and writes them shortly afterwards, one number per user and day. */
export interface RefusalCounter {
  /** Returns at once, so that no confirm waits for a write. */
  count(userId: number, outcomes: readonly ConfirmOutcome[], at: Date): void;
  /** Writes all counts that are still in memory. */
  drain(): Promise<void>;
}

/** How long refusals are collected before a write. A crash loses at most the refusals of this time. */
const GATHER_MS = 1_000;
/** The most users in memory between two writes. Further users are not counted: the figure is a signal, not money. */
const MAX_USERS = 50_000;

/** The user claimed something that is not so. Other outcomes are faults of ours, or rules that the user cannot know. */
const isRefused = ({ kind }: ConfirmOutcome): boolean => kind === 'not_subscribed' || kind === 'not_shown';

export function createRefusalCounter(
  db: Database,
  { onError = () => undefined, maxUsers = MAX_USERS }: { onError?: (error: unknown) => void; maxUsers?: number } = {},
): RefusalCounter {
  let gathered = new Map<string, RefusalCount>();
  let timer: NodeJS.Timeout | undefined;
  // Write one batch at a time: parallel writes of one process would wait for each other's row locks.
  const writer = batchOf(async (tallies: readonly (readonly RefusalCount[])[]) => {
    await addRefusals(db, tallies.flat());
    return tallies.map(() => undefined);
  });

  function add({ userId, day, refused }: RefusalCount): void {
    const key = `${userId} ${day}`;
    const known = gathered.get(key);
    if (known === undefined && gathered.size >= maxUsers) return;
    gathered.set(key, { userId, day, refused: (known?.refused ?? 0) + refused });
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
    count(userId, outcomes, at) {
      let refused = 0;
      for (const outcome of outcomes) if (isRefused(outcome)) refused += 1;
      if (refused > 0) add({ userId, day: dayOf(at), refused });
    },
    async drain() {
      write();
      await writer.drain();
    },
  };
}

/** How long refused confirms are stored. */
const REFUSAL_DAYS = 60;
const BATCH = 1_000;

/** Deletes older days. Returns the number of deleted rows. */
export async function forgetRefusals(
  { db, clock }: { readonly db: Queryable; readonly clock: Clock },
  signal?: AbortSignal,
  limit = BATCH,
): Promise<number> {
  const beforeDay = businessDay(new Date(clock.now().getTime() - REFUSAL_DAYS * DAY_MS));
  return runInChunks(
    async () => {
      const count = await deleteRefusals(db, beforeDay, limit);
      return { count, hasMore: count === limit };
    },
    { signal },
  );
}
