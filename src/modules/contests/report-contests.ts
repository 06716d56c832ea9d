import { type Clock, SECOND_MS } from '../../core/clock.ts';
import type { Database, Queryable } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';
import {
  type Contest,
  type ContestStatus,
  remainingSeconds,
  type ScoringRules,
  type Standing,
  statusOf,
} from './contest.ts';
import { listContests, rankPublishers, readOwnResults, readResults } from './store.ts';

export interface LiveStandings {
  of(contest: Contest): Promise<Board>;
}

interface Board {
  readonly standings: readonly Standing[];
  standingOf(accountId: number): Standing | undefined;
}

/** Standings are cached at least so long, and 20 times as long as the query took: it may use 5 % of the time. */
const MIN_LIFETIME_MS = 5 * SECOND_MS;
const LIFETIME_PER_COST = 20;

interface CacheEntry {
  readonly at: Date;
  readonly board: Promise<Board>;
  lifetimeMs: number;
}

/** Caches the standings of contests that are not frozen yet: the query reads the whole period. */
export function createLiveStandings({
  db,
  clock,
  minimumPriceKopecks,
}: { db: Queryable; clock: Clock } & ScoringRules): LiveStandings {
  const cache = new Map<number, CacheEntry>();

  async function count({ startsAt, endsAt }: Contest): Promise<Board> {
    const standings = await rankPublishers(db, { from: startsAt, until: endsAt, minimumPriceKopecks });
    const byAccount = new Map(standings.map((standing) => [standing.accountId, standing]));
    return { standings, standingOf: (accountId) => byAccount.get(accountId) };
  }

  // A reset of the sandbox can set its clock back, so an entry from the future is stale too.
  function isFresh({ at, lifetimeMs }: CacheEntry, now: Date): boolean {
    const age = now.getTime() - at.getTime();
    return age >= 0 && age < lifetimeMs;
  }

  return {
    of(contest) {
      const now = clock.now();
      const cached = cache.get(contest.id);
      if (cached !== undefined && isFresh(cached, now)) return cached.board;
      for (const [id, entry] of cache) if (!isFresh(entry, now)) cache.delete(id);
      const startedMs = performance.now();
      const entry: CacheEntry = { at: now, board: count(contest), lifetimeMs: MIN_LIFETIME_MS };
      cache.set(contest.id, entry);
      entry.board.then(
        () => {
          entry.lifetimeMs = Math.max(MIN_LIFETIME_MS, (performance.now() - startedMs) * LIFETIME_PER_COST);
        },
        () => cache.delete(contest.id),
      );
      return entry.board;
    },
  };
}

/** The dependencies and settings that the use cases of this module share. */
export interface ContestDeps extends ScoringRules {
  readonly db: Database;
  readonly clock: Clock;
  /** Whether an operator has to approve the standings of a new contest before prizes are paid. */
  readonly needsApproval: boolean;
  /** One cache per process. */
  readonly liveStandings: LiveStandings;
}

/** A contest as one of its publishers sees it. */
export interface ContestReport {
  readonly contest: Contest;
  readonly status: ContestStatus;
  readonly remainingSeconds: number;
  readonly participants: number;
  /** Null before the account's first settled subscription. */
  readonly rank: number | null;
  readonly score: number;
  readonly revenueKopecks: Kopecks;
  /** Null until the ranks are frozen. */
  readonly prizeKopecks: Kopecks | null;
}

const MAX_REPORTED = 50;

/** Reports the latest contests, running and past, with the rank of this account in each. */
export async function reportContests(
  { db, clock, liveStandings }: Pick<ContestDeps, 'db' | 'clock' | 'liveStandings'>,
  accountId: number,
): Promise<ContestReport[]> {
  const now = clock.now();
  const contests = await listContests(db, MAX_REPORTED);
  const finishedIds = contests.filter((contest) => contest.finishedAt !== null).map((contest) => contest.id);
  const results = await readOwnResults(db, accountId, finishedIds);
  return Promise.all(
    contests.map(async (contest): Promise<ContestReport> => {
      const status = statusOf(contest, now);
      const isOpen = status === 'running' || status === 'waiting' || status === 'finishing';
      const board = isOpen ? await liveStandings.of(contest) : undefined;
      const result = results.get(contest.id);
      const own = board?.standingOf(accountId) ?? result;
      return {
        contest,
        status,
        remainingSeconds: remainingSeconds(contest, now),
        participants: board?.standings.length ?? result?.participants ?? 0,
        rank: own?.rank ?? null,
        score: own?.score ?? 0,
        revenueKopecks: own?.revenueKopecks ?? 0n,
        prizeKopecks: status === 'finished' ? (result?.prizeKopecks ?? 0n) : null,
      };
    }),
  );
}

/** Returns the best publishers, best first: the current standings while the contest is open, frozen ones afterwards. */
export async function readStandings(
  { db, liveStandings }: Pick<ContestDeps, 'db' | 'liveStandings'>,
  contest: Contest,
  limit: number,
): Promise<readonly Standing[]> {
  if (contest.finishedAt !== null) return readResults(db, contest.id, limit);
  return (await liveStandings.of(contest)).standings.slice(0, limit);
}
