import { EventEmitter } from 'node:events';
import { performance } from 'node:perf_hooks';
import type { Database, Subscription, Transaction } from '../../core/database.ts';

/** The PostgreSQL channel on which processes that share one sandbox wake each other. */
const CHANNEL = 'sandbox_telegram';
/** A notification's payload is limited to 8,000 bytes; this many events stay far below. */
const EVENTS_PER_NOTIFICATION = 50;

/** What one process must tell the others. `id` travels along where it spares the listener a query. */
type EmulatorEvent =
  | { kind: 'queue'; bot: number }
  | { kind: 'webhook'; bot: number }
  | { kind: 'confirmed'; bot: number; id: number }
  | { kind: 'faults' }
  | { kind: 'faults_cleared' }
  | { kind: 'bots' };

export type Announce = (event: EmulatorEvent) => void;

export interface EventBus {
  /** Tells this process at once and the others as soon as the transaction commits. */
  transact<T>(work: (tx: Transaction, announce: Announce) => Promise<T>): Promise<T>;
  on<Kind extends EmulatorEvent['kind']>(
    kind: Kind,
    listener: (event: Extract<EmulatorEvent, { kind: Kind }>) => void,
  ): () => void;
  /** Called when notifications may have been missed. */
  onGap(listener: () => void): void;
  connect(): Promise<void>;
  close(): Promise<void>;
}

export function createEventBus(db: Database): EventBus {
  const emitter = new EventEmitter();
  // One listener per waiting request, so Node's warning about a leak at eleven would be wrong here.
  emitter.setMaxListeners(0);
  let subscription: Promise<Subscription> | undefined;

  const emit = (event: EmulatorEvent): void => {
    emitter.emit(event.kind, event);
  };

  return {
    async transact(work) {
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
    on(kind, listener) {
      emitter.on(kind, listener);
      return () => emitter.off(kind, listener);
    },
    onGap(listener) {
      emitter.on('gap', listener);
    },
    async connect() {
      // Our own notifications come back to us as well; every listener bears being told twice.
      subscription ??= db.listen(CHANNEL, {
        onNotify: (payload) => {
          for (const event of JSON.parse(payload) as EmulatorEvent[]) emit(event);
        },
        onReconnect: () => emitter.emit('gap'),
      });
      await subscription;
    },
    async close() {
      await (await subscription)?.close();
    },
  };
}

export interface Bell {
  /** Resolves when rung since the last call, after `ms`, or when `signal` aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  ring(): void;
}

/** Remembers a ring that comes while its owner is busy reading, so no wake-up is lost between a query and the wait. */
export function createBell(): Bell {
  let rung = false;
  let wake: (() => void) | undefined;
  return {
    ring() {
      rung = true;
      wake?.();
    },
    async wait(ms, signal) {
      if (!rung && !signal.aborted && ms > 0) {
        await new Promise<void>((resolve) => {
          const done = (): void => {
            clearTimeout(timer);
            signal.removeEventListener('abort', done);
            resolve();
          };
          const timer = setTimeout(done, ms);
          signal.addEventListener('abort', done, { once: true });
          wake = done;
        });
        wake = undefined;
      }
      rung = false;
    },
  };
}

/** Milliseconds of real time left: waiting for a bot must not depend on the sandbox's movable clock. */
export function stopwatch(totalMs: number): () => number {
  const end = performance.now() + totalMs;
  return () => end - performance.now();
}
