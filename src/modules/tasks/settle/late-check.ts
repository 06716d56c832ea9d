import { addSeconds } from '../../../core/clock.ts';
import type { Membership } from '../../audience/index.ts';
import type { Task } from '../task.ts';

/** Membership at the window's end decides. A check this long after it proves nothing about that moment. */
const LATE_SECONDS = 10 * 60;
/** How long a settlement waits for Telegram. After that the publisher keeps the reward. */
const WAIT_SECONDS = 24 * 60 * 60;

type TaskTimes = Pick<Task, 'state' | 'confirmedAt' | 'releaseAt' | 'windowEndsAt'>;
type LastMembership = Pick<Membership, 'isMember' | 'source' | 'observedAt'>;

/** Whether a check now is too late to reverse the reward. */
export function isLate({ windowEndsAt }: TaskTimes, now: Date): boolean {
  return windowEndsAt !== null && now > addSeconds(windowEndsAt, LATE_SECONDS);
}

/** Whether Telegram has been unavailable for so long that the publisher is paid. */
export function isWaitOver({ state, releaseAt, windowEndsAt }: TaskTimes, now: Date): boolean {
  const dueAt = state === 'held' ? releaseAt : windowEndsAt;
  return dueAt !== null && now >= addSeconds(dueAt, WAIT_SECONDS);
}

/** Whether an update dates the leave after the window's end. */
export function leftAfterWindow({ windowEndsAt }: TaskTimes, membership: LastMembership | undefined): boolean {
  const leftAt = leftAtByUpdate(membership);
  return leftAt !== undefined && windowEndsAt !== null && leftAt > windowEndsAt;
}

/** Whether an update dates the leave after the confirmation and within the window. */
export function leftInWindow(
  { confirmedAt, windowEndsAt }: TaskTimes,
  membership: LastMembership | undefined,
): boolean {
  const leftAt = leftAtByUpdate(membership);
  if (leftAt === undefined || confirmedAt === null || windowEndsAt === null) return false;
  return leftAt > confirmedAt && leftAt <= windowEndsAt;
}

/** Only an update dates a leave; a check does not. */
function leftAtByUpdate(membership: LastMembership | undefined): Date | undefined {
  if (membership === undefined || membership.isMember || membership.source !== 'update') return undefined;
  return membership.observedAt;
}

/** Updates have whole seconds of Telegram's clock, confirms have ours. Within this difference their order is unclear. */
const UNCLEAR_SECONDS = 5;

/** Whether `at` may be between the confirm and the end of the window. */
export function isInWindow({ confirmedAt, windowEndsAt }: TaskTimes, at: Date): boolean {
  if (confirmedAt === null || windowEndsAt === null) return false;
  return addSeconds(at, UNCLEAR_SECONDS) >= confirmedAt && at <= windowEndsAt;
}

/** Whether an update of that time may be older than the confirm. */
export function isOrderUnclear({ confirmedAt }: TaskTimes, at: Date): boolean {
  return confirmedAt !== null && at <= addSeconds(confirmedAt, UNCLEAR_SECONDS);
}
