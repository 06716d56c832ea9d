import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import type { ApiError } from '../../core/errors.ts';
import { type Language, languageFor } from '../../core/locale.ts';
import { type Gate as AccessGate, authenticateBy } from '../../http/auth.ts';
import { callerOf } from '../../http/caller.ts';
import { ERROR_TABLE, logFailure, routeNotFound, toApiError } from '../../http/errors.ts';
import { type Bot, MAX_SPONSORS } from '../bots/index.ts';
import type { TaskWithOrder } from '../tasks/index.ts';
import type { Gate, GateAnswer, GateInput } from './gate.ts';
import type { MessageDeps } from './gate-message.ts';

/** What every network's routes need. */
export interface NetworkDeps extends MessageDeps {
  readonly gate: Gate;
  readonly access: AccessGate;
}

export interface NetworkContract {
  /** `/compat/<name>`. */
  readonly prefix: string;
  /** Where a request has its token. */
  readonly tokenIn: (request: FastifyRequest) => unknown;
  /** The same in words, for a request without a token. */
  readonly tokenPlace: string;
  /** Whether the token is in the body, which is read after the first hooks. */
  readonly isTokenInBody?: boolean;
  /** Returns the network's form of an error. */
  readonly errorOf: (error: ApiError, status: number) => { readonly status: number; readonly body: unknown };
}

/** Registers routes with one network's authentication and form of errors. No error is a 500. */
export const networkRoutes =
  (access: AccessGate, contract: NetworkContract, routes: FastifyPluginAsyncTypebox): FastifyPluginAsync =>
  async (app) => {
    await app.register(
      async (scope: FastifyInstance) => {
        const authenticate = authenticateBy(access, contract.tokenIn, contract.tokenPlace);
        if (contract.isTokenInBody === true) scope.addHook('preValidation', authenticate);
        else scope.addHook('onRequest', authenticate);
        acceptAnyContentType(scope);
        scope.setErrorHandler((thrown, request, reply) => answer(contract, thrown, request, reply));
        // SDKs read the network's form of errors from every path, also from one that does not exist here.
        scope.setNotFoundHandler((request) => {
          throw routeNotFound(request);
        });
        await scope.register(routes);
      },
      { prefix: contract.prefix },
    );
  };

/**
 * Reads every body as JSON. aiohttp, which most clients of these networks use, sends a request without a body as
 * application/octet-stream.
 */
function acceptAnyContentType(scope: FastifyInstance): void {
  // The server's own parser of this type, for callers of our API, refuses a body.
  scope.removeContentTypeParser('application/octet-stream');
  const parse = scope.getDefaultJsonParser('remove', 'remove');
  scope.addContentTypeParser('*', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else void parse(request, body as string, done);
  });
}

function answer(
  { errorOf }: NetworkContract,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const error = toApiError(thrown);
  const row = ERROR_TABLE[error.code];
  logFailure(error, thrown, request);
  if (row.retryAfterSeconds !== undefined) reply.header('Retry-After', row.retryAfterSeconds);
  const { status, body } = errorOf(error, row.status === 500 ? 503 : row.status);
  return reply.code(status).type('application/json; charset=utf-8').serializer(JSON.stringify).send(body);
}

const MAX_ID = Number.MAX_SAFE_INTEGER;

/** Clients send ids as numbers or as digits. */
export const UserId = Type.Union([
  Type.Integer({ minimum: 1, maximum: MAX_ID }),
  Type.String({ pattern: '^[1-9][0-9]{0,14}$' }),
]);

/** Clients send null for every field that they do not know. */
export const nullable = <Value>(schema: TSchema & { readonly type?: string }) =>
  Type.Optional(Type.Unsafe<Value | null>({ ...schema, type: [schema.type ?? 'object', 'null'] }));

export const OptionalText = (maxLength: number) =>
  nullable<string>(Type.String({ maxLength, pattern: '^[^\\u0000]*$' }));
export const OptionalInteger = nullable<number>(Type.Integer({ minimum: -MAX_ID, maximum: MAX_ID }));

/** Accepts a flag as clients send it: true, false, 1 or 0. */
export const OptionalFlag = Type.Optional(
  Type.Union([Type.Boolean(), Type.Integer({ minimum: 0, maximum: 1 }), Type.Null()]),
);
export const isOn = (flag: boolean | number | null | undefined): boolean | undefined =>
  flag == null ? undefined : Boolean(flag);

export interface AskBody {
  readonly user_id: number | string;
  readonly chat_id?: number | null | undefined;
  readonly first_name?: string | null | undefined;
  readonly username?: string | null | undefined;
  readonly language_code?: string | null | undefined;
  readonly is_premium?: boolean | number | null | undefined;
  readonly max?: number | null | undefined;
  readonly action?: 'subscribe' | 'newtask';
}

/** Translates a network's request. A number of tasks outside our limits becomes the nearest one. */
export function askFor(bot: Bot, body: AskBody): GateInput {
  const wanted = body.max ?? bot.maxSponsors;
  return {
    bot,
    userId: Number(body.user_id),
    action: body.action ?? 'subscribe',
    max: Math.min(Math.max(wanted, MAX_SPONSORS.min), MAX_SPONSORS.max),
    chatId: body.chat_id ?? undefined,
    firstName: body.first_name ?? null,
    username: body.username ?? null,
    languageCode: body.language_code ?? null,
    isPremium: isOn(body.is_premium) ?? null,
    withMemberships: true,
  };
}

/** A missing language counts as Russian, as in our own API. */
export const languageOf = (code: string | null | undefined): Language =>
  code == null || code === '' ? 'ru' : languageFor(code);

export const botOf = (request: FastifyRequest): Bot => callerOf(request).bot;

/**
 * Sends the presented answer. Repeat callers get the same array of tasks, and most calls are theirs, so the text of an
 * answer without confirms is kept. `variant` names what else the text depends on.
 */
export function createResponder() {
  const texts = new WeakMap<readonly TaskWithOrder[], Map<string, string>>();
  return (reply: FastifyReply, answered: GateAnswer, variant: string, present: () => unknown): FastifyReply => {
    const kept = texts.get(answered.tasks);
    let text = answered.statuses.size === 0 ? kept?.get(variant) : undefined;
    if (text === undefined) {
      text = JSON.stringify(present());
      if (answered.statuses.size === 0)
        texts.set(answered.tasks, (kept ?? new Map<string, string>()).set(variant, text));
    }
    return reply.type('application/json; charset=utf-8').serializer(String).send(text);
  };
}
