import { EventEmitter } from 'node:events';
import { performance } from 'node:perf_hooks';
import type { Database, Subscription, Transaction } from '../../core/database.ts';

/** The PostgreSQL channel on which the processes of one sandbox wake each other. */
const CHANNEL = 'sandbox_telegram';
/** PostgreSQL limits the payload of a notification to 8,000 bytes. */
const EVENTS_PER_NOTIFICATION = 50;

/** An event for all processes. `id` is included where it saves the listener a query. */
type EmulatorEvent =
  | { kind: 'queue'; bot: number }
  | { kind: 'webhook'; bot: number }
  | { kind: 'confirmed'; bot: number; id: number }
  | { kind: 'faults' }
  | { kind: 'faults_cleared' }
  | { kind: 'bots' };

export type Announce = (event: EmulatorEvent) => void;

export type EventBus = ReturnType<typeof createEventBus>;

export function createEventBus(db: Database) {
  const emitter = new EventEmitter();
  // Every waiting request has a listener, so Node's leak warning at eleven listeners does not apply.
  emitter.setMaxListeners(0);
  let subscription: Promise<Subscription> | undefined;

  const emit = (event: EmulatorEvent): void => {
    emitter.emit(event.kind, event);
  };

  return {
    /** Runs a transaction. Its events reach the listeners of all processes after the commit. */
    async transact<T>(work: (tx: Transaction, announce: Announce) => Promise<T>): Promise<T> {
      let events: EmulatorEvent[] = [];
      const result = await db.transaction(async (tx) => {
        events = []; // a retried transaction starts over
        const value = await work(tx, (event) => events.push(event));
        for (let start = 0; start < events.length; start += EVENTS_PER_NOTIFICATION) {
          await tx.notify(CHANNEL, JSON.stringify(events.slice(start, start + EVENTS_PER_NOTIFICATION)));
        }
        return value;
      });
      for (const event of events) emit(event);
      return result;
    },
    on<Kind extends EmulatorEvent['kind']>(
      kind: Kind,
      listener: (event: Extract<EmulatorEvent, { kind: Kind }>) => void,
    ): () => void {
      emitter.on(kind, listener);
      return () => emitter.off(kind, listener);
    },
    /** Calls the listener when notifications may have been missed. */
    onGap(listener: () => void): void {
      emitter.on('gap', listener);
    },
    async connect(): Promise<void> {
      // PostgreSQL also sends us our own notifications. Every listener tolerates a repeated event.
      subscription ??= db.listen(CHANNEL, {
        onNotify: (payload) => {
          for (const event of JSON.parse(payload) as EmulatorEvent[]) emit(event);
        },
        onReconnect: () => emitter.emit('gap'),
      });
      await subscription;
    },
    async close(): Promise<void> {
      await (await subscription)?.close();
    },
  };
}

export interface WakeSignal {
  /** Resolves when `wake` was called since the last wait, after `ms`, or when `signal` aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  wake(): void;
}

/** A wake-up between two waits is not lost: the next wait resolves at once. */
export function createWakeSignal(): WakeSignal {
  let isAwake = false;
  let endWait: (() => void) | undefined;
  return {
    wake() {
      isAwake = true;
      endWait?.();
    },
    async wait(ms, signal) {
      if (!isAwake && !signal.aborted && ms > 0) {
        await new Promise<void>((resolve) => {
          const done = (): void => {
            clearTimeout(timer);
            signal.removeEventListener('abort', done);
            resolve();
          };
          const timer = setTimeout(done, ms);
          signal.addEventListener('abort', done, { once: true });
          endWait = done;
        });
        endWait = undefined;
      }
      isAwake = false;
    },
  };
}

/** Returns a function that returns the remaining milliseconds of real time: the movable clock must not end a wait. */
export function startCountdown(totalMs: number): () => number {
  const end = performance.now() + totalMs;
  return () => end - performance.now();
}
