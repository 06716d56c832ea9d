import type { SponsorgateError } from './errors.ts';
import { type OperationId, ROUTES } from './generated/api.ts';

const BASE_DELAY_MS = 250;
const MAX_DELAY_MS = 5_000;
/** The client does not wait for a longer `Retry-After`: the caller gets the error at once. */
const MAX_WAIT_SECONDS = 30;

/**
 * POST operations that can be retried when the outcome of the first attempt is unknown: a repeat has no second effect. Other
 * POST operations are retried only with an Idempotency-Key.
 */
const REPEATABLE_POSTS: ReadonlySet<OperationId> = new Set<OperationId>([
  'postGetSponsors',
  'postConfirmSubscription',
  'postConfirmSubscriptions',
  'postUserSubscriptions',
  'postExplain',
  'postGetBalance',
  'postOrdersIdPause',
  'postOrdersIdResume',
  'postOrdersIdCancel',
  'postWebhooksIdEnable',
  'postPostback',
]);

export function isRepeatable(operation: OperationId): boolean {
  const { method, takesKey } = ROUTES[operation];
  return method !== 'POST' || takesKey === true || REPEATABLE_POSTS.has(operation);
}

/** Returns whether the service may have executed the failed call. */
export function isAmbiguous({ status, code }: SponsorgateError): boolean {
  return status === 0 || status >= 500 || code === 'request_in_flight';
}

/** Returns the wait before the next attempt, or `undefined` for no retry. `attempt` counts from 0. */
export function delayBeforeRetryMs(
  operation: OperationId,
  error: SponsorgateError,
  attempt: number,
  random: () => number = Math.random,
): number | undefined {
  const mayRepeat = error.status === 429 || (isAmbiguous(error) && isRepeatable(operation));
  if (!mayRepeat || (error.retryAfterSeconds ?? 0) > MAX_WAIT_SECONDS) return undefined;
  // Full jitter: callers that failed together do not retry together.
  const jitterMs = random() * Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** attempt);
  return (error.retryAfterSeconds ?? 0) * 1000 + jitterMs;
}
