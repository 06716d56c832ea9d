import { addSeconds } from '../core/clock.ts';
import { ApiError } from '../core/errors.ts';
import type { MovableClock } from './movable-clock.ts';

export interface AdvanceDeps {
  readonly clock: MovableClock;
  readonly settlement: Settlement;
  /** Runs every job that is due by the current time of the clock. */
  readonly runDueWork: () => Promise<void>;
}

interface Settlement {
  /** Returns when the next membership check of a subscription is due after this time. */
  nextDueAt(after: Date): Promise<Date | null>;
  run(): Promise<unknown>;
}

/** Personal links store their end as 32-bit seconds, up to 2106. This limit leaves room for every time planned ahead. */
const LAST_TIME = new Date('2100-01-01T00:00:00Z');
/** While Telegram is down, the same checks become due repeatedly. A minimum step avoids one stop for each of them. */
const LEAST_STEP_SECONDS = 5 * 60;
const MAX_STEPS = 50;

/**
 * Moves the clock and runs the work that becomes due. Stops at the times of membership checks: a check that runs long
 * after its time decides differently from one that runs in time, and a moved clock must not look like an outage.
 */
export async function advanceClock(deps: AdvanceDeps, seconds: number): Promise<void> {
  const { clock, settlement } = deps;
  const until = addSeconds(clock.now(), seconds);
  if (until > LAST_TIME) {
    const message = 'The clock of the sandbox ends with the year 2099: start again with an empty database.';
    const fields = [{ field: 'advance_seconds', message: 'leads past the year 2099' }];
    throw new ApiError('validation_failed', message, { fields });
  }
  const moveTo = (time: Date) => clock.advance(Math.max(0, time.getTime() - clock.now().getTime()) / 1000);
  for (let step = 1; step <= MAX_STEPS; step++) {
    const now = clock.now();
    const dueAt = await settlement.nextDueAt(now);
    if (dueAt === null) break;
    const soonest = addSeconds(now, LEAST_STEP_SECONDS);
    const stopAt = dueAt > soonest ? dueAt : soonest;
    if (stopAt >= until) break;
    await moveTo(stopAt);
    await settlement.run();
  }
  await moveTo(until);
  await deps.runDueWork();
}
