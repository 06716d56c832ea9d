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
  /** Until the next request is possible; 0 when one is now. */
  readonly retryAfterSeconds: number;
  /** Until the whole burst is available again. */
  readonly resetSeconds: number;
}

/** A token bucket per key: `burst` requests at once, `perSecond` in the long run. */
export interface RateLimiter {
  /** At once when this process counts alone; a promise, which never fails, when processes share the count. */
  take(policy: RatePolicy, key: string): RateState | Promise<RateState>;
  /** Gives a request back that turned out not to count. */
  giveBack(policy: RatePolicy, key: string): void;
}

export interface MemoryRateLimiter extends RateLimiter {
  take(policy: RatePolicy, key: string): RateState;
}

/** What a caller is told of a bucket in which `tokens` are left. */
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
   * A full bucket is as good as none, so nobody is forgiven anything. Those that are left must double before the next
   * look: it goes over all of them, and a flood of new callers must not pay for it with every call.
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

/** The headers of the IETF draft, in its present form and in the three-part one that most clients read. */
function setRateHeaders(reply: FastifyReply, policy: RatePolicy, state: RateState): void {
  reply.header('RateLimit-Policy', describePolicy(policy));
  reply.header('RateLimit', `"${policy.name}";r=${state.remaining};t=${state.resetSeconds}`);
  reply.header('RateLimit-Limit', policy.burst);
  reply.header('RateLimit-Remaining', state.remaining);
  reply.header('RateLimit-Reset', state.resetSeconds);
}

/** The same for every answer, so it is put together once. */
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
 * Counts a request and refuses it when there are too many. Done when it returns nothing; where the count is shared it
 * returns a promise, and the request goes on when that is fulfilled.
 */
export function enforceRate(
  limiter: RateLimiter,
  reply: FastifyReply,
  policy: RatePolicy,
  key: string,
): Promise<void> | undefined {
  const state = limiter.take(policy, key);
  // A promise for the usual case would cost more than the counting.
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
