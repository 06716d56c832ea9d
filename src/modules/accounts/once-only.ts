import { canonicalJson } from '../../core/canonical-json.ts';
import type { Database, Transaction } from '../../core/database.ts';
import { ApiError } from '../../core/errors.ts';
import { sha256 } from '../../core/secrets.ts';
import { findAnswer, keepAnswer, tryLockKey } from './idempotency-store.ts';

export interface OnceOnlyRequest {
  readonly accountId: number;
  /** The caller's Idempotency-Key; without one the work is simply done. */
  readonly key: string | undefined;
  /** What was asked for: the same key with another request is a mistake. The order of its keys does not count. */
  readonly request: unknown;
  readonly at: Date;
}

/**
 * Does a request's work once however often it is sent, and answers the same each time. The answer is written in the
 * transaction of the work, so there is no moment at which one exists without the other. Work that throws has done
 * nothing and may be sent again.
 */
export async function onceOnly<Answer>(
  db: Database,
  { accountId, key, request, at }: OnceOnlyRequest,
  work: (tx: Transaction) => Promise<Answer>,
): Promise<Answer> {
  if (key === undefined) return db.transaction(work);
  const requestHash = sha256(canonicalJson(request));
  return db.transaction(async (tx) => {
    if (!(await tryLockKey(tx, accountId, key))) {
      throw new ApiError(
        'request_in_flight',
        'A request with this Idempotency-Key is being worked on: ask again soon.',
      );
    }
    const kept = await findAnswer(tx, accountId, key);
    if (kept === undefined) {
      const answer = await work(tx);
      await keepAnswer(tx, { accountId, key, requestHash, answer, at });
      return answer;
    }
    if (kept.requestHash.equals(requestHash)) return kept.answer as Answer;
    throw new ApiError('idempotency_mismatch', 'This Idempotency-Key was used for another request: take a new one.');
  });
}
