import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Secrets } from '../core/secrets.ts';
import { createMemoryRateLimiter, createRedisRateLimiter, type RateLimiter } from '../http/index.ts';
import { openRedis, type Redis } from '../redis/index.ts';

export interface ProvidedLimiter {
  readonly limiter: RateLimiter;
  /** Absent when REDIS_URL is not set. */
  readonly redis: Redis | undefined;
  close(): Promise<void>;
}

/** Returns a limiter that shares its counts over Redis if REDIS_URL is set. Otherwise the process counts alone. */
export async function provideLimiter(config: Config, secrets: Secrets, log: Logger): Promise<ProvidedLimiter> {
  const local = createMemoryRateLimiter();
  if (config.redis === undefined) return { limiter: local, redis: undefined, close: async () => undefined };
  const redis = await openRedis({ ...config.redis, log });
  return { limiter: createRedisRateLimiter({ redis, secrets, local }), redis, close: () => redis.close() };
}
