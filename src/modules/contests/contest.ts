import { DAY_MS, SECOND_MS } from '../../core/clock.ts';
import type { Kopecks } from '../../core/money.ts';

/** A race of publishers: whoever has the most subscriptions settled in the period, gets the first prize. */
export interface Contest {
  readonly id: number;
  readonly name: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
  /** By place, the first first. */
  readonly prizesKopecks: readonly Kopecks[];
  readonly finishedAt: Date | null;
  readonly cancelledAt: Date | null;
}

export type ContestStatus = 'scheduled' | 'running' | 'finishing' | 'finished' | 'cancelled';

export interface Standing {
  readonly rank: number;
  readonly accountId: number;
  /** Subscriptions settled in the period. */
  readonly score: number;
  readonly reachedAt: Date;
}

/**
 * Ranks are frozen this long after the end. A settlement bears the time at which it began; one that began in the period
 * must have been committed by then, on whatever machine and with whatever clock, or its publisher would lose it.
 */
export const FREEZE_AFTER_SECONDS = 60;

export function statusOf(contest: Contest, now: Date): ContestStatus {
  if (contest.cancelledAt !== null) return 'cancelled';
  if (contest.finishedAt !== null) return 'finished';
  if (now < contest.startsAt) return 'scheduled';
  return now < contest.endsAt ? 'running' : 'finishing';
}

/** Whole seconds until the end, the begun one included; 0 when it is over. */
export function remainingSeconds(contest: Contest, now: Date): number {
  if (contest.cancelledAt !== null) return 0;
  return Math.max(0, Math.ceil((contest.endsAt.getTime() - now.getTime()) / SECOND_MS));
}

export function prizeFor(contest: Contest, rank: number): Kopecks {
  return contest.prizesKopecks[rank - 1] ?? 0n;
}

export interface NewContest {
  /** Names the request, so that one sent twice creates once. */
  readonly key: string;
  readonly name: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly prizesKopecks: readonly Kopecks[];
}

const MAX_NAME = 100;
const MAX_PRIZES = 100;
/** What was settled longer ago may be forgotten any day now (offers are kept for 180 days), and could not be counted. */
export const MAX_BACKDATED_DAYS = 150;

/** What is wrong with it, for a person; nothing when all is well. */
export function faultIn({ name, startsAt, endsAt, prizesKopecks }: NewContest, now: Date): string | undefined {
  if (name.trim() === '' || name.length > MAX_NAME) return `the name needs 1 to ${MAX_NAME} characters`;
  if (!(startsAt < endsAt)) return 'the end must come after the start';
  if (!(now < endsAt)) return 'the end must lie in the future';
  if (now.getTime() - startsAt.getTime() > MAX_BACKDATED_DAYS * DAY_MS) {
    return `the start must not lie more than ${MAX_BACKDATED_DAYS} days back`;
  }
  if (prizesKopecks.length === 0 || prizesKopecks.length > MAX_PRIZES) return `there must be 1 to ${MAX_PRIZES} prizes`;
  if (prizesKopecks.some((prize) => prize <= 0n)) return 'every prize must be more than nothing';
  return undefined;
}
