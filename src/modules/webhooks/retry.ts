import { addSeconds, HOUR_MS } from '../../core/clock.ts';
import type { SendResult } from './send.ts';

/** Delays after the first, second, … failure of a delivery. After the last one the delivery has failed. */
export const RETRY_DELAYS_SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000] as const;
/** Spreads the retries of endpoints that were down at the same time. */
const JITTER = 0.1;
/** An endpoint that has failed for this long without a success is disabled. */
export const DISABLE_AFTER_MS = 120 * HOUR_MS;

export type NextStep =
  | { readonly state: 'delivered' }
  | { readonly state: 'pending'; readonly nextAttemptAt: Date }
  | { readonly state: 'failed' };

export function isSuccess(result: SendResult): boolean {
  return result.statusCode !== null && result.statusCode >= 200 && result.statusCode < 300;
}

/** Returns whether the endpoint asked for no more deliveries. */
export function isGone(result: SendResult): boolean {
  return result.statusCode === 410;
}

/** `failures` are those before this attempt; `random` is from 0 to 1. */
export function nextStep(result: SendResult, failures: number, now: Date, random: number): NextStep {
  if (isSuccess(result)) return { state: 'delivered' };
  const delay = RETRY_DELAYS_SECONDS[failures];
  if (delay === undefined || isGone(result)) return { state: 'failed' };
  return { state: 'pending', nextAttemptAt: addSeconds(now, delay * (1 + JITTER * (2 * random - 1))) };
}
