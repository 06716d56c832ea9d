export {
  type Contest,
  type ContestStatus,
  FREEZE_AFTER_SECONDS,
  MAX_BACKDATED_DAYS,
  type NewContest,
  type Standing,
  statusOf,
} from './contest.ts';
export type { ContestDeps } from './contest-deps.ts';
export {
  type ApproveContestOutcome,
  approveContest,
  type CancelContestOutcome,
  type CreateContestOutcome,
  cancelContest,
  createContest,
} from './decide-contest.ts';
export { finishContests } from './finish-contests.ts';
export { createLiveStandings } from './live-standings.ts';
export { type ContestReport, readStandings, reportContests } from './report-contests.ts';
export { countWaitingContests, findContest, findEarliestOpenStart, listContests } from './store.ts';
