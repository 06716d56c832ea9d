import { randomUUID } from 'node:crypto';
import { batchOf } from '../../core/batcher.ts';
import type { Database } from '../../core/database.ts';
import { type AttemptDeps, attempt, recordAttempts } from './attempt-delivery.ts';
import type { Attempt } from './attempt-store.ts';
import {
  type ClaimedDelivery,
  claimDeliveries,
  isAnythingDue,
  releaseDeliveries,
  releaseExpired,
} from './claim-store.ts';
import { createEndpointQueues } from './endpoint-queues.ts';
import { isSuccess } from './retry.ts';

export interface DelivererDeps extends AttemptDeps {
  readonly db: Database;
  /** Called when the database failed; the deliverer goes on. */
  readonly onError: (error: unknown) => void;
  /** Called after every attempt, for the metrics. */
  readonly onAttempt?: (succeeded: boolean, milliseconds: number) => void;
  readonly random?: () => number;
}

/** Sends due deliveries. Deliverers in several processes share the queue. */
export interface Deliverer {
  /** Runs until `stop`. */
  start(): void;
  /** Sends everything that is due, for at most `withinMs`. Returns how many deliveries it claimed. */
  deliverDue(options?: { readonly withinMs?: number }): Promise<number>;
  /** Claims nothing more, gives running attempts a few seconds, and releases the rest. */
  stop(): Promise<void>;
}

/** Longer than the longest wait for a send slot plus the longest attempt (10 s). */
const LEASE_SECONDS = 30;
const MAX_WAIT_MS = 12_000;
/** Polls, because a NOTIFY in every commit that records an event would make these commits wait for one lock. */
const POLL_MS = 200;
const RELEASE_EVERY_MS = 2_000;
const AFTER_ERROR_MS = 1_000;
const STOP_GRACE_MS = 4_000;
/** Longer than one attempt. */
const DUE_WITHIN_MS = 15_000;

export function createDeliverer(deps: DelivererDeps): Deliverer {
  const { db, clock, random = Math.random, onError } = deps;
  const worker = randomUUID();
  const queues = createEndpointQueues();
  const underWay = new Set<Promise<void>>();
  const stopping = new AbortController();
  const giveUp = new AbortController();
  const sleepers = new Set<() => void>();
  let ended = 0;
  let claiming: Promise<unknown> = Promise.resolve();
  let lastReleaseAt = Number.NEGATIVE_INFINITY;
  let loop: Promise<void> | undefined;

  const recorder = batchOf(
    async (attempts: readonly Attempt[]) => {
      await recordAttempts({ db, random }, attempts, clock.now());
      return attempts.map(() => undefined);
    },
    { name: 'webhook_attempts' },
  );

  /** Claims as many deliveries as fit and starts sending them. Calls run one after another, so that room is counted once. */
  function fill(): Promise<number> {
    const turn = claiming.then(async () => {
      await giveBack(queues.takeWaiting(MAX_WAIT_MS));
      const room = queues.room();
      if (room.slots === 0 || stopping.signal.aborted) return 0;
      const { roomFor } = queues;
      const now = clock.now();
      const request = { worker, now, ...room, full: queues.full(), roomFor, leaseSeconds: LEASE_SECONDS };
      const claimed = await claimDeliveries(db, request);
      queues.add(claimed);
      startSending();
      return claimed.length;
    });
    claiming = turn.catch(() => undefined);
    return turn;
  }

  function startSending(): void {
    for (let next = queues.next(); next !== undefined; next = queues.next()) {
      const task = carryOut(next).finally(() => {
        underWay.delete(task);
        ended++;
        for (const wake of sleepers) wake();
      });
      underWay.add(task);
    }
  }

  /** Frees the send slot before the attempt is recorded. If recording fails, the lease expires and the delivery is retried. */
  async function carryOut(delivery: ClaimedDelivery): Promise<void> {
    const done = await attempt(deps, delivery, giveUp.signal).catch((error: unknown) => {
      if (!giveUp.signal.aborted) onError(error);
    });
    const succeeded = done !== undefined && isSuccess(done.result);
    if (done !== undefined) deps.onAttempt?.(succeeded, done.durationMs);
    const unsent = queues.ended(delivery, { succeeded, durationMs: done?.durationMs ?? 0 });
    if (!stopping.signal.aborted) startSending();
    await giveBack(unsent);
    if (done === undefined) return giveBack([delivery]);
    await recorder.submit(done).catch(onError);
    queues.settled([delivery]);
  }

  async function giveBack(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    await releaseDeliveries(db, deliveries).catch(onError);
    queues.settled(deliveries);
  }

  async function releaseLost(): Promise<void> {
    const now = performance.now();
    if (now - lastReleaseAt < RELEASE_EVERY_MS) return;
    lastReleaseAt = now;
    await releaseExpired(db);
  }

  /** Waits until an attempt has ended or the time has passed. */
  function untilChange(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        sleepers.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, milliseconds);
      sleepers.add(wake);
    });
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const endedBefore = ended;
      try {
        await releaseLost();
        await fill();
        if (ended === endedBefore) await untilChange(POLL_MS);
      } catch (error) {
        onError(error);
        await untilChange(AFTER_ERROR_MS);
      }
    }
  }

  return {
    start() {
      loop ??= run();
    },

    async deliverDue({ withinMs = DUE_WITHIN_MS } = {}) {
      const deadline = performance.now() + withinMs;
      let taken = 0;
      lastReleaseAt = Number.NEGATIVE_INFINITY;
      while (!stopping.signal.aborted && performance.now() < deadline) {
        const endedBefore = ended;
        await releaseLost();
        taken += await fill();
        if (queues.isEmpty && !(await isAnythingDue(db, clock.now()))) break;
        if (ended === endedBefore) await untilChange(POLL_MS);
      }
      return taken;
    },

    async stop() {
      stopping.abort();
      for (const wake of sleepers) wake();
      const patience = setTimeout(() => giveUp.abort(), STOP_GRACE_MS);
      await loop;
      await claiming;
      await giveBack(queues.takeWaiting());
      while (underWay.size > 0) await Promise.all(underWay);
      clearTimeout(patience);
    },
  };
}
