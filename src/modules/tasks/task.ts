import { addSeconds } from '../../core/clock.ts';
import type { Kopecks } from '../../core/money.ts';

/**
 * The life of one task, (bot, user, order):
 *
 *   shown ─→ held ─→ paid ─→ settled        confirmed; the reward in hold, then the publisher's, then for good
 *    │ │  │   ↑  └──────┴────→ reversed       left within the window
 *    │ │  └→ pending ────────→ rejected       the advertiser's side is asked; it said no, or nothing for 72 hours
 *    │ └────→ notgetted                       a member, and not payable: counted elsewhere or a member before
 *    └──────→ expired ─→ shown              nobody confirmed in time; may be shown again, or confirmed late
 */
export const TASK_STATES = [
  'shown',
  /** Shown without a slot: its bot has as many reserved as it may. A confirm is paid if its order has room by then. */
  'unreserved',
  'expired',
  'pending',
  'held',
  'paid',
  'settled',
  'reversed',
  /** The advertiser's side refused it, or did not answer in time: the user may be counted there again. */
  'rejected',
  'notgetted',
] as const;
export type TaskState = (typeof TASK_STATES)[number];

/** The contract's four statuses. */
export type TaskStatus = 'subscribed' | 'unsubscribed' | 'notgetted' | 'hold';

const TASK_STATUS: Readonly<Record<TaskState, TaskStatus>> = {
  shown: 'unsubscribed',
  unreserved: 'unsubscribed',
  expired: 'unsubscribed',
  pending: 'hold',
  held: 'subscribed',
  paid: 'subscribed',
  settled: 'subscribed',
  reversed: 'unsubscribed',
  rejected: 'unsubscribed',
  notgetted: 'notgetted',
};

export function taskStatus(state: TaskState): TaskStatus {
  return TASK_STATUS[state];
}

export interface TaskKey {
  readonly userId: number;
  readonly botId: number;
  readonly orderId: number;
}

/** As much of a task as it takes to show it again: what most requests need, and all that they read. */
export interface ShownTask extends TaskKey {
  readonly resourceId: number;
  /** 0 is an extra task, asked for beyond the rounds. */
  readonly round: number;
  readonly position: number;
  readonly state: TaskState;
  readonly expiresAt: Date;
}

export interface Task extends ShownTask {
  /** The publisher who earns the reward. */
  readonly accountId: number;
  /** Price, reward and terms as they were when the task was shown. */
  readonly chargeKopecks: Kopecks;
  readonly rewardKopecks: Kopecks;
  readonly holdSeconds: number;
  readonly refund: boolean;
  /** When the task was first shown. Showing it again keeps this time: a user who joined since then is a new subscriber. */
  readonly shownAt: Date;
  /** Until when a task of an earlier round can be confirmed; null for every other task, see `confirmableUntil`. */
  readonly lateUntil: Date | null;
  /** Whether a check at the showing said that the user was no member: then the join is dated after it. */
  readonly wasOutside: boolean;
  readonly confirmedAt: Date | null;
  readonly releaseAt: Date | null;
  readonly windowEndsAt: Date | null;
  /** Since when nothing takes the reward back: the advertiser's side made it impossible to see whether the user stays. */
  readonly keptAt: Date | null;
}

export const EXTRA_ROUND = 0;

/** Whether the task stands before the user: shown, and neither done nor lapsed. */
export function isOpen(task: Pick<ShownTask, 'state' | 'expiresAt'>, now: Date): boolean {
  return (task.state === 'shown' || task.state === 'unreserved') && task.expiresAt > now;
}

/** Whether the order still keeps money and a slot for this task, and a confirm would be paid from it. */
export function isReserved(task: Pick<ShownTask, 'state' | 'expiresAt'>, now: Date): boolean {
  return task.state === 'shown' && task.expiresAt > now;
}

/** Whether the user has done this task, well or in vain: it is asked for no more. */
export function isDone(task: Pick<ShownTask, 'state'>): boolean {
  return task.state !== 'shown' && task.state !== 'unreserved' && task.state !== 'expired';
}

/** Whether the reward was paid and can still be taken back. */
export function isReversible(task: Task): boolean {
  return task.state === 'held' || task.state === 'paid' || task.state === 'pending';
}

/** A user may come back to a task after its reservation lapsed: until a day after the end of its round. */
const LATE_CONFIRM_SECONDS = 24 * 60 * 60;

/** Until when a task that waits in a list can be confirmed. An extra task belongs to no round: its own expiry counts. */
export function confirmableUntil(
  { round: number, expiresAt, lateUntil }: Pick<Task, 'round' | 'expiresAt' | 'lateUntil'>,
  round: Pick<Round, 'number' | 'endsAt'> | undefined,
): Date {
  if (lateUntil !== null) return lateUntil;
  const endsAt = number !== EXTRA_ROUND && round?.number === number ? round.endsAt : expiresAt;
  return addSeconds(endsAt, LATE_CONFIRM_SECONDS);
}

export function keyOf({ userId, botId, orderId }: TaskKey): string {
  return `${userId}:${botId}:${orderId}`;
}

export interface Round {
  readonly userId: number;
  readonly botId: number;
  readonly number: number;
  /** The largest number of tasks asked for in this round. */
  readonly requested: number;
  readonly endsAt: Date;
}
