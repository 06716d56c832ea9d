import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../core/errors.ts';
import type { TokenCache, TokenHolder } from '../modules/bots/index.ts';
import { networkOf } from './client-address.ts';
import { enforceRate, type RateLimiter, type RatePolicy } from './rate-limit.ts';

export interface Gate {
  readonly tokens: TokenCache;
  readonly limiter: RateLimiter;
  readonly perToken: RatePolicy;
  readonly perAddress: RatePolicy;
}

/** Without a promise, which would cost more than what it waits for: a known token is counted at once. */
type Hook = (request: FastifyRequest, reply: FastifyReply, done: (refusal?: Error) => void) => void;

/** For routes that need no token: counted by the caller's address. */
export const limitByAddress =
  ({ limiter, perAddress }: Gate): Hook =>
  (request, reply, done) =>
    count(() => enforceRate(limiter, reply, perAddress, networkOf(request.ip)), done);

/** The token in the `Auth` header. */
export const authenticate = (gate: Gate): Hook => authenticateBy(gate, (request) => request.headers.auth);

/** The token in the query, for the one route that takes it there. */
export const authenticateByQuery = (gate: Gate): Hook =>
  authenticateBy(gate, (request) => (request.query as Record<string, unknown>).api_token);

/** A good token is counted by itself, wherever it comes from; whoever has none, or guesses, is counted by address. */
function authenticateBy(gate: Gate, tokenIn: (request: FastifyRequest) => unknown): Hook {
  const { tokens, limiter, perToken } = gate;

  function admit(holder: TokenHolder, request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined {
    const counted = enforceRate(limiter, reply, perToken, String(holder.bot.id));
    if (counted === undefined) {
      request.caller = holder;
      return undefined;
    }
    return counted.then(() => {
      request.caller = holder;
    });
  }

  async function look(presented: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const holder = await tokens.find(presented);
    await (holder === undefined ? refuse(gate, presented, request, reply) : admit(holder, request, reply));
  }

  return (request, reply, done) => {
    const token = tokenIn(request);
    const presented = typeof token === 'string' ? token : '';
    const holder = tokens.recall(presented);
    count(() => (holder === undefined ? look(presented, request, reply) : admit(holder, request, reply)), done);
  };
}

async function refuse(
  { limiter, perAddress }: Gate,
  presented: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<never> {
  await enforceRate(limiter, reply, perAddress, networkOf(request.ip));
  throw new ApiError(
    'invalid_token',
    presented === ''
      ? 'Send the API token of your bot in the Auth header (in api_token for /statistic).'
      : 'This API token is unknown or disabled. Get one in the management bot: My bots, the bot, API token.',
  );
}

/** Goes on at once when there is nothing to wait for. */
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
