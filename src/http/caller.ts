import type { FastifyRequest } from 'fastify';
import type { TokenHolder } from '../modules/bots/index.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the authentication hook on routes that need a token. */
    caller: TokenHolder | null;
  }
}

/** Who calls. Only for routes behind `authenticate`; elsewhere asking is a mistake of ours. */
export function callerOf(request: FastifyRequest): TokenHolder {
  if (request.caller === null) throw new Error('a route without authentication asked for its caller');
  return request.caller;
}
