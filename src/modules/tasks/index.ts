export type { ConfirmOutcome } from './confirm/confirm-rules.ts';
export { orderOfCheckLink } from './confirm/list-subscriptions.ts';
export { forgetRefusals } from './confirm/refusal-counter.ts';
export {
  forgetLists,
  forgetMemberships,
  forgetTasks,
  LIST_DAYS,
  MEMBERSHIP_DAYS,
  TASK_DAYS,
} from './forget/forget-tasks.ts';
export type { MembershipChecker, MembershipStatus } from './membership.ts';
export type { MembershipUpdate } from './settle/record-membership.ts';
export { postbackSecret, signPostback } from './settle/record-postback.ts';
export { MOST_REVERSED, type ReverseOutcome, reverseSelected } from './settle/reverse-selected.ts';
export { type Selection, type SelectionSummary, summarizeSelection } from './settle/selection-store.ts';
export { readNextCheck, readTasksToExpire, readTasksToSettle } from './settle/settle-store.ts';
export {
  type AudienceEstimate,
  describeSubscribers,
  estimateAudience,
  type FilterKnowledge,
} from './show/estimate-audience.ts';
export type { Explanation } from './show/explain-tasks.ts';
export type { GetSponsorsInput, TaskWithOrder } from './show/get-sponsors.ts';
export { type TaskState, taskStatus } from './task.ts';
export { createTaskFlow, type TaskFlow } from './task-flow.ts';
export { listUserTasks } from './user-tasks-store.ts';
