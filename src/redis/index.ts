export { inspectRedis } from './inspect-redis.ts';
export { openRedis, type Redis } from './open-redis.ts';
export { script } from './script.ts';
