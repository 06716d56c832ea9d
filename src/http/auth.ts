import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../core/errors.ts';
import type { TokenDirectory } from '../modules/bots/index.ts';
import { enforceRate, type RateLimiter, type RatePolicy } from './rate-limit.ts';

export interface Gate {
  readonly tokens: TokenDirectory;
  readonly limiter: RateLimiter;
  readonly perToken: RatePolicy;
  readonly perAddress: RatePolicy;
}

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** For routes that need no token: counted by the caller's address. */
export const limitByAddress =
  ({ limiter, perAddress }: Gate): Hook =>
  async (request, reply) => {
    const counted = enforceRate(limiter, reply, perAddress, request.ip);
    if (counted !== undefined) await counted;
  };

/** The token in the `Auth` header. */
export const authenticate = (gate: Gate): Hook => authenticateBy(gate, (request) => request.headers.auth);

/** The token in the query, for the one route that takes it there. */
export const authenticateByQuery = (gate: Gate): Hook =>
  authenticateBy(gate, (request) => (request.query as Record<string, unknown>).api_token);

/** A good token is counted by itself, wherever it comes from; whoever has none, or guesses, is counted by address. */
function authenticateBy(gate: Gate, tokenIn: (request: FastifyRequest) => unknown): Hook {
  const { tokens, limiter, perToken, perAddress } = gate;
  return async (request, reply) => {
    const token = tokenIn(request);
    const presented = typeof token === 'string' ? token : '';
    const holder = tokens.recall(presented) ?? (await tokens.find(presented));
    if (holder === undefined) {
      await enforceRate(limiter, reply, perAddress, request.ip);
      throw new ApiError(
        'invalid_token',
        presented === ''
          ? 'Send the API token of your bot in the Auth header (in api_token for /statistic).'
          : 'This API token is unknown or disabled. Get one in the management bot: My bots, the bot, API token.',
      );
    }
    const counted = enforceRate(limiter, reply, perToken, String(holder.bot.id));
    if (counted !== undefined) await counted;
    request.caller = holder;
  };
}
