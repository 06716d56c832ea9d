import { type Clock, systemClock } from '../core/clock.ts';
import type { Database, Subscription } from '../core/database.ts';
import { addClockOffset, clearClockOffset, readClockOffset } from './state-store.ts';

/** The machine's clock plus an offset that all processes of the sandbox share. The offset grows until a reset. */
export interface MovableClock extends Clock {
  advance(seconds: number): Promise<Date>;
  /** Sets the clock back to the machine's time. Only for a reset, which deletes everything that has a later time. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

const CHANNEL = 'sandbox_clock';
const RESET = 'reset';

export async function createMovableClock(db: Database): Promise<MovableClock> {
  let offsetMs = await readClockOffset(db);
  const moveTo = (offset: number): void => {
    if (offset > offsetMs) offsetMs = offset;
  };
  // The stored offset decides: this process may have moved the clock after the reset that it is told about now.
  const readAgain = (): void =>
    void readClockOffset(db).then(
      (offset) => {
        offsetMs = offset;
      },
      () => undefined,
    );
  const now = (): Date => new Date(systemClock.now().getTime() + offsetMs);
  const subscription: Subscription = await db.listen(CHANNEL, {
    onNotify: (payload) => (payload === RESET ? readAgain() : moveTo(Number(payload))),
    onReconnect: readAgain,
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
    async reset() {
      await db.transaction(async (tx) => {
        await clearClockOffset(tx);
        await tx.notify(CHANNEL, RESET);
      });
      offsetMs = 0;
    },
    close: () => subscription.close(),
  };
}
