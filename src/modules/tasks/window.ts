import { addSeconds } from '../../core/clock.ts';
import type { Task } from './task.ts';

/** A leave within a day reverses the reward, even without a hold. A longer hold makes a longer window. */
const WINDOW_SECONDS = 24 * 60 * 60;

/** Returns the first state and the times of a subscription that was just counted. */
export function startWindow(task: Task, now: Date, isDated = true) {
  const hasHold = task.holdSeconds > 0;
  const releaseAt = addSeconds(now, task.holdSeconds);
  const windowEndsAt = addSeconds(now, Math.max(task.holdSeconds, WINDOW_SECONDS));
  return {
    // A reward whose join has no date yet waits in hold, even without a hold period.
    state: hasHold || !isDated ? ('held' as const) : ('paid' as const),
    releaseAt,
    windowEndsAt,
    nextCheckAt: hasHold ? releaseAt : windowEndsAt,
  };
}
