export type { AccessWatch } from './access-watch.ts';
export { postbackSecret, signPostback } from './answer-postback.ts';
export { type Backlog, readNextCheck, readOffersToExpire, readOffersToSettle } from './backlog-store.ts';
export type { ConfirmOutcome } from './confirm.ts';
export type { ConfirmInput } from './confirm-subscription.ts';
export {
  type AudienceEstimate,
  describeSubscribers,
  estimateAudience,
  type FilterKnowledge,
} from './estimate-audience.ts';
export type { Explanation } from './explain-tasks.ts';
export { forgetLists, LIST_DAYS } from './forget-lists.ts';
export { forgetMemberships, MEMBERSHIP_DAYS } from './forget-memberships.ts';
export { type ForgetOffersDeps, forgetOffers, OFFER_DAYS } from './forget-offers.ts';
export type { GetSponsorsInput } from './get-sponsors.ts';
export type { MembershipProbe, MembershipVerdict } from './membership.ts';
export { OFFER_STATES, type OfferState, type TaskStatus, taskStatus } from './offer.ts';
export type { TaskAction } from './plan-tasks.ts';
export type { MembershipUpdate } from './record-membership.ts';
export { MOST_REVERSED, type ReverseOutcome, reverseSelected } from './reverse-selected.ts';
export { type Selection, type SelectionSummary, summarizeSelection } from './selection-store.ts';
export type { SponsorTask } from './sponsor-task.ts';
export { createTaskFlow, type TaskFlow, type TaskFlowDeps } from './task-flow.ts';
