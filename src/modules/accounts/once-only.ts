import { canonicalJson } from '../../core/canonical-json.ts';
import { addDays, type Clock } from '../../core/clock.ts';
import type { Database, Queryable, Transaction } from '../../core/database.ts';
import { ApiError } from '../../core/errors.ts';
import { ROWS_AT_ONCE, runFullChunks } from '../../core/run-in-chunks.ts';
import { sha256 } from '../../core/secrets.ts';
import { deleteResults, findResult, insertResult, tryLockKey } from './idempotency-store.ts';

export interface OnceOnlyRequest {
  readonly accountId: number;
  /** The caller's Idempotency-Key; without one the work is not protected against repeats. */
  readonly key: string | undefined;
  /** The request. The same key with another request is rejected. The order of its fields does not matter. */
  readonly request: unknown;
  readonly at: Date;
}

/**
 * Runs the work of a request once and returns the same result for every repeat. The result is stored in the transaction of
 * the work, so that neither exists without the other. Work that throws changes nothing and may be repeated.
 */
export async function onceOnly<Result>(
  db: Database,
  { accountId, key, request, at }: OnceOnlyRequest,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  if (key === undefined) return db.transaction(work);
  const requestHash = sha256(canonicalJson(request));
  return db.transaction(async (tx) => {
    if (!(await tryLockKey(tx, accountId, key))) {
      throw new ApiError(
        'request_in_flight',
        'A request with this Idempotency-Key is being worked on: ask again soon.',
      );
    }
    const stored = await findResult(tx, accountId, key);
    if (stored === undefined) {
      const answer = await work(tx);
      await insertResult(tx, { accountId, key, requestHash, answer, at });
      return answer;
    }
    if (stored.requestHash.equals(requestHash)) return stored.answer as Result;
    throw new ApiError('idempotency_mismatch', 'This Idempotency-Key was used for another request: take a new one.');
  });
}

/**
 * How long an Idempotency-Key is kept. Programs repeat a request within minutes, but a button of the management bot
 * keeps its key as long as its message is in the chat.
 */
export const ANSWER_DAYS = 400;

/** Deletes the stored results of older requests. Returns the number of deleted results. */
export async function forgetAnswers(
  { db, clock }: { readonly db: Queryable; readonly clock: Clock },
  signal?: AbortSignal,
  limit = ROWS_AT_ONCE,
): Promise<number> {
  const storedBefore = addDays(clock.now(), -ANSWER_DAYS);
  return runFullChunks(limit, () => deleteResults(db, storedBefore, limit), { signal });
}
