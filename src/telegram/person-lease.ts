import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from '../core/database.ts';
import { ApiError } from '../core/errors.ts';
import { waitAtMost } from '../core/wait-at-most.ts';
import { claimLease, endLease, type Lease, renewLease } from './person-lease-store.ts';

/** Handles one update of a person at a time over all processes that share the database. */
export interface PersonLeases {
  /** Runs the work under the person's lease. Throws, without running it, when the lease is not free in time. */
  run<T>(telegramUserId: number, work: () => Promise<T>): Promise<T>;
}

/** A killed process blocks a person for this long. */
const LEASE_MS = 6_000;
const RENEW_MS = 2_000;
/** Giving up loses nothing: Telegram delivers the update again. */
const WAIT_MS = 8_000;
const FIRST_POLL_MS = 25;
const LAST_POLL_MS = 250;

/**
 * A row with an expiry and not a lock of PostgreSQL: a lock would hold a connection during calls to Telegram, and as
 * many people as the pool has connections would then block each other.
 */
export function createPersonLeases(db: Queryable): PersonLeases {
  /** The last queued work of each person in this process, which keeps the order of arrival. */
  const queues = new Map<number, Promise<void>>();

  async function claim(lease: Lease, deadline: number): Promise<void> {
    for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(2 * pollMs, LAST_POLL_MS)) {
      if (await claimLease(db, lease, LEASE_MS)) return;
      if (performance.now() + pollMs >= deadline) throw notYet();
      await sleep(pollMs);
    }
  }

  async function hold<T>(lease: Lease, work: () => Promise<T>): Promise<T> {
    // A failed renewal is retried at the next interval; without a database the work fails by itself.
    const renewing = setInterval(() => void renewLease(db, lease, LEASE_MS).catch(() => undefined), RENEW_MS);
    try {
      return await work();
    } finally {
      clearInterval(renewing);
      // The work is done: a lease that could not be ended expires.
      await endLease(db, lease).catch(() => undefined);
    }
  }

  return {
    async run(telegramUserId, work) {
      const deadline = performance.now() + WAIT_MS;
      const before = queues.get(telegramUserId);
      const { promise: done, resolve: finish } = Promise.withResolvers<void>();
      // The next update also waits for the earlier ones: this one may give up while they are still running.
      const last = Promise.all([before, done]).then(() => undefined);
      queues.set(telegramUserId, last);
      try {
        if (before !== undefined) await waitUntil(before, deadline);
        const lease = { telegramUserId, holder: randomUUID() };
        await claim(lease, deadline);
        return await hold(lease, work);
      } finally {
        finish();
        void last.then(() => {
          if (queues.get(telegramUserId) === last) queues.delete(telegramUserId);
        });
      }
    },
  };
}

const notYet = (): ApiError =>
  new ApiError('request_in_flight', 'An earlier update of this person is still being handled: send it again.');

async function waitUntil(done: Promise<void>, deadline: number): Promise<void> {
  if (!(await waitAtMost(deadline - performance.now(), done))) throw notYet();
}
