import { addSeconds } from '../core/clock.ts';
import { ApiError } from '../core/errors.ts';
import type { MovableClock } from './movable-clock.ts';

export interface AdvanceDeps {
  readonly clock: MovableClock;
  readonly settlement: Settlement;
  /** Does everything that is due by the clock as it is now. */
  readonly runDueWork: () => Promise<void>;
}

interface Settlement {
  /** When the next membership check of a subscription is due after this time. */
  nextDueAt(after: Date): Promise<Date | null>;
  run(): Promise<unknown>;
}

/** Personal links carry their end as seconds in 32 bits, up to 2106. This leaves room for every time planned ahead. */
const LAST_TIME = new Date('2100-01-01T00:00:00Z');
/** A Telegram that is away makes the same checks due again and again: they are not worth a stop each. */
const LEAST_STEP_SECONDS = 5 * 60;
const MAX_STEPS = 50;

/**
 * Moves the clock and does the work that falls due. Stops on the way where membership checks are due: a check that is
 * made long after its time decides otherwise than one made in time, and a moved clock must not look like an outage.
 */
export async function advanceClock(deps: AdvanceDeps, seconds: number): Promise<void> {
  const { clock, settlement } = deps;
  const until = addSeconds(clock.now(), seconds);
  if (until > LAST_TIME) {
    const fields = [{ field: 'advance_seconds', message: 'leads past the year 2099' }];
    throw new ApiError(
      'validation_failed',
      'The clock of the sandbox ends with the year 2099: begin anew with an empty database.',
      {
        fields,
      },
    );
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
