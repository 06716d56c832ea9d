export { script } from './connection.ts';
export { inspectRedis } from './inspect-redis.ts';
export { openRedis, type Redis } from './open-redis.ts';
