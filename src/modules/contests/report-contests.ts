import type { Kopecks } from '../../core/money.ts';
import { type Contest, type ContestStatus, remainingSeconds, type Standing, statusOf } from './contest.ts';
import type { ContestDeps } from './contest-deps.ts';
import { listContests, readOwnResults, readResults } from './store.ts';

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
