export type { Gate } from './auth.ts';
export { healthRoutes, METRICS_PATH, metricsRoute } from './health.ts';
export { openApiRoutes } from './openapi.ts';
export { createMemoryRateLimiter, type RateLimiter, type RatePolicy } from './rate-limit.ts';
export { createRedisRateLimiter } from './redis-rate-limit.ts';
export { buildServer, type PayloadWatcher } from './server.ts';
export { startPage } from './start-page.ts';
