import type { ClaimedDelivery } from './queue-store.ts';

/** How much one process takes in hand. */
export interface LaneLimits {
  /** Attempts under way, in all. */
  readonly sending: number;
  readonly sendingPerWebhook: number;
  /** The same for receivers that are failing: however many of them hang, the others find free senders. */
  readonly failingSending: number;
  readonly failingSendingPerWebhook: number;
  /** Claimed and not yet recorded, in all. */
  readonly claimed: number;
  /** For a receiver that answers quickly, so that the queue need not be asked for every few messages. */
  readonly claimedPerQuickWebhook: number;
}

export const LANE_LIMITS: LaneLimits = {
  sending: 64,
  sendingPerWebhook: 4,
  failingSending: 32,
  failingSendingPerWebhook: 1,
  claimed: 256,
  claimedPerQuickWebhook: 32,
};

const QUICK_MS = 500;
const MAX_REMEMBERED = 10_000;

interface Lane {
  readonly waiting: { readonly delivery: ClaimedDelivery; readonly since: number }[];
  sending: number;
  claimed: number;
  isFailing: boolean;
}

/** What this process has claimed, a lane for each receiver, served in turn. Plain bookkeeping: nothing here waits. */
export interface Lanes {
  add(deliveries: readonly ClaimedDelivery[]): void;
  /** The next to be sent, if a sender is free for one. Counts as being sent from now on. */
  next(): ClaimedDelivery | undefined;
  /** An attempt has ended. Answers what the receiver is not to be sent for now: after a failure one at a time is enough. */
  ended(delivery: ClaimedDelivery, attempt: { succeeded: boolean; durationMs: number }): ClaimedDelivery[];
  /** What came of it is recorded, or it was given back. */
  settled(deliveries: readonly ClaimedDelivery[]): void;
  /** Takes out what has waited for this long, or all that waits. */
  takeWaiting(milliseconds?: number): ClaimedDelivery[];
  readonly isEmpty: boolean;
  /** How many more may be claimed, and how many of them for receivers that are failing. */
  room(): { readonly slots: number; readonly failingSlots: number };
  /** Receivers that have enough. */
  full(): number[];
  /** How many more may be claimed for this receiver. */
  roomFor(webhookId: number, isFailing: boolean): number;
}

export function createLanes(limits: LaneLimits = LANE_LIMITS): Lanes {
  const lanes = new Map<number, Lane>();
  const quick = new Set<number>();
  let sending = 0;
  let failingSending = 0;

  const laneOf = ({ webhookId, isWebhookFailing }: ClaimedDelivery): Lane => {
    let lane = lanes.get(webhookId);
    if (lane === undefined) {
      lane = { waiting: [], sending: 0, claimed: 0, isFailing: isWebhookFailing };
      lanes.set(webhookId, lane);
    }
    return lane;
  };

  const mostFor = (webhookId: number, isFailing: boolean): number => {
    if (isFailing) return limits.failingSendingPerWebhook;
    return quick.has(webhookId) ? limits.claimedPerQuickWebhook : limits.sendingPerWebhook;
  };

  const mayStart = (lane: Lane): boolean => {
    if (lane.waiting.length === 0) return false;
    if (!lane.isFailing) return lane.sending < limits.sendingPerWebhook;
    return lane.sending < limits.failingSendingPerWebhook && failingSending < limits.failingSending;
  };

  return {
    add(deliveries) {
      const since = performance.now();
      for (const delivery of deliveries) {
        const lane = laneOf(delivery);
        lane.claimed++;
        lane.waiting.push({ delivery, since });
      }
    },

    next() {
      if (sending >= limits.sending) return undefined;
      for (const [webhookId, lane] of lanes) {
        const first = mayStart(lane) ? lane.waiting.shift() : undefined;
        if (first === undefined) continue;
        lane.sending++;
        sending++;
        if (first.delivery.isWebhookFailing) failingSending++;
        // To the end: everybody else comes first.
        lanes.delete(webhookId);
        lanes.set(webhookId, lane);
        return first.delivery;
      }
      return undefined;
    },

    ended(delivery, { succeeded, durationMs }) {
      const lane = laneOf(delivery);
      lane.sending--;
      sending--;
      if (delivery.isWebhookFailing) failingSending--;
      lane.isFailing = !succeeded;
      if (quick.size >= MAX_REMEMBERED) quick.clear();
      if (succeeded && durationMs < QUICK_MS) quick.add(delivery.webhookId);
      else quick.delete(delivery.webhookId);
      return succeeded ? [] : lane.waiting.splice(0).map((item) => item.delivery);
    },

    settled(deliveries) {
      for (const delivery of deliveries) {
        const lane = laneOf(delivery);
        lane.claimed--;
        if (lane.claimed === 0) lanes.delete(delivery.webhookId);
      }
    },

    takeWaiting(milliseconds = 0) {
      const before = performance.now() - milliseconds;
      return [...lanes.values()].flatMap(({ waiting }) => {
        const count = waiting.findIndex(({ since }) => since > before);
        return waiting.splice(0, count === -1 ? waiting.length : count).map((item) => item.delivery);
      });
    },

    get isEmpty() {
      return lanes.size === 0;
    },

    room() {
      let claimed = 0;
      let failing = 0;
      for (const lane of lanes.values()) {
        claimed += lane.claimed;
        if (lane.isFailing) failing += lane.claimed;
      }
      return {
        slots: Math.max(0, limits.claimed - claimed),
        failingSlots: Math.max(0, limits.failingSending - failing),
      };
    },

    full() {
      // Topped up by halves: a claim costs the same for one as for many.
      const isFull = ([webhookId, lane]: [number, Lane]): boolean =>
        lane.claimed > mostFor(webhookId, lane.isFailing) / 2;
      return [...lanes].filter(isFull).map(([webhookId]) => webhookId);
    },

    roomFor(webhookId, isFailing) {
      return Math.max(0, mostFor(webhookId, isFailing) - (lanes.get(webhookId)?.claimed ?? 0));
    },
  };
}
