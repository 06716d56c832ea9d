import type { FastifyReply } from 'fastify';
import { ApiError } from '../core/errors.ts';

export interface RatePolicy {
  /** Shown in the RateLimit headers. */
  readonly name: string;
  readonly perSecond: number;
  readonly burst: number;
}

export interface RateState {
  readonly isAllowed: boolean;
  readonly remaining: number;
  /** The time until the next request is allowed; 0 when this one is. */
  readonly retryAfterSeconds: number;
  /** The time until the whole burst is available again. */
  readonly resetSeconds: number;
}

/** A token bucket per key: it allows `burst` requests at once and `perSecond` requests over time. */
export interface RateLimiter {
  /** Counts a request. Returns a promise, which never rejects, only if processes share the count. */
  take(policy: RatePolicy, key: string): RateState | Promise<RateState>;
  /** Takes back the count of a request that should not count. */
  giveBack(policy: RatePolicy, key: string): void;
}

export interface MemoryRateLimiter extends RateLimiter {
  take(policy: RatePolicy, key: string): RateState;
}

/** Returns the state of a bucket with `tokens` left, as the caller sees it in the headers. */
export function rateState({ burst, perSecond }: RatePolicy, tokens: number, isAllowed: boolean): RateState {
  return {
    isAllowed,
    remaining: Math.floor(tokens),
    retryAfterSeconds: isAllowed ? 0 : Math.max(1, Math.ceil((1 - tokens) / perSecond)),
    resetSeconds: Math.ceil((burst - tokens) / perSecond),
  };
}

interface Bucket {
  readonly policy: RatePolicy;
  tokens: number;
  filledAt: number;
}

const SWEEP_ABOVE = 10_000;

export function createMemoryRateLimiter(nowMs: () => number = () => performance.now()): MemoryRateLimiter {
  const buckets = new Map<string, Bucket>();
  let sweepAbove = SWEEP_ABOVE;

  function fill(bucket: Bucket, now: number): void {
    const { burst, perSecond } = bucket.policy;
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.filledAt) / 1000) * perSecond);
    bucket.filledAt = now;
  }

  function bucketOf(policy: RatePolicy, key: string): Bucket {
    const name = `${policy.name}:${key}`;
    const now = nowMs();
    let bucket = buckets.get(name);
    if (bucket === undefined) {
      if (buckets.size >= sweepAbove) forgetFull(now);
      bucket = { policy, tokens: policy.burst, filledAt: now };
      buckets.set(name, bucket);
    }
    fill(bucket, now);
    return bucket;
  }

  /**
   * Deletes full buckets. A full bucket has the same effect as a missing one, so no caller gains requests. The next run
   * waits until the number of buckets has doubled, because a run visits all buckets and would slow down every request
   * during a flood of new callers.
   */
  function forgetFull(now: number): void {
    for (const [name, bucket] of buckets) {
      fill(bucket, now);
      if (bucket.tokens >= bucket.policy.burst) buckets.delete(name);
    }
    sweepAbove = Math.max(SWEEP_ABOVE, buckets.size * 2);
  }

  return {
    take(policy, key) {
      const bucket = bucketOf(policy, key);
      const isAllowed = bucket.tokens >= 1;
      if (isAllowed) bucket.tokens -= 1;
      return rateState(policy, bucket.tokens, isAllowed);
    },
    giveBack(policy, key) {
      const bucket = bucketOf(policy, key);
      bucket.tokens = Math.min(policy.burst, bucket.tokens + 1);
    },
  };
}

/**
 * Sets the headers of the IETF draft, in its current form and in the older form with three headers that clients read.
 */
function setRateHeaders(reply: FastifyReply, policy: RatePolicy, state: RateState): void {
  reply.header('RateLimit-Policy', describePolicy(policy));
  reply.header('RateLimit', `"${policy.name}";r=${state.remaining};t=${state.resetSeconds}`);
  reply.header('RateLimit-Limit', policy.burst);
  reply.header('RateLimit-Remaining', state.remaining);
  reply.header('RateLimit-Reset', state.resetSeconds);
}

/** The header is the same for every response of a policy, so it is built once. */
const policyHeaders = new WeakMap<RatePolicy, string>();

function describePolicy(policy: RatePolicy): string {
  let header = policyHeaders.get(policy);
  if (header === undefined) {
    const window = Math.max(1, Math.ceil(policy.burst / policy.perSecond));
    header = `"${policy.name}";q=${policy.burst};w=${window}`;
    policyHeaders.set(policy, header);
  }
  return header;
}

/**
 * Counts a request and throws `too_many_requests` when the limit is reached. Returns a promise if processes share the
 * count; the caller must wait for it. Otherwise returns `undefined`.
 */
export function enforceRate(
  limiter: RateLimiter,
  reply: FastifyReply,
  policy: RatePolicy,
  key: string,
): Promise<void> | undefined {
  const state = limiter.take(policy, key);
  // No promise in the usual case: it would cost more than the counting.
  if (state instanceof Promise) return state.then((late) => admit(reply, policy, late));
  admit(reply, policy, state);
  return undefined;
}

function admit(reply: FastifyReply, policy: RatePolicy, state: RateState): void {
  setRateHeaders(reply, policy, state);
  if (state.isAllowed) return;
  reply.header('Retry-After', state.retryAfterSeconds);
  throw new ApiError('too_many_requests', `Slow down: the next request is possible in ${state.retryAfterSeconds} s.`);
}
