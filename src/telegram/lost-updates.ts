import type { Update } from 'grammy/types';
import { addSeconds, type Clock, HOUR_MS, SECOND_MS, systemClock } from '../core/clock.ts';
import type { Database } from '../core/database.ts';
import { recordHeard, recordLoss } from '../modules/audience/index.ts';
import type { CallFailure } from './bot-api.ts';

/** Keeps track of whether updates were lost: a join that we cannot date is then no fault of the user. */
export interface IntakeWatch {
  /** Telegram has handed out everything up to now. */
  heard(): Promise<void>;
  /** Telegram refused to hand out updates. */
  failed(failure: CallFailure): void;
  /** Another program set a webhook of its own, and got what came meanwhile. */
  robbed(): void;
  /** An update could not be handled and will not come again. */
  givenUp(update: Update): Promise<void>;
}

/** Telegram keeps updates for 24 hours; one of them is allowed for clocks that differ. */
const KEPT_MS = 23 * HOUR_MS;
const NOTE_EVERY_MS = 20 * SECOND_MS;

export function createIntakeWatch({ db, clock }: { db: Database; clock: Clock }): IntakeWatch {
  let notedMs = Number.NEGATIVE_INFINITY;
  /** Another program fetched updates meanwhile; what it took is lost for us. */
  let wasRobbed = false;
  return {
    async heard() {
      const machineAt = systemClock.now();
      if (!wasRobbed && machineAt.getTime() - notedMs < NOTE_EVERY_MS) return;
      const at = clock.now();
      await db.transaction(async (tx) => {
        const before = await recordHeard(tx, { at, machineAt });
        if (before === undefined) return;
        const isTooOld = machineAt.getTime() - before.machineAt.getTime() > KEPT_MS;
        if (isTooOld || wasRobbed) await recordLoss(tx, { startedAt: before.at, endedAt: at });
      });
      notedMs = machineAt.getTime();
      wasRobbed = false;
    },
    failed(failure) {
      if (failure.kind === 'refused' && failure.errorCode === 409) wasRobbed = true;
    },
    robbed() {
      wasRobbed = true;
    },
    async givenUp(update) {
      const date = update.chat_member?.date;
      if (date === undefined) return;
      const startedAt = new Date(date * 1000);
      await recordLoss(db, { startedAt, endedAt: addSeconds(startedAt, 1) });
    },
  };
}
