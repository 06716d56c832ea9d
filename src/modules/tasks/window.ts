import { addSeconds } from '../../core/clock.ts';
import type { Task } from './task.ts';

/** Leaving within a day takes the reward back, with hold or without; a longer hold watches longer. */
const WINDOW_SECONDS = 24 * 60 * 60;

/** Where a counted subscription stands when its time begins to run. */
export function startWindow(task: Task, now: Date, isDated = true) {
  const hasHold = task.holdSeconds > 0;
  const releaseAt = addSeconds(now, task.holdSeconds);
  const windowEndsAt = addSeconds(now, Math.max(task.holdSeconds, WINDOW_SECONDS));
  return {
    // A reward whose join is not dated yet waits, also where there is no hold.
    state: hasHold || !isDated ? ('held' as const) : ('paid' as const),
    releaseAt,
    windowEndsAt,
    nextCheckAt: hasHold ? releaseAt : windowEndsAt,
  };
}
