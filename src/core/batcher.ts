import { setImmediate as nextTurn } from 'node:timers/promises';
import { DatabaseUnavailable } from './database.ts';

/**
 * Requests that arrive while a batch is under way wait together and share the next one, so one statement or one durable
 * commit serves many of them (group commit). There is no timer: an idle batcher starts at once, a busy one goes on as
 * soon as the previous batch has returned, and batches grow exactly as fast as the load does.
 */
export interface Batcher<Item, Outcome> {
  submit(item: Item): Promise<Outcome>;
  /** Resolves when everything submitted so far has been answered. */
  drain(): Promise<void>;
}

export interface BatcherOptions<Item, Outcome> {
  /** Answers one outcome per item, in order, in one transaction if it writes. Must be safe to repeat. */
  readonly run: (items: readonly Item[]) => Promise<readonly Outcome[]>;
  readonly maxBatch?: number;
  /** Begins in this turn of the event loop instead of the next, for calls that have only milliseconds in all. */
  readonly isEager?: boolean;
  /** Told after every batch how many it was and how long it took, for the figures. */
  readonly onFlush?: (items: number, milliseconds: number) => void;
}

interface Waiting<Item, Outcome> {
  readonly item: Item;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (reason: unknown) => void;
}

export function createBatcher<Item, Outcome>({
  run,
  maxBatch = 256,
  isEager = false,
  onFlush,
}: BatcherOptions<Item, Outcome>): Batcher<Item, Outcome> {
  const queue: Waiting<Item, Outcome>[] = [];
  let running: Promise<void> | undefined;

  async function work(): Promise<void> {
    while (queue.length > 0) {
      // Whoever has arrived already but is not read yet comes along: a larger batch costs hardly more, and nobody waits longer.
      if (!isEager) await nextTurn();
      await settle(queue.splice(0, maxBatch));
    }
    running = undefined;
  }

  /** When a batch fails its halves are tried apart, so that only the item at fault fails and never its neighbours. */
  async function settle(batch: readonly Waiting<Item, Outcome>[]): Promise<void> {
    const begin = performance.now();
    try {
      const outcomes = await run(batch.map(({ item }) => item));
      onFlush?.(batch.length, performance.now() - begin);
      if (outcomes.length !== batch.length) {
        throw new Error(`a batch of ${batch.length} was answered with ${outcomes.length} outcomes`);
      }
      for (const [i, waiting] of batch.entries()) waiting.resolve(outcomes[i] as Outcome);
    } catch (error) {
      // Without a server every half would fail too, each after its own timeout: tell everyone at once instead.
      if (batch.length === 1 || error instanceof DatabaseUnavailable) {
        for (const waiting of batch) waiting.reject(error);
        return;
      }
      const middle = Math.ceil(batch.length / 2);
      await settle(batch.slice(0, middle));
      await settle(batch.slice(middle));
    }
  }

  return {
    submit(item) {
      return new Promise<Outcome>((resolve, reject) => {
        queue.push({ item, resolve, reject });
        running ??= Promise.resolve().then(work);
      });
    },
    async drain() {
      while (running !== undefined) await running;
    },
  };
}
