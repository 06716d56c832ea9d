import { addSeconds } from '../../../core/clock.ts';
import type { Membership } from '../../audience/index.ts';
import type { Task } from '../task.ts';

/**
 * What held at the window's end counts, for channels and for bots alike. A check long after it says nothing about that
 * moment, and it is no fault of the user that Telegram or this service was away.
 */
const LATE_SECONDS = 10 * 60;
/** How long a settlement waits for Telegram; then the publisher keeps the reward. */
const WAIT_SECONDS = 24 * 60 * 60;

type Dated = Pick<Task, 'state' | 'confirmedAt' | 'releaseAt' | 'windowEndsAt'>;
type Known = Pick<Membership, 'isMember' | 'source' | 'observedAt'>;

/** Whether a check that is made now comes too late to blame the user for having left. */
export function isLate({ windowEndsAt }: Dated, now: Date): boolean {
  return windowEndsAt !== null && now > addSeconds(windowEndsAt, LATE_SECONDS);
}

/** Whether Telegram has been asked for so long without an answer that the publisher is paid. */
export function isWaitOver({ state, releaseAt, windowEndsAt }: Dated, now: Date): boolean {
  const dueAt = state === 'held' ? releaseAt : windowEndsAt;
  return dueAt !== null && now >= addSeconds(dueAt, WAIT_SECONDS);
}

/** Whether an update dates the leave after the window's end. */
export function leftAfterWindow({ windowEndsAt }: Dated, known: Known | undefined): boolean {
  const leftAt = leftAtByUpdate(known);
  return leftAt !== undefined && windowEndsAt !== null && leftAt > windowEndsAt;
}

/** Whether an update dates the leave after the confirmation and within the window. */
export function leftInWindow({ confirmedAt, windowEndsAt }: Dated, known: Known | undefined): boolean {
  const leftAt = leftAtByUpdate(known);
  if (leftAt === undefined || confirmedAt === null || windowEndsAt === null) return false;
  return leftAt > confirmedAt && leftAt <= windowEndsAt;
}

/** Only updates tell when something happened; a check tells only what it found. */
function leftAtByUpdate(known: Known | undefined): Date | undefined {
  return known === undefined || known.isMember || known.source !== 'update' ? undefined : known.observedAt;
}

/**
 * Updates carry whole seconds of Telegram's clock, confirmations carry ours. Nearer than this to each other, the two
 * dates do not say which came first.
 */
const UNCLEAR_SECONDS = 5;

/** Whether the task was confirmed by then, as far as the dates tell, and its window was not over. */
export function isInWindow({ confirmedAt, windowEndsAt }: Dated, at: Date): boolean {
  if (confirmedAt === null || windowEndsAt === null) return false;
  return addSeconds(at, UNCLEAR_SECONDS) >= confirmedAt && at <= windowEndsAt;
}

/** Whether an update of that time may be older than the confirmation. */
export function isOrderUnclear({ confirmedAt }: Dated, at: Date): boolean {
  return confirmedAt !== null && at <= addSeconds(confirmedAt, UNCLEAR_SECONDS);
}
