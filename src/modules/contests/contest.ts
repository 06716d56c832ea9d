import { DAY_MS, SECOND_MS } from '../../core/clock.ts';
import type { Kopecks } from '../../core/money.ts';

/** A contest of publishers, ranked by the settled revenue of the period. */
export interface Contest {
  readonly id: number;
  readonly name: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
  /** One prize for each place, starting with the first. */
  readonly prizesKopecks: readonly Kopecks[];
  /** When prizes may be paid; null until an operator approves the standings. */
  readonly approvedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly cancelledAt: Date | null;
}

/** `waiting`: the contest is over, and an operator has to approve its standings before prizes are paid. */
export type ContestStatus = 'scheduled' | 'running' | 'waiting' | 'finishing' | 'finished' | 'cancelled';

export interface Standing {
  readonly rank: number;
  readonly accountId: number;
  /** How many subscriptions of the period count. */
  readonly score: number;
  /** Their rewards, which decide the rank. */
  readonly revenueKopecks: Kopecks;
  readonly reachedAt: Date;
}

/**
 * Ranks are frozen this long after the end. A settlement carries the time at which its transaction began. The delay lets
 * transactions that began within the period commit first, on machines whose clocks differ; otherwise they would not count.
 */
export const FREEZE_AFTER_SECONDS = 60;

export function statusOf(contest: Contest, now: Date): ContestStatus {
  if (contest.cancelledAt !== null) return 'cancelled';
  if (contest.finishedAt !== null) return 'finished';
  if (now < contest.startsAt) return 'scheduled';
  if (now < contest.endsAt) return 'running';
  return contest.approvedAt === null ? 'waiting' : 'finishing';
}

/** Returns the seconds until the end, rounded up; 0 when the contest is over. */
export function remainingSeconds(contest: Contest, now: Date): number {
  if (contest.cancelledAt !== null) return 0;
  return Math.max(0, Math.ceil((contest.endsAt.getTime() - now.getTime()) / SECOND_MS));
}

export function prizeFor(contest: Contest, rank: number): Kopecks {
  return contest.prizesKopecks[rank - 1] ?? 0n;
}

/** Decides which settled subscriptions count. */
export interface ScoringRules {
  /** Orders with a lower base price do not count, so that an advertiser cannot buy a rank cheaply. */
  readonly minimumPriceKopecks: Kopecks;
}

export interface NewContest {
  /** Names the request, so that a repeat creates nothing. */
  readonly key: string;
  readonly name: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly prizesKopecks: readonly Kopecks[];
}

const MAX_NAME = 100;
const MAX_PRIZES = 100;
/** Settled tasks are deleted after 180 days, so an earlier start could not be counted reliably. */
export const MAX_BACKDATED_DAYS = 150;

/** Returns a message about the first invalid field; undefined when the contest is valid. */
export function findFault({ name, startsAt, endsAt, prizesKopecks }: NewContest, now: Date): string | undefined {
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
