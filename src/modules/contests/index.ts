export {
  type Contest,
  type ContestStatus,
  FREEZE_AFTER_SECONDS,
  MAX_BACKDATED_DAYS,
  type NewContest,
  type Standing,
  statusOf,
} from './contest.ts';
export {
  type ApproveContestOutcome,
  approveContest,
  type CancelContestOutcome,
  type CreateContestOutcome,
  cancelContest,
  createContest,
} from './decide-contest.ts';
export { finishContests } from './finish-contests.ts';
export type { ContestDeps } from './report-contests.ts';
export { type ContestReport, createLiveStandings, readStandings, reportContests } from './report-contests.ts';
export { countWaitingContests, findContest, findEarliestOpenStart, listContests } from './store.ts';
