import type { SponsorgateError } from './errors.ts';
import { type OperationId, ROUTES } from './generated/api.ts';

const BASE_DELAY_MS = 250;
const MAX_DELAY_MS = 5_000;
/** Whoever is told to wait longer than this gets the error at once and can decide better than a sleeping call. */
const MAX_WAIT_SECONDS = 30;

/**
 * POST operations that may be sent again without knowing what became of the first: the service answers a repeat like
 * the first, and does nothing twice. Others are repeated only with an Idempotency-Key, where the service takes one.
 */
const REPEATABLE_POSTS: ReadonlySet<OperationId> = new Set<OperationId>([
  'postGetSponsors',
  'postConfirmSubscription',
  'postConfirmSubscriptions',
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

/** Whether the failed call may still have been carried out. */
export function isAmbiguous({ status, code }: SponsorgateError): boolean {
  return status === 0 || status >= 500 || code === 'request_in_flight';
}

/** How long to wait before the next attempt, or nothing when there should be none. `attempt` counts from 0. */
export function delayBeforeRetryMs(
  operation: OperationId,
  error: SponsorgateError,
  attempt: number,
  random: () => number = Math.random,
): number | undefined {
  const mayRepeat = error.status === 429 || (isAmbiguous(error) && isRepeatable(operation));
  if (!mayRepeat || (error.retryAfterSeconds ?? 0) > MAX_WAIT_SECONDS) return undefined;
  // Full jitter: callers who failed together do not come back together.
  const jitterMs = random() * Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** attempt);
  return (error.retryAfterSeconds ?? 0) * 1000 + jitterMs;
}
