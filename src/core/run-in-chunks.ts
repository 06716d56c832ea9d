import { setTimeout as sleep } from 'node:timers/promises';

export interface Piece {
  /** How much it got done. */
  readonly count: number;
  readonly hasMore: boolean;
}

export interface PiecesOptions {
  readonly signal?: AbortSignal | undefined;
  readonly withinMs?: number;
}

/** What is left after this long waits for the next run: other work of the worker comes in between. */
const WITHIN_MS = 60_000;
const LONGEST_REST_MS = 250;

/**
 * Does work that may be long in short pieces, each complete in itself, and rests after each for as long as it took: so it
 * leaves at least half of the database to requests, however much there is to do. Answers how much was done.
 */
export async function inPieces(
  doPiece: () => Promise<Piece>,
  { signal, withinMs = WITHIN_MS }: PiecesOptions = {},
): Promise<number> {
  const deadline = performance.now() + withinMs;
  let total = 0;
  while (signal?.aborted !== true) {
    const begin = performance.now();
    const { count, hasMore } = await doPiece();
    total += count;
    const end = performance.now();
    if (!hasMore || end >= deadline) break;
    await sleep(Math.min(end - begin, LONGEST_REST_MS), undefined, { signal }).catch(() => undefined);
  }
  return total;
}
