export type { AccessWatch } from './access-watch.ts';
export type { ConfirmOutcome } from './confirm.ts';
export type { ConfirmInput } from './confirm-subscription.ts';
export type { GetSponsorsInput, SponsorTask } from './get-sponsors.ts';
export type { MembershipProbe, MembershipVerdict } from './membership.ts';
export { OFFER_STATES, type OfferState, type TaskStatus, taskStatus } from './offer.ts';
export type { TaskAction } from './plan-tasks.ts';
export type { MembershipUpdate } from './record-membership.ts';
export { createTaskFlow, type TaskFlow, type TaskFlowDeps } from './task-flow.ts';
