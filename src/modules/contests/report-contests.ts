import type { Clock } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';
import { type Contest, type ContestStatus, remainingSeconds, statusOf } from './contest.ts';
import type { LiveStandings } from './live-standings.ts';
import { listContests, readOwnResults } from './store.ts';

/** A contest as one of its publishers sees it. */
export interface ContestReport {
  readonly contest: Contest;
  readonly status: ContestStatus;
  readonly remainingSeconds: number;
  readonly participants: number;
  /** None before the first settled subscription. */
  readonly rank: number | null;
  readonly score: number;
  readonly revenueKopecks: Kopecks;
  /** What was won; nothing before the ranks are frozen. */
  readonly prizeKopecks: Kopecks | null;
}

const SHOWN = 50;

/** The latest contests, running and past, with the rank of this account in each. */
export async function reportContests(
  { db, clock, live }: { db: Queryable; clock: Clock; live: LiveStandings },
  accountId: number,
): Promise<ContestReport[]> {
  const now = clock.now();
  const contests = await listContests(db, SHOWN);
  const finishedIds = contests.filter((contest) => contest.finishedAt !== null).map((contest) => contest.id);
  const results = await readOwnResults(db, accountId, finishedIds);
  return Promise.all(
    contests.map(async (contest): Promise<ContestReport> => {
      const status = statusOf(contest, now);
      const common = { contest, status, remainingSeconds: remainingSeconds(contest, now) };
      if (status === 'running' || status === 'waiting' || status === 'finishing') {
        const board = await live.of(contest);
        const own = board.standingOf(accountId);
        const participants = board.standings.length;
        return {
          ...common,
          participants,
          rank: own?.rank ?? null,
          score: own?.score ?? 0,
          revenueKopecks: own?.revenueKopecks ?? 0n,
          prizeKopecks: null,
        };
      }
      const result = results.get(contest.id);
      return {
        ...common,
        participants: result?.participants ?? 0,
        rank: result?.rank ?? null,
        score: result?.score ?? 0,
        revenueKopecks: result?.revenueKopecks ?? 0n,
        prizeKopecks: status === 'finished' ? (result?.prizeKopecks ?? 0n) : null,
      };
    }),
  );
}
