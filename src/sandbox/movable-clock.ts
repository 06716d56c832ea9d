import { type Clock, systemClock } from '../core/clock.ts';
import type { Database, Subscription } from '../core/database.ts';
import { addClockOffset, readClockOffset } from './state-store.ts';

/** The machine's clock plus an offset that all processes of the sandbox share. The offset only grows. */
export interface MovableClock extends Clock {
  advance(seconds: number): Promise<Date>;
  close(): Promise<void>;
}

const CHANNEL = 'sandbox_clock';

export async function createMovableClock(db: Database): Promise<MovableClock> {
  let offsetMs = await readClockOffset(db);
  const moveTo = (offset: number): void => {
    if (offset > offsetMs) offsetMs = offset;
  };
  const now = (): Date => new Date(systemClock.now().getTime() + offsetMs);
  const subscription: Subscription = await db.listen(CHANNEL, {
    onNotify: (payload) => moveTo(Number(payload)),
    onReconnect: () => void readClockOffset(db).then(moveTo, () => undefined),
  });
  return {
    now,
    async advance(seconds) {
      await db.transaction(async (tx) => {
        const offset = await addClockOffset(tx, Math.round(seconds * 1000));
        await tx.notify(CHANNEL, String(offset));
        moveTo(offset);
      });
      return now();
    },
    close: () => subscription.close(),
  };
}
