import { DAY_MS, SECOND_MS } from '../../core/clock.ts';
import type { Kopecks } from '../../core/money.ts';

/** A race of publishers: the one with the largest settled revenue of the period gets the first prize. */
export interface Contest {
  readonly id: number;
  readonly name: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
  /** By place, the first first. */
  readonly prizesKopecks: readonly Kopecks[];
  /** Since when prizes may be paid; null while an operator has to approve the standings. */
  readonly approvedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly cancelledAt: Date | null;
}

/** `waiting`: it is over, and an operator has to approve its standings before prizes are paid. */
export type ContestStatus = 'scheduled' | 'running' | 'waiting' | 'finishing' | 'finished' | 'cancelled';

export interface Standing {
  readonly rank: number;
  readonly accountId: number;
  /** Subscriptions of the period that count. */
  readonly score: number;
  /** Their rewards: what ranks are by. */
  readonly revenueKopecks: Kopecks;
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
  if (now < contest.endsAt) return 'running';
  return contest.approvedAt === null ? 'waiting' : 'finishing';
}

/** Whole seconds until the end, the begun one included; 0 when it is over. */
export function remainingSeconds(contest: Contest, now: Date): number {
  if (contest.cancelledAt !== null) return 0;
  return Math.max(0, Math.ceil((contest.endsAt.getTime() - now.getTime()) / SECOND_MS));
}

export function prizeFor(contest: Contest, rank: number): Kopecks {
  return contest.prizesKopecks[rank - 1] ?? 0n;
}

/** Which settled subscriptions count. */
export interface ScoringRules {
  /** Orders with a lower base price count for nothing: a score must cost its advertiser real money. */
  readonly minimumPriceKopecks: Kopecks;
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
/** What was settled longer ago may be forgotten any day now (tasks are kept for 180 days), and could not be counted. */
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
  if (prizesKopecks.some((prize, place) => prize > (prizesKopecks[place - 1] ?? prize))) {
    return 'a prize must not be larger than that of the place before';
  }
  return undefined;
}
