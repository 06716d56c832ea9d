import type { ClaimedDelivery } from './claim-store.ts';

/** How much one process sends and claims. */
export interface SendLimits {
  /** Running attempts, in total. */
  readonly sending: number;
  readonly sendingPerEndpoint: number;
  /** Lower limits for failing endpoints, so that slow failures leave send slots for healthy ones. */
  readonly failingSending: number;
  readonly failingSendingPerEndpoint: number;
  /** Claimed deliveries that are not recorded yet, in total. */
  readonly claimed: number;
  /** Higher for a fast endpoint, which saves claim queries. */
  readonly claimedPerQuickEndpoint: number;
}

export const SEND_LIMITS: SendLimits = {
  sending: 64,
  sendingPerEndpoint: 4,
  failingSending: 32,
  failingSendingPerEndpoint: 1,
  claimed: 256,
  claimedPerQuickEndpoint: 32,
};

const QUICK_MS = 500;
const MAX_REMEMBERED = 10_000;

interface EndpointQueue {
  readonly waiting: { readonly delivery: ClaimedDelivery; readonly since: number }[];
  sending: number;
  claimed: number;
  isFailing: boolean;
}

/**
 * The claimed deliveries of this process, one queue per endpoint. Endpoints take turns. All methods are synchronous.
 */
export interface EndpointQueues {
  add(deliveries: readonly ClaimedDelivery[]): void;
  /** Returns the next delivery if a send slot is free, and counts it as being sent. */
  next(): ClaimedDelivery | undefined;
  /** Ends an attempt. After a failure it returns the endpoint's waiting deliveries, which the caller releases. */
  ended(delivery: ClaimedDelivery, attempt: { succeeded: boolean; durationMs: number }): ClaimedDelivery[];
  /** Removes deliveries that were recorded or released. */
  settled(deliveries: readonly ClaimedDelivery[]): void;
  /** Removes and returns deliveries that have waited for this long, or all that wait. */
  takeWaiting(milliseconds?: number): ClaimedDelivery[];
  readonly isEmpty: boolean;
  /** Returns how many more may be claimed, and how many of them for failing endpoints. */
  room(): { readonly slots: number; readonly failingSlots: number };
  /** Returns the endpoints that need no more deliveries. */
  full(): number[];
  /** Returns how many more may be claimed for this endpoint. */
  roomFor(endpointId: number, isFailing: boolean): number;
}

export function createEndpointQueues(limits: SendLimits = SEND_LIMITS): EndpointQueues {
  const queues = new Map<number, EndpointQueue>();
  const quick = new Set<number>();
  let sending = 0;
  let failingSending = 0;

  const queueOf = ({ endpointId, isEndpointFailing }: ClaimedDelivery): EndpointQueue => {
    let queue = queues.get(endpointId);
    if (queue === undefined) {
      queue = { waiting: [], sending: 0, claimed: 0, isFailing: isEndpointFailing };
      queues.set(endpointId, queue);
    }
    return queue;
  };

  const mostFor = (endpointId: number, isFailing: boolean): number => {
    if (isFailing) return limits.failingSendingPerEndpoint;
    return quick.has(endpointId) ? limits.claimedPerQuickEndpoint : limits.sendingPerEndpoint;
  };

  const mayStart = (queue: EndpointQueue): boolean => {
    if (queue.waiting.length === 0) return false;
    if (!queue.isFailing) return queue.sending < limits.sendingPerEndpoint;
    return queue.sending < limits.failingSendingPerEndpoint && failingSending < limits.failingSending;
  };

  return {
    add(deliveries) {
      const since = performance.now();
      for (const delivery of deliveries) {
        const queue = queueOf(delivery);
        queue.claimed++;
        queue.waiting.push({ delivery, since });
      }
    },

    next() {
      if (sending >= limits.sending) return undefined;
      for (const [endpointId, queue] of queues) {
        const first = mayStart(queue) ? queue.waiting.shift() : undefined;
        if (first === undefined) continue;
        queue.sending++;
        sending++;
        if (first.delivery.isEndpointFailing) failingSending++;
        // Move the endpoint to the end so that the others come first.
        queues.delete(endpointId);
        queues.set(endpointId, queue);
        return first.delivery;
      }
      return undefined;
    },

    ended(delivery, { succeeded, durationMs }) {
      const queue = queueOf(delivery);
      queue.sending--;
      sending--;
      if (delivery.isEndpointFailing) failingSending--;
      queue.isFailing = !succeeded;
      if (quick.size >= MAX_REMEMBERED) quick.clear();
      if (succeeded && durationMs < QUICK_MS) quick.add(delivery.endpointId);
      else quick.delete(delivery.endpointId);
      return succeeded ? [] : queue.waiting.splice(0).map((item) => item.delivery);
    },

    settled(deliveries) {
      for (const delivery of deliveries) {
        const queue = queueOf(delivery);
        queue.claimed--;
        if (queue.claimed === 0) queues.delete(delivery.endpointId);
      }
    },

    takeWaiting(milliseconds = 0) {
      const before = performance.now() - milliseconds;
      return [...queues.values()].flatMap(({ waiting }) => {
        const count = waiting.findIndex(({ since }) => since > before);
        return waiting.splice(0, count === -1 ? waiting.length : count).map((item) => item.delivery);
      });
    },

    get isEmpty() {
      return queues.size === 0;
    },

    room() {
      let claimed = 0;
      let failing = 0;
      for (const queue of queues.values()) {
        claimed += queue.claimed;
        if (queue.isFailing) failing += queue.claimed;
      }
      return {
        slots: Math.max(0, limits.claimed - claimed),
        failingSlots: Math.max(0, limits.failingSending - failing),
      };
    },

    full() {
      // Refill only below half, because a claim costs the same for one delivery as for many.
      const isFull = ([endpointId, queue]: [number, EndpointQueue]): boolean =>
        queue.claimed > mostFor(endpointId, queue.isFailing) / 2;
      return [...queues].filter(isFull).map(([endpointId]) => endpointId);
    },

    roomFor(endpointId, isFailing) {
      return Math.max(0, mostFor(endpointId, isFailing) - (queues.get(endpointId)?.claimed ?? 0));
    },
  };
}
