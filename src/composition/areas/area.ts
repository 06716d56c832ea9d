import type { FastifyPluginAsync } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { Clock } from '../../core/clock.ts';
import type { ReportDatabase } from '../../core/database.ts';
import type { Secrets } from '../../core/secrets.ts';
import type { OpenDatabase } from '../../db/index.ts';
import type { RateLimiter } from '../../http/index.ts';
import type { Job } from '../../jobs/index.ts';
import type { Metrics } from '../../metrics/index.ts';
import type { Redis } from '../../redis/index.ts';
import type { Mode } from '../mode.ts';

/** The parts of the process that are created before any area. */
export interface Ground {
  readonly config: Config;
  readonly db: OpenDatabase;
  /** A read replica, or the primary when there is none. Not for requests that show tasks or count subscriptions. */
  readonly reports: ReportDatabase;
  readonly mode: Mode;
  readonly limiter: RateLimiter;
  /** The Redis with the shared rate limits and budgets; `undefined` without REDIS_URL. */
  readonly redis: Redis | undefined;
  readonly log: Logger;
  /** Returns the public URL. With PORT=0 it is known only after the server listens. */
  readonly publicUrl: () => string;
}

/** `Ground` plus the parts that every area uses. */
export interface Base extends Ground {
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly metrics: Metrics;
}

/** The routes of the role `api`, grouped by the check that runs before them. */
export interface Routes {
  readonly publicRoutes: readonly FastifyPluginAsync[];
  readonly tokenRoutes: readonly FastifyPluginAsync[];
  readonly queryTokenRoutes: readonly FastifyPluginAsync[];
  readonly unguardedRoutes: readonly FastifyPluginAsync[];
}

/** The routes and jobs that one area of the service registers. */
export interface Area extends Partial<Routes> {
  /** The jobs of the role `worker`. */
  readonly jobs?: readonly Job[];
}
