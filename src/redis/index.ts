export { inspectRedis, type RedisState } from './inspect-redis.ts';
export { openRedis, type Redis, type RedisOptions } from './open-redis.ts';
export { type Script, script } from './script.ts';
