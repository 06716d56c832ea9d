import { createBatcher } from '../../core/batcher.ts';
import type { Database } from '../../core/database.ts';
import { type AttemptDeps, attempt } from './attempt.ts';
import type { AttemptRow } from './outcome-store.ts';
import {
  type ClaimedDelivery,
  type ClaimLimits,
  claimDeliveries,
  isAnythingDue,
  releaseDeliveries,
  takeBackExpired,
} from './queue-store.ts';
import { recordAttempts } from './record-attempts.ts';
import { tellOwners } from './tell-owners.ts';
import type { Webhook } from './webhook.ts';

export interface DelivererDeps extends AttemptDeps {
  readonly db: Database;
  /** Called when a webhook was disabled. Called again later, perhaps by another process, if it throws. */
  readonly onDisabled: (webhook: Webhook) => Promise<void>;
  /** The queue could not be reached, or an owner could not be told; the work goes on. */
  readonly onError: (error: unknown) => void;
  readonly random?: () => number;
  readonly limits?: Partial<Omit<ClaimLimits, 'slots'>> & { readonly slots?: number };
}

/** Sends what is due. Any number of them, in any number of processes, share the queue. */
export interface Deliverer {
  /** Goes on until `stop`. */
  start(): void;
  /** Does all that is due by the clock, for at most so long. Answers how many attempts it made. */
  deliverDue(options?: { readonly withinMs?: number }): Promise<number>;
  /** Takes nothing new, gives what is under way a few seconds, and hands the rest back. */
  stop(): Promise<void>;
}

/**
 * Half of the slots at most are for receivers that are failing, one for each: however many hang, the others find free
 * ones. A lease is longer than an attempt can take.
 */
const LIMITS: ClaimLimits = { slots: 64, failingSlots: 32, perWebhook: 4, perFailingWebhook: 1, leaseSeconds: 30 };
/** A notification at every commit would be faster, and would make all commits that record an event queue for one lock. */
const POLL_MS = 200;
const HOUSEKEEPING_MS = 2_000;
const AFTER_ERROR_MS = 1_000;
const STOP_GRACE_MS = 4_000;
/** Longer than one attempt. */
const DUE_WITHIN_MS = 15_000;

export function createDeliverer(deps: DelivererDeps): Deliverer {
  const { db, clock, random = Math.random, onError } = deps;
  const limits = { ...LIMITS, ...deps.limits };
  const underWay = new Map<Promise<void>, ClaimedDelivery>();
  const stopping = new AbortController();
  const giveUp = new AbortController();
  const sleepers = new Set<() => void>();
  let ended = 0;
  let claiming: Promise<unknown> = Promise.resolve();
  let lastHousekeeping = Number.NEGATIVE_INFINITY;
  let loop: Promise<void> | undefined;

  const recorder = createBatcher<AttemptRow, undefined>({
    async run(attempts) {
      const disabled = await recordAttempts({ db, random }, attempts, clock.now());
      if (disabled > 0) lastHousekeeping = Number.NEGATIVE_INFINITY; // their owners are told at the next look
      return attempts.map(() => undefined);
    },
  });

  /** Claims as much as there is room for and sends it off. One at a time, so that the room is counted once. */
  function fill(): Promise<number> {
    const turn = claiming.then(async () => {
      const slots = limits.slots - underWay.size;
      const failing = [...underWay.values()].filter(({ isWebhookFailing }) => isWebhookFailing).length;
      const failingSlots = Math.max(0, limits.failingSlots - failing);
      if (slots <= 0 || stopping.signal.aborted) return 0;
      const claimed = await claimDeliveries(db, clock.now(), { ...limits, slots, failingSlots });
      for (const delivery of claimed) {
        const task: Promise<void> = carryOut(delivery).finally(() => {
          underWay.delete(task);
          ended++;
          for (const wake of sleepers) wake();
        });
        underWay.set(task, delivery);
      }
      return claimed.length;
    });
    claiming = turn.catch(() => undefined);
    return turn;
  }

  /** Whatever goes wrong here, the lease brings the delivery back. */
  async function carryOut(delivery: ClaimedDelivery): Promise<void> {
    try {
      const done = await attempt(deps, delivery, giveUp.signal);
      await recorder.submit(done);
    } catch (error) {
      if (giveUp.signal.aborted) await releaseDeliveries(db, [delivery]).catch(onError);
      else onError(error);
    }
  }

  async function housekeeping(): Promise<void> {
    const now = performance.now();
    if (now - lastHousekeeping < HOUSEKEEPING_MS) return;
    lastHousekeeping = now;
    await takeBackExpired(db);
    await tellOwners(deps);
  }

  /** Until an attempt ends, or that long. */
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
        await housekeeping();
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
      let attempts = 0;
      lastHousekeeping = Number.NEGATIVE_INFINITY;
      while (!stopping.signal.aborted && performance.now() < deadline) {
        const endedBefore = ended;
        await housekeeping();
        attempts += await fill();
        if (underWay.size === 0 && !(await isAnythingDue(db, clock.now()))) break;
        if (ended === endedBefore) await untilChange(POLL_MS);
      }
      await tellOwners(deps);
      return attempts;
    },

    async stop() {
      stopping.abort();
      for (const wake of sleepers) wake();
      const patience = setTimeout(() => giveUp.abort(), STOP_GRACE_MS);
      await loop;
      await claiming;
      while (underWay.size > 0) await Promise.all(underWay.keys());
      clearTimeout(patience);
    },
  };
}
