import type { Clock } from '../../core/clock.ts';
import type { Database, Transaction } from '../../core/database.ts';
import { type ApproveContestOutcome, approveContest } from './approve-contest.ts';
import { type Alongside, type CancelContestOutcome, cancelContest } from './cancel-contest.ts';
import type { Contest, NewContest, ScoringRules, Standing } from './contest.ts';
import { type CreateContestOutcome, createContest } from './create-contest.ts';
import { finishContests, type RecordEvents } from './finish-contests.ts';
import { createLiveStandings } from './live-standings.ts';
import { type ContestReport, reportContests } from './report-contests.ts';
import { countWaiting, earliestOpenStart, findContest, listContests, readResults } from './store.ts';

export interface ContestsDeps extends ScoringRules {
  readonly db: Database;
  readonly clock: Clock;
  readonly recordEvents: RecordEvents;
  /** Whether an operator has to approve the standings of a new contest before prizes are paid. */
  readonly needsApproval: boolean;
}

/** The contests of one process: the use cases of this module around the standings that they share. */
export interface Contests {
  create(
    contest: NewContest,
    alongside?: (tx: Transaction, contest: Contest) => Promise<void>,
  ): Promise<CreateContestOutcome>;
  approve(contestId: number, alongside?: Alongside): Promise<ApproveContestOutcome>;
  /** How many are over and wait for an operator. */
  countWaiting(): Promise<number>;
  cancel(contestId: number, alongside?: Alongside): Promise<CancelContestOutcome>;
  find(contestId: number): Promise<Contest | undefined>;
  /** The latest first. */
  list(limit: number): Promise<Contest[]>;
  /** Best first: as it stands while the contest runs, frozen afterwards. */
  standings(contest: Contest, limit: number): Promise<readonly Standing[]>;
  /** The latest contests as this account sees them. */
  report(accountId: number): Promise<ContestReport[]>;
  /** Since when settlements are still to be counted; null when no contest is open. */
  neededSince(): Promise<Date | null>;
  /** The job; answers how many contests it ended. */
  finish(signal?: AbortSignal): Promise<number>;
}

export function createContests(deps: ContestsDeps): Contests {
  const { db } = deps;
  const live = createLiveStandings(deps);
  return {
    create: (contest, alongside) => createContest(deps, contest, alongside),
    approve: (contestId, alongside) => approveContest(deps, { contestId, alongside }),
    countWaiting: () => countWaiting(db, deps.clock.now()),
    cancel: (contestId, alongside) => cancelContest(deps, { contestId, alongside }),
    find: (contestId) => findContest(db, contestId),
    list: (limit) => listContests(db, limit),
    async standings(contest, limit) {
      if (contest.finishedAt !== null) return readResults(db, contest.id, limit);
      return (await live.of(contest)).standings.slice(0, limit);
    },
    report: (accountId) => reportContests({ ...deps, live }, accountId),
    neededSince: () => earliestOpenStart(db),
    finish: (signal) => finishContests(deps, signal),
  };
}
