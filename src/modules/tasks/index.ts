export type { AccessWatch } from './access/access-watch.ts';
export type { ConfirmOutcome } from './confirm/confirm.ts';
export type { ConfirmInput } from './confirm/confirm-subscription.ts';
export { forgetLists, LIST_DAYS } from './forget/forget-lists.ts';
export { forgetMemberships, MEMBERSHIP_DAYS } from './forget/forget-memberships.ts';
export { type ForgetTasksDeps, forgetTasks, TASK_DAYS } from './forget/forget-tasks.ts';
export type { MembershipProbe, MembershipVerdict } from './membership.ts';
export { postbackSecret, signPostback } from './settle/answer-postback.ts';
export { type Backlog, readNextCheck, readTasksToExpire, readTasksToSettle } from './settle/backlog-store.ts';
export type { MembershipUpdate } from './settle/record-membership.ts';
export { MOST_REVERSED, type ReverseOutcome, reverseSelected } from './settle/reverse-selected.ts';
export { type Selection, type SelectionSummary, summarizeSelection } from './settle/selection-store.ts';
export {
  type AudienceEstimate,
  describeSubscribers,
  estimateAudience,
  type FilterKnowledge,
} from './show/estimate-audience.ts';
export type { Explanation } from './show/explain-tasks.ts';
export type { GetSponsorsInput } from './show/get-sponsors.ts';
export type { TaskAction } from './show/plan-tasks.ts';
export type { SponsorTask } from './show/sponsor-task.ts';
export { TASK_STATES, type TaskState, type TaskStatus, taskStatus } from './task.ts';
export { createTaskFlow, type TaskFlow, type TaskFlowDeps } from './task-flow.ts';
