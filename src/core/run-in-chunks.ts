import { setTimeout as sleep } from 'node:timers/promises';

/** Rows that one transaction of a cleaning job deletes. */
export const ROWS_AT_ONCE = 1_000;

export interface Chunk {
  /** How many rows it processed. */
  readonly count: number;
  readonly hasMore: boolean;
}

interface ChunksOptions {
  readonly signal?: AbortSignal | undefined;
  readonly withinMs?: number;
}

/** A run stops after this time and leaves the rest to the job's next run, so that no run takes very long. */
export const WITHIN_MS = 60_000;
const LONGEST_PAUSE_MS = 250;

/**
 * Runs long work as short independent chunks and returns the total count. After each chunk it pauses for as long as the
 * chunk took (at most 250 ms), which leaves time of the database to requests.
 */
export async function runInChunks(
  runChunk: () => Promise<Chunk>,
  { signal, withinMs = WITHIN_MS }: ChunksOptions = {},
): Promise<number> {
  const deadline = performance.now() + withinMs;
  let total = 0;
  while (signal?.aborted !== true) {
    const begin = performance.now();
    const { count, hasMore } = await runChunk();
    total += count;
    const end = performance.now();
    if (!hasMore || end >= deadline) break;
    await sleep(Math.min(end - begin, LONGEST_PAUSE_MS), undefined, { signal }).catch(() => undefined);
  }
  return total;
}

/** Repeats a chunk of at most `limit` rows until one is not full. Returns the total. */
export function runFullChunks(
  limit: number,
  runChunk: () => Promise<number>,
  options?: ChunksOptions,
): Promise<number> {
  return runInChunks(async () => {
    const count = await runChunk();
    return { count, hasMore: count >= limit };
  }, options);
}

export interface OwnersChunk {
  /** How many rows it processed. */
  readonly count: number;
  /** The last owner that it read; null when no owner was left. */
  readonly lastId: number | null;
}

/**
 * Processes rows that belong to owners, such as the tasks of orders. A chunk takes the next owners after `afterId`, by id,
 * and at most `limit` of their rows. Returns the total.
 */
export function runByOwner(
  limit: number,
  runChunk: (afterId: number) => Promise<OwnersChunk>,
  options?: ChunksOptions,
): Promise<number> {
  let afterId = 0;
  return runInChunks(async () => {
    const { count, lastId } = await runChunk(afterId);
    const isFull = count >= limit;
    // After a full chunk some of these owners may have more rows, so they are read again.
    if (!isFull) afterId = lastId ?? afterId;
    return { count, hasMore: isFull || lastId !== null };
  }, options);
}
