import type { FastifyRequest } from 'fastify';
import { ApiError } from '../core/errors.ts';

/**
 * The publisher's bot whose API token a request carries. `modules/bots/routes.ts` declares its other fields.
 * @public
 */
export interface CallerBot {
  readonly id: number;
  readonly accountId: number;
}

/** The bot and the rights behind a valid API token. */
export interface Caller {
  readonly bot: CallerBot;
  readonly scopes: readonly string[];
  /** SHA-256 of the token. */
  readonly hash: Buffer;
}

/** Finds the caller behind a token. The composition provides it. */
export interface TokenLookup {
  /** Returns the caller at once when the token is cached. */
  cached(token: string): Caller | undefined;
  /** Returns the caller from the cache or the database, or `undefined` for an invalid token. */
  find(token: string): Promise<Caller | undefined>;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the authentication hook on routes that need a token. */
    caller: Caller | null;
  }
}

/** Returns the caller of a route behind `authenticate`. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error('this route has no authentication, so it has no caller');
  return request.caller;
}

/** An `onRequest` hook for beta routes. It must run after `authenticate`. */
export async function requireBeta(request: FastifyRequest): Promise<void> {
  if (callerOf(request).scopes.includes('beta')) return;
  throw new ApiError('invalid_token', 'This API token has no beta access. An operator grants it on request.');
}
