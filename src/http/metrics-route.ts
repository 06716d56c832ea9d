import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../core/errors.ts';
import { createProxyTrust } from './client-address.ts';
import { routeNotFound } from './errors.ts';

export interface MetricsPage {
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

/** What proxies add to what they pass on. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'] as const;

/**
 * The figures of this process. They tell what the business does, so they are not for everybody (decision 0030): with a
 * token, for whoever sends it; without one, for this machine and its private network, and for others not there at all.
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
 * Behind a proxy that we were not told to trust everybody comes from the proxy's own, private address; the headers
 * that it adds give it away.
 */
function isNeighbour(request: FastifyRequest): boolean {
  if (!isLocal(request.ip)) return false;
  const isForwarded = FORWARDED.some((name) => request.headers[name] !== undefined);
  return !isForwarded || request.ip !== request.socket.remoteAddress;
}
