import { addSeconds } from '../../core/clock.ts';
import type { Kopecks } from '../../core/money.ts';

/**
 * The life of one task, (bot, user, order):
 *
 *   shown ─→ held ─→ paid ─→ settled        confirmed: the reward is in hold, then available, then final
 *    │ │  │   ↑  └──────┴────→ reversed       the user left within the window
 *    │ │  └→ pending ────────→ rejected       the advertiser's side refused, or did not decide within 72 hours
 *    │ └────→ notgetted                       a member, but not payable: counted elsewhere, or a member before
 *    └──────→ expired ─→ shown                not confirmed in time; may be shown again or confirmed late
 */
export const TASK_STATES = [
  'shown',
  /** Shown without a slot because its bot may not reserve more. A confirm is paid if the order has a slot then. */
  'unreserved',
  'expired',
  'pending',
  'held',
  'paid',
  'settled',
  'reversed',
  /** The advertiser's side refused it or did not decide in time. The user may be counted for the resource again. */
  'rejected',
  'notgetted',
] as const;
export type TaskState = (typeof TASK_STATES)[number];

/** The four statuses of the wire. */
export const TASK_STATUSES = ['subscribed', 'unsubscribed', 'notgetted', 'hold'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

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

/** The fields that showing a task again needs. Most requests read no more. */
export interface ShownTask extends TaskKey {
  readonly resourceId: number;
  /** 0 for an extra task (`newtask`). */
  readonly round: number;
  readonly position: number;
  readonly state: TaskState;
  /** The reward as it was when the task was shown. */
  readonly rewardKopecks: Kopecks;
  readonly expiresAt: Date;
}

export interface Task extends ShownTask {
  /** The publisher who earns the reward. */
  readonly accountId: number;
  /** Price and terms as they were when the task was shown. */
  readonly chargeKopecks: Kopecks;
  readonly holdSeconds: number;
  readonly refund: boolean;
  /** The first showing. Showing again keeps this time: a user who joined since then is a new subscriber. */
  readonly shownAt: Date;
  /** When a task of an earlier round stops being confirmable; null for other tasks, see `confirmableUntil`. */
  readonly lateUntil: Date | null;
  /** Whether a check at the showing found no member: the join is then dated after it. */
  readonly wasOutside: boolean;
  readonly confirmedAt: Date | null;
  readonly releaseAt: Date | null;
  readonly windowEndsAt: Date | null;
  /** Since when the reward is safe from reversal: the advertiser's side removed the user or our bot's access. */
  readonly keptAt: Date | null;
}

export const EXTRA_ROUND = 0;

/** Whether the task is shown and neither done nor lapsed. */
export function isOpen(task: Pick<ShownTask, 'state' | 'expiresAt'>, now: Date): boolean {
  return (task.state === 'shown' || task.state === 'unreserved') && task.expiresAt > now;
}

/** Whether the order still keeps a slot and the charge for this task. */
export function isReserved(task: Pick<ShownTask, 'state' | 'expiresAt'>, now: Date): boolean {
  return task.state === 'shown' && task.expiresAt > now;
}

/** Whether a confirm has decided the task, paid or not. */
export function isDone(task: Pick<ShownTask, 'state'>): boolean {
  return task.state !== 'shown' && task.state !== 'unreserved' && task.state !== 'expired';
}

/** Whether the reward can still be reversed. */
export function isReversible(task: Task): boolean {
  return task.state === 'held' || task.state === 'paid' || task.state === 'pending';
}

/** An expired task can be confirmed for this long after its round has ended. */
const LATE_CONFIRM_SECONDS = 24 * 60 * 60;

/** Returns when an undecided task stops being confirmable. An extra task has no round, so its own expiry counts. */
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
  /** The largest `max_sponsors` of the round's requests. */
  readonly requested: number;
  readonly endsAt: Date;
}

/** A leave within a day reverses the reward, even without a hold. A longer hold makes a longer window. */
const WINDOW_SECONDS = 24 * 60 * 60;

/**
 * Returns the first state and the times of a subscription that was just counted. `windowSeconds` is shorter than the hold
 * when only the level of the source made the hold longer (decision 0187).
 */
export function startWindow(task: Task, now: Date, isDated = true, windowSeconds = task.holdSeconds) {
  const hasHold = task.holdSeconds > 0;
  const releaseAt = addSeconds(now, task.holdSeconds);
  const windowEndsAt = addSeconds(now, Math.max(windowSeconds, WINDOW_SECONDS));
  return {
    // A reward whose join has no date yet waits in hold, even without a hold period.
    state: hasHold || !isDated ? ('held' as const) : ('paid' as const),
    releaseAt,
    windowEndsAt,
    nextCheckAt: hasHold && releaseAt < windowEndsAt ? releaseAt : windowEndsAt,
  };
}
