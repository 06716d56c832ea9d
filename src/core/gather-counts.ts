import { batchOf } from './batcher.ts';
import { businessDay, SECOND_MS } from './clock.ts';
import { DatabaseUnavailable } from './database.ts';

/** Gathers counts in memory and writes them shortly afterwards. */
export interface GatheredCounts<Count> {
  /** Returns at once, so that no request waits for a write. */
  add(count: Count): void;
  /** Writes all counts that are still in memory. */
  drain(): Promise<void>;
}

interface GatherOptions<Count> {
  readonly name: string;
  /** How long counts are gathered before a write. A crash loses at most those of this time. */
  readonly gatherMs: number;
  /** The most kinds in memory. Further kinds are not counted, also while the database is unavailable. */
  readonly maxKinds: number;
  /** Counts of one kind are added up. */
  readonly kindOf: (count: Count) => string;
  readonly sum: (one: Count, other: Count) => Count;
  readonly write: (counts: readonly Count[]) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

export function gatherCounts<Count>(options: GatherOptions<Count>): GatheredCounts<Count> {
  const { name, gatherMs, maxKinds, kindOf, sum, onError } = options;
  let gathered = new Map<string, Count>();
  let timer: NodeJS.Timeout | undefined;
  // Write one batch at a time: parallel writes of one process would wait for each other's row locks.
  const writer = batchOf(
    async (tallies: readonly (readonly Count[])[]) => {
      await options.write(tallies.flat());
      return tallies.map(() => undefined);
    },
    { name },
  );

  function add(count: Count): void {
    const kind = kindOf(count);
    const known = gathered.get(kind);
    if (known !== undefined) gathered.set(kind, sum(known, count));
    else if (gathered.size < maxKinds) gathered.set(kind, count);
    if (timer === undefined) {
      timer = setTimeout(write, gatherMs);
      timer.unref();
    }
  }

  function write(): void {
    clearTimeout(timer);
    timer = undefined;
    if (gathered.size === 0) return;
    const tally = [...gathered.values()];
    gathered = new Map();
    writer.submit(tally).catch((error: unknown) => {
      onError(error);
      if (error instanceof DatabaseUnavailable) for (const count of tally) add(count);
    });
  }

  return {
    add,
    async drain() {
      write();
      await writer.drain();
    },
  };
}

/** Returns `businessDay` with a cache of one second, because days begin on whole seconds. */
export function cachedBusinessDay(): (at: Date) => string {
  let second = Number.NaN;
  let day = '';
  return (at) => {
    const current = Math.floor(at.getTime() / SECOND_MS);
    if (current !== second) {
      second = current;
      day = businessDay(at);
    }
    return day;
  };
}
