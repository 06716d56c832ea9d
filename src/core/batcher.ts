import { setImmediate as nextTurn } from 'node:timers/promises';
import { DatabaseUnavailable } from './database.ts';
import { currentTracer, type Span, traceBatch } from './tracing.ts';

/** Runs many submitted items at once. Name a batcher after its function: `confirmsBatch = batchOf(recordConfirms)`. */
export interface Batcher<Item, Outcome> {
  submit(item: Item): Promise<Outcome>;
  /** Resolves when every item submitted so far is settled. */
  drain(): Promise<void>;
}

/** The type of a batcher around the function `Run`, such as `BatcherOf<typeof recordConfirms>`. */
export type BatcherOf<Run> = Run extends (
  db: never,
  items: readonly (infer Item)[],
  ...rest: never[]
) => Promise<readonly (infer Outcome)[]>
  ? Batcher<Item, Outcome>
  : never;

export interface BatchOptions {
  /** For traces. */
  readonly name?: string;
  readonly maxBatch?: number;
  /** Starts the batch in this turn of the event loop instead of the next, for calls with a limit of milliseconds. */
  readonly isEager?: boolean;
  /** Called after every batch, for the metrics. */
  readonly onFlush?: (items: number, milliseconds: number) => void;
}

interface QueuedItem<Item, Outcome> {
  readonly item: Item;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (reason: unknown) => void;
  /** The span of the request that submitted the item, when the process traces. */
  readonly request: Span | undefined;
}

/**
 * Returns a batcher around `run`. `run` returns one outcome per item, in the same order. It writes in one transaction,
 * and it must be safe to repeat. Items submitted while a batch runs share the next batch, so one statement or one
 * commit serves many requests (group commit). There is no timer: an idle batcher starts at once, and a busy one starts
 * when the previous batch returns. Batches therefore grow only with the load.
 */
export function batchOf<Item, Outcome>(
  run: (items: readonly Item[]) => Promise<readonly Outcome[]>,
  { name = 'unnamed', maxBatch = 256, isEager = false, onFlush }: BatchOptions = {},
): Batcher<Item, Outcome> {
  const queue: QueuedItem<Item, Outcome>[] = [];
  let running: Promise<void> | undefined;

  async function work(): Promise<void> {
    while (queue.length > 0) {
      // Wait one turn so that requests already received join this batch; a larger batch takes hardly longer.
      if (!isEager) await nextTurn();
      await settle(queue.splice(0, maxBatch));
    }
    running = undefined;
  }

  /** Runs one batch. Retries the halves of a failed batch separately, so that one bad item does not fail the others. */
  async function settle(batch: readonly QueuedItem<Item, Outcome>[]): Promise<void> {
    const begin = performance.now();
    try {
      const items = batch.map(({ item }) => item);
      const outcomes = await (currentTracer() === undefined
        ? run(items)
        : traceBatch(
            name,
            batch.map(({ request }) => request),
            () => run(items),
          ));
      onFlush?.(batch.length, performance.now() - begin);
      if (outcomes.length !== batch.length) {
        throw new Error(`a batch of ${batch.length} returned ${outcomes.length} outcomes`);
      }
      for (const [i, queued] of batch.entries()) queued.resolve(outcomes[i] as Outcome);
    } catch (error) {
      // Without the database every half would fail too, each after its own timeout, so reject all items at once.
      if (batch.length === 1 || error instanceof DatabaseUnavailable) {
        for (const queued of batch) queued.reject(error);
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
        queue.push({ item, resolve, reject, request: currentTracer()?.current() });
        running ??= Promise.resolve().then(work);
      });
    },
    async drain() {
      while (running !== undefined) await running;
    },
  };
}
