import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../core/errors.ts';
import type { Caller, TokenLookup } from './caller.ts';
import { networkOf } from './client-address.ts';
import { enforceRate, type RateLimiter, type RatePolicy } from './rate-limit.ts';

export interface Gate {
  readonly tokens: TokenLookup;
  readonly limiter: RateLimiter;
  readonly perToken: RatePolicy;
  readonly perAddress: RatePolicy;
}

/** A hook with a callback. For a cached token, a promise would cost more than the check itself. */
type Hook = (request: FastifyRequest, reply: FastifyReply, done: (refusal?: Error) => void) => void;

/** Limits requests by the caller's address, for routes without a token. */
export const limitByAddress =
  ({ limiter, perAddress }: Gate): Hook =>
  (request, reply, done) =>
    count(() => enforceRate(limiter, reply, perAddress, networkOf(request.ip)), done);

/** Reads the token from the `Auth` header. */
export const authenticate = (gate: Gate): Hook => authenticateBy(gate, (request) => request.headers.auth);

/** Reads the token from the query, for `/statistic`. */
export const authenticateByQuery = (gate: Gate): Hook =>
  authenticateBy(gate, (request) => (request.query as Record<string, unknown>).api_token);

/** Counts requests with a valid token by bot and all others by address, which limits the guessing of tokens. */
export function authenticateBy(
  gate: Gate,
  tokenIn: (request: FastifyRequest) => unknown,
  tokenPlace = 'in the Auth header (in api_token for /statistic)',
): Hook {
  const { tokens, limiter, perToken, perAddress } = gate;

  function admit(caller: Caller, request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined {
    const counted = enforceRate(limiter, reply, perToken, String(caller.bot.id));
    if (counted === undefined) {
      request.caller = caller;
      return undefined;
    }
    return counted.then(() => {
      request.caller = caller;
    });
  }

  async function lookUp(presented: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const caller = await tokens.find(presented);
    await (caller === undefined ? refuse(request, reply, presented) : admit(caller, request, reply));
  }

  async function refuse(request: FastifyRequest, reply: FastifyReply, presented: string): Promise<never> {
    await enforceRate(limiter, reply, perAddress, networkOf(request.ip));
    throw new ApiError(
      'invalid_token',
      presented === ''
        ? `Send the API token of your bot ${tokenPlace}.`
        : 'This API token is unknown or disabled. Get one in the management bot: My bots, the bot, API token.',
    );
  }

  return (request, reply, done) => {
    const token = tokenIn(request);
    const presented = typeof token === 'string' ? token : '';
    const caller = tokens.cached(presented);
    count(() => (caller === undefined ? lookUp(presented, request, reply) : admit(caller, request, reply)), done);
  };
}

/** Calls `done` at once if the limiter did not have to wait, and after its promise otherwise. */
function count(counting: () => Promise<void> | undefined, done: (refusal?: Error) => void): void {
  let counted: Promise<void> | undefined;
  try {
    counted = counting();
  } catch (refusal) {
    done(refusal as Error);
    return;
  }
  if (counted === undefined) done();
  else counted.then(() => done(), done);
}
