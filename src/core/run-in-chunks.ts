import { setTimeout as sleep } from 'node:timers/promises';

export interface Chunk {
  /** How many rows it processed. */
  readonly count: number;
  readonly hasMore: boolean;
}

interface ChunksOptions {
  readonly signal?: AbortSignal | undefined;
  readonly withinMs?: number;
}

/** After this long the rest waits for the job's next run, so that other jobs get their turn. */
const WITHIN_MS = 60_000;
const LONGEST_PAUSE_MS = 250;

/**
 * Runs long work as short independent chunks and returns the total count. After each chunk it pauses for as long as the
 * chunk took, so that at least half of the database's time is left to requests.
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
