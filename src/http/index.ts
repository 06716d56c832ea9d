export type { Gate } from './auth.ts';
export { healthRoutes } from './health.ts';
export { METRICS_PATH, metricsRoute } from './metrics-route.ts';
export { openApiRoutes } from './openapi.ts';
export { createMemoryRateLimiter, type RateLimiter, type RatePolicy } from './rate-limit.ts';
export { createRedisRateLimiter } from './redis-rate-limit.ts';
export { buildServer, type PayloadWatcher } from './server.ts';
