import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import type { Gate } from '../../http/auth.ts';
import { networkOf } from '../../http/client-address.ts';
import { enforceRate } from '../../http/rate-limit.ts';
import type { SmartLinks } from './smart-links.ts';
import type { VisitOutcome } from './visit-link.ts';

/**
 * `GET /l/:code`, and HEAD. The rate limit per address does not apply, because mobile operators put whole cities behind
 * one address. Only codes that need a query count against the limit, which throttles guessing.
 */
export const linkRoutes =
  (links: SmartLinks, { limiter, perAddress }: Pick<Gate, 'limiter' | 'perAddress'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get<LinkRoute>('/l/:code', (request, reply) => {
      const address = request.ip;
      let isLookedUp = false;
      const outcome = links.visit({
        code: request.params.code,
        token: tokenIn(request.query.t),
        address,
        userAgent: request.headers['user-agent'],
        hasConsent: request.query.consent === '1',
        isPreview: request.method === 'HEAD' || isPrefetch(request),
        beforeQuery() {
          isLookedUp = true;
          return enforceRate(limiter, reply, perAddress, networkOf(address));
        },
      });
      if (!(outcome instanceof Promise)) return answer(reply, outcome);
      return outcome.then((late) => {
        if (isLookedUp && late.kind === 'redirect') limiter.giveBack(perAddress, networkOf(address));
        return answer(reply, late);
      });
    });
  };

interface LinkRoute {
  Params: { code: string };
  Querystring: { t?: unknown; consent?: unknown };
}

function answer(reply: FastifyReply, outcome: VisitOutcome): FastifyReply {
  if (outcome.kind === 'not_found') throw new ApiError('link_not_found', 'There is no such link.');
  if (outcome.token === 'invalid' || outcome.token === 'expired') reply.header('X-Link-Token', outcome.token);
  return reply
    .header('Cache-Control', 'no-store')
    .header('Referrer-Policy', 'no-referrer')
    .header('Link', '</privacy>; rel="privacy-policy"')
    .redirect(outcome.url, 302);
}

/** Treats every sent value as a token: a repeated parameter is an invalid token, not a missing one. */
function tokenIn(sent: unknown): string | undefined {
  return sent === undefined || typeof sent === 'string' ? sent : '';
}

function isPrefetch({ headers }: FastifyRequest): boolean {
  const purpose = headers['sec-purpose'] ?? headers.purpose ?? headers['x-moz'];
  return typeof purpose === 'string' && /prefetch|preview|prerender/i.test(purpose);
}
