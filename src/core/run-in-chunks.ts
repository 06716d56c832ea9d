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
