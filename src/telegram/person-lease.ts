import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from '../core/database.ts';
import { ApiError } from '../core/errors.ts';
import { claimTurn, endTurn, renewTurn, type Turn } from './person-lease-store.ts';

/** One update of a person at a time, over all processes that share the database. */
export interface Turns {
  /** Does the work when it is this person's turn; throws when it does not come in time, and then nothing was done. */
  inTurn<T>(telegramUserId: number, work: () => Promise<T>): Promise<T>;
}

/** A process that died keeps a person waiting for this long, which is less than anybody waits. */
const LEASE_MS = 6_000;
const RENEW_MS = 2_000;
/** Telegram sends what it could not deliver again, so giving up loses nothing. */
const WAIT_MS = 8_000;
const FIRST_LOOK_MS = 25;
const LAST_LOOK_MS = 250;

/**
 * A lease in a row and not a lock of PostgreSQL's: a lock would hold a connection while Telegram is being talked to, and
 * as many people at once as the pool has connections would then wait for each other for ever.
 */
export function createTurns(db: Queryable): Turns {
  /** The last in line for each person in this process; within it whoever came first goes first. */
  const lines = new Map<number, Promise<void>>();

  async function claim(turn: Turn, deadline: number): Promise<void> {
    for (let lookMs = FIRST_LOOK_MS; ; lookMs = Math.min(2 * lookMs, LAST_LOOK_MS)) {
      if (await claimTurn(db, turn, LEASE_MS)) return;
      if (performance.now() + lookMs >= deadline) throw notYet();
      await sleep(lookMs);
    }
  }

  async function hold<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    // A database that is away for a moment is asked again; one that stays away ends the work by itself.
    const renewing = setInterval(() => void renewTurn(db, turn, LEASE_MS).catch(() => undefined), RENEW_MS);
    try {
      return await work();
    } finally {
      clearInterval(renewing);
      // What was done is done: a turn that could not be given back runs out.
      await endTurn(db, turn).catch(() => undefined);
    }
  }

  return {
    async inTurn(telegramUserId, work) {
      const deadline = performance.now() + WAIT_MS;
      const before = lines.get(telegramUserId);
      const { promise: done, resolve: finish } = Promise.withResolvers<void>();
      // Whoever comes next waits for those before us as well: we may give up while they are still at it.
      const line = Promise.all([before, done]).then(() => undefined);
      lines.set(telegramUserId, line);
      try {
        if (before !== undefined) await waitUntil(before, deadline);
        const turn = { telegramUserId, holder: randomUUID() };
        await claim(turn, deadline);
        return await hold(turn, work);
      } finally {
        finish();
        void line.then(() => {
          if (lines.get(telegramUserId) === line) lines.delete(telegramUserId);
        });
      }
    },
  };
}

const notYet = (): ApiError =>
  new ApiError('request_in_flight', 'An earlier update of this person is still being handled: send it again.');

async function waitUntil(done: Promise<void>, deadline: number): Promise<void> {
  const giveUp = new AbortController();
  const tooLate = sleep(deadline - performance.now(), true, { signal: giveUp.signal }).catch(() => false);
  const isTooLate = await Promise.race([done.then(() => false), tooLate]);
  giveUp.abort();
  if (isTooLate) throw notYet();
}
