import type { Update } from 'grammy/types';
import { addSeconds, type Clock, HOUR_MS, SECOND_MS, systemClock } from '../core/clock.ts';
import type { Database } from '../core/database.ts';
import { recordHeard, recordLoss } from '../modules/audience/index.ts';
import type { CallFailure } from './bot-api.ts';

/** Records times in which updates were lost. A join that we cannot date in such a time is no fault of the user. */
export interface LostUpdates {
  /** Telegram has delivered every update up to now. */
  caughtUp(): Promise<void>;
  /** Telegram refused to deliver updates. */
  failed(failure: CallFailure): void;
  /** Another program set its own webhook and received the updates meanwhile. */
  takenOver(): void;
  /** An update failed and will not be delivered again. */
  givenUp(update: Update): Promise<void>;
}

/** Telegram keeps updates for 24 hours; one hour less allows for clocks that differ. */
const KEPT_MS = 23 * HOUR_MS;
const NOTE_EVERY_MS = 20 * SECOND_MS;

/** `of`: the checker bot whose updates are meant; null: the management bot. */
export function createLostUpdates({
  db,
  clock,
  of = null,
}: {
  db: Database;
  clock: Clock;
  of?: number | null;
}): LostUpdates {
  let notedMs = Number.NEGATIVE_INFINITY;
  /** Another program fetched updates, which are lost for us. */
  let wasTakenOver = false;
  return {
    async caughtUp() {
      const machineAt = systemClock.now();
      if (!wasTakenOver && machineAt.getTime() - notedMs < NOTE_EVERY_MS) return;
      const at = clock.now();
      await db.transaction(async (tx) => {
        const before = await recordHeard(tx, { at, machineAt }, of);
        if (before === undefined) return;
        const isTooOld = machineAt.getTime() - before.machineAt.getTime() > KEPT_MS;
        if (isTooOld || wasTakenOver) await recordLoss(tx, { startedAt: before.at, endedAt: at }, of);
      });
      notedMs = machineAt.getTime();
      wasTakenOver = false;
    },
    failed(failure) {
      if (failure.kind === 'refused' && failure.errorCode === 409) wasTakenOver = true;
    },
    takenOver() {
      wasTakenOver = true;
    },
    async givenUp(update) {
      const date = update.chat_member?.date;
      if (date === undefined) return;
      const startedAt = new Date(date * 1000);
      await recordLoss(db, { startedAt, endedAt: addSeconds(startedAt, 1) }, of);
    },
  };
}
