import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { ApiError } from '../core/errors.ts';
import { createProxyTrust } from './client-address.ts';
import { databaseUnavailable, errorBody, routeNotFound } from './errors.ts';

const STATUS = { schema: { response: { 200: Type.Object({ status: Type.String({ enum: ['ok', 'ready'] }) }) } } };

/**
 * `health` shows that the process responds; a supervisor restarts a process that does not. `ready` shows that
 * `checkReady` succeeds, so the process can serve requests. A balancer sends no requests to a process that is not
 * ready; a restart would not help there.
 */
export function healthRoutes({
  checkReady,
  isStopping = () => false,
}: {
  readonly checkReady: () => Promise<void>;
  /** Whether the process is about to stop. Balancers then choose other processes while this one still serves. */
  readonly isStopping?: () => boolean;
}): FastifyPluginAsyncTypebox {
  let checking: Promise<void> | undefined;
  /** Shares one check between concurrent requests, so that several balancers do not use up the connection pool. */
  const check = (): Promise<void> => {
    checking ??= checkReady().finally(() => {
      checking = undefined;
    });
    return checking;
  };

  return async (app) => {
    app.get('/api/v1/health', STATUS, async () => ({ status: 'ok' }));
    app.get('/api/v1/ready', STATUS, async (_request, reply) => {
      if (isStopping()) return sendStopping(reply);
      try {
        await check();
      } catch (error) {
        throw databaseUnavailable(error);
      }
      return { status: 'ready' };
    });
  };
}

/** Not an error that is thrown: the log would report a database that is away. */
function sendStopping(reply: FastifyReply): FastifyReply {
  const body = errorBody(databaseUnavailable(new Error('the process stops')));
  return reply.code(503).header('Retry-After', 1).serializer(JSON.stringify).send(body);
}

interface MetricsPage {
  readonly contentType: string;
  text(): Promise<string>;
}

export const METRICS_PATH = '/metrics';

/** Loopback, private networks, link-local. */
const isLocal = createProxyTrust([
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '::1',
  'fc00::/7',
  'fe80::/10',
]);

/** The headers that proxies add. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'] as const;

/**
 * Serves the metrics of this process. They reveal business figures, so they are not public (decision 0030). With
 * METRICS_TOKEN set, the caller must send the token. Without it, only this machine and its private network can read
 * them, and all others get a 404.
 */
export const metricsRoute =
  ({ page, token }: { page: MetricsPage; token: string | undefined }): FastifyPluginAsync =>
  async (app) => {
    app.get(METRICS_PATH, async (request, reply) => {
      if (token !== undefined) requireToken(request, reply, token);
      else if (!isNeighbour(request)) throw routeNotFound(request);
      return reply
        .header('Cache-Control', 'no-store')
        .type(page.contentType)
        .send(await page.text());
    });
  };

function requireToken(request: FastifyRequest, reply: FastifyReply, token: string): void {
  const sent = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
  if (timingSafeEqual(digest(sent), digest(token))) return;
  reply.header('WWW-Authenticate', 'Bearer');
  throw new ApiError('invalid_token', 'Send METRICS_TOKEN as Authorization: Bearer <token>.');
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Returns whether the caller is on this machine or its private network. Behind a proxy that is missing in
 * TRUSTED_PROXIES, every request seems to come from the proxy's private address, so a request with headers of such a
 * proxy does not count as local.
 */
function isNeighbour(request: FastifyRequest): boolean {
  if (!isLocal(request.ip)) return false;
  const isForwarded = FORWARDED.some((name) => request.headers[name] !== undefined);
  return !isForwarded || request.ip !== request.socket.remoteAddress;
}
