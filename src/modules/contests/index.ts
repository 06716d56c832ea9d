export type { ApproveContestOutcome } from './approve-contest.ts';
export type { CancelContestOutcome } from './cancel-contest.ts';
export {
  type Contest,
  type ContestStatus,
  FREEZE_AFTER_SECONDS,
  MAX_BACKDATED_DAYS,
  type NewContest,
  type Standing,
  statusOf,
} from './contest.ts';
export { type Contests, createContests } from './contests.ts';
export type { CreateContestOutcome } from './create-contest.ts';

export type { ContestReport } from './report-contests.ts';
