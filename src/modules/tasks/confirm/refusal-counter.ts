import { addDays, businessDay, type Clock } from '../../../core/clock.ts';
import type { Database, Queryable } from '../../../core/database.ts';
import { cachedBusinessDay, gatherCounts } from '../../../core/gather-counts.ts';
import { ROWS_AT_ONCE, runFullChunks } from '../../../core/run-in-chunks.ts';
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
  const counts = gatherCounts<RefusalCount>({
    ...{ name: 'refusals', gatherMs: GATHER_MS, maxKinds: maxUsers, onError },
    kindOf: ({ userId, day }) => `${userId} ${day}`,
    sum: (one, other) => ({ ...one, refused: one.refused + other.refused }),
    write: (refusals) => addRefusals(db, refusals),
  });
  const dayOf = cachedBusinessDay();
  return {
    count(userId, outcomes, at) {
      let refused = 0;
      for (const outcome of outcomes) if (isRefused(outcome)) refused += 1;
      if (refused > 0) counts.add({ userId, day: dayOf(at), refused });
    },
    drain: counts.drain,
  };
}

/** How long refused confirms are stored. */
const REFUSAL_DAYS = 60;

/** Deletes older days. Returns the number of deleted rows. */
export async function forgetRefusals(
  { db, clock }: { readonly db: Queryable; readonly clock: Clock },
  signal?: AbortSignal,
  limit = ROWS_AT_ONCE,
): Promise<number> {
  const beforeDay = businessDay(addDays(clock.now(), -REFUSAL_DAYS));
  return runFullChunks(limit, () => deleteRefusals(db, beforeDay, limit), { signal });
}
