import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { buildServer, healthRoutes, metricsRoute } from '../http/index.ts';
import type { Intake } from '../telegram/index.ts';
import type { Assembly } from './assemble.ts';
import type { Mode } from './mode.ts';
import { SERVICE_VERSION } from './version.ts';

interface AppDeps {
  readonly config: Config;
  readonly log: Logger;
  readonly mode: Mode;
  readonly parts: Assembly;
  readonly intake: Intake;
  /** Fails while the service cannot serve requests. */
  readonly checkReady: () => Promise<void>;
  readonly isStopping: () => boolean;
}

/** Builds the HTTP server with the routes of this process's roles. */
export function buildApp({ config, log, mode, parts, intake, checkReady, isStopping }: AppDeps): FastifyInstance {
  const { routes, metrics } = parts;
  const isApi = config.roles.has('api');
  return buildServer({
    log,
    gate: parts.gate,
    version: SERVICE_VERSION,
    trustProxy: config.trustedProxies,
    supportContact: config.supportContact,
    hostNames: [new URL(config.publicUrl).hostname, config.host, ...config.allowedHosts],
    isStopping,
    onAnswer: metrics.answered,
    onPayload: mode.onPayload,
    publicRoutes: [
      healthRoutes({ checkReady, isStopping }),
      metricsRoute({ page: metrics, token: config.metricsToken }),
      ...(isApi ? routes.publicRoutes : []),
    ],
    tokenRoutes: isApi ? routes.tokenRoutes : [],
    queryTokenRoutes: isApi ? routes.queryTokenRoutes : [],
    unguardedRoutes: [
      ...(isApi ? routes.unguardedRoutes : []),
      ...(config.roles.has('bot') ? intake.routes : []),
      ...mode.routes(parts),
    ] as FastifyPluginAsync[],
  });
}
