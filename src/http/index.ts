export type { Gate } from './auth.ts';
export { healthRoutes } from './health.ts';
export { openApiRoutes } from './openapi.ts';
export { createMemoryRateLimiter, type RateLimiter, type RatePolicy } from './rate-limit.ts';
export { buildServer, type ServerParts } from './server.ts';
