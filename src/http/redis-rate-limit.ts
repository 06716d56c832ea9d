import { batchOf } from '../core/batcher.ts';
import type { Secrets } from '../core/secrets.ts';
import { type Redis, script } from '../redis/index.ts';
import { type MemoryRateLimiter, type RateLimiter, type RatePolicy, type RateState, rateState } from './rate-limit.ts';

/**
 * A bucket is one number: the time at which it is full again. The unit of this time is the interval between two
 * requests that the policy allows, so a request adds exactly 1, and a full bucket needs no key. The script uses the
 * clock of Redis, so processes with different clocks count alike. After a failover that clock may go back, so the
 * script limits `used` to the burst. It returns the used part in thousandths, rounded up; for a refusal it returns −1
 * minus that number.
 */
const TAKE = script(`
local time = redis.call('TIME')
local answers = {}
for i, key in ipairs(KEYS) do
  local rate, burst, cost = tonumber(ARGV[3 * i - 2]), tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i])
  local now = (time[1] + time[2] / 1000000) * rate
  local full = tonumber(redis.call('GET', key) or 0)
  local used = math.min(burst, math.max(0, full - now))
  local allowed = used + cost <= burst
  if allowed then
    used = math.max(0, used + cost)
    if used > 0 then
      redis.call('SET', key, string.format('%.17g', now + used), 'PX', math.ceil(used / rate * 1000))
    else
      redis.call('DEL', key)
    end
  end
  local thousandths = math.ceil(used * 1000 - 0.01)
  answers[i] = allowed and thousandths or -1 - thousandths
end
return answers
`);

interface Item {
  readonly policy: RatePolicy;
  readonly key: string;
  /** 1 counts a request, −1 takes a count back. */
  readonly cost: 1 | -1;
}

export interface SharedLimits {
  readonly redis: Redis;
  readonly secrets: Secrets;
  /** Counts for this process alone while Redis is down. */
  readonly local: MemoryRateLimiter;
}

/** Redis runs nothing else during a script, so one call must stay short. */
const MAX_BATCH = 200;
const MAX_REMEMBERED_NAMES = 10_000;

/**
 * Returns a limiter with buckets in Redis that all processes share. Requests that arrive during a call share the next
 * call. When Redis is slow or down, the process counts waiting and new requests in memory, so a request neither fails
 * nor waits long.
 */
export function createRedisRateLimiter({ redis, secrets, local }: SharedLimits): RateLimiter {
  const names = new Map<string, string>();
  const calls = batchOf(run, { name: 'rate_limits', maxBatch: MAX_BATCH, isEager: true });

  async function run(items: readonly Item[]): Promise<readonly RateState[]> {
    try {
      const answers = await redis.run(
        TAKE,
        items.map(nameOf),
        items.flatMap(({ policy, cost }) => [String(policy.perSecond), String(policy.burst), String(cost)]),
      );
      return items.map(({ policy }, i) => stateIn(policy, (answers as readonly unknown[])[i]));
    } catch {
      return items.map(countHere); // `openRedis` has logged the reason
    }
  }

  function countHere({ policy, key, cost }: Item): RateState {
    if (cost < 0) local.giveBack(policy, key);
    return cost < 0 ? rateState(policy, policy.burst, true) : local.take(policy, key);
  }

  /**
   * Returns the Redis key of a bucket. The key is signed, so a reader of Redis cannot find out bots or addresses
   * without our secret key. It includes the rate and the burst, because policies with other rates use another unit of
   * time.
   */
  function nameOf({ policy: { name, perSecond, burst }, key }: Item): string {
    const text = `${name}:${perSecond}:${burst}:${key}`;
    let hidden = names.get(text);
    if (hidden === undefined) {
      hidden = `sponsorgate:rate:${secrets.sign('rate-limit', text).toString('base64url').slice(0, 22)}`;
      if (names.size >= MAX_REMEMBERED_NAMES) names.clear();
      names.set(text, hidden);
    }
    return hidden;
  }

  return {
    take: (policy, key) => (redis.isUp ? calls.submit({ policy, key, cost: 1 }) : local.take(policy, key)),
    giveBack(policy, key) {
      if (redis.isUp) void calls.submit({ policy, key, cost: -1 });
      else local.giveBack(policy, key);
    },
  };
}

function stateIn(policy: RatePolicy, answer: unknown): RateState {
  if (typeof answer !== 'number') throw new Error('Redis answered something else than a number');
  const isAllowed = answer >= 0;
  const used = (isAllowed ? answer : -1 - answer) / 1000;
  return rateState(policy, policy.burst - used, isAllowed);
}
