import type { Socket } from 'node:net';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { ApiError } from '../core/errors.ts';
import { createHostCheck, wrongHost } from './allowed-hosts.ts';
import { authenticate, authenticateByQuery, type Gate, limitByAddress } from './auth.ts';
import { createProxyTrust } from './client-address.ts';
import { answerError, errorBody, routeNotFound } from './errors.ts';
import { collectOpenApi } from './openapi.ts';
import {
  type AnswerObserver,
  followRequests,
  REQUEST_ID_HEADER,
  REQUEST_ID_LABEL,
  requestIdOf,
} from './request-log.ts';
import { createRequestLogger } from './request-logger.ts';

export interface ServerParts {
  readonly log: FastifyBaseLogger;
  readonly gate: Gate;
  /** The service's own, for the API document; absent, none is made. */
  readonly version?: string;
  /** Addresses and ranges of our own proxies. Only what they forward names the caller's address; nobody by default. */
  readonly trustProxy?: readonly string[];
  /** Our own names, without ports; addresses and `localhost` always pass. Absent, every `Host` header passes. */
  readonly hostNames?: readonly string[];
  /** Routes for publishers' bots, behind a token in the `Auth` header. */
  readonly tokenRoutes: readonly FastifyPluginAsync[];
  /** Routes that take the token as `api_token` in the query. */
  readonly queryTokenRoutes: readonly FastifyPluginAsync[];
  /** Routes for anybody, limited by address. */
  readonly publicRoutes: readonly FastifyPluginAsync[];
  /** Routes that guard themselves: Telegram's webhook, the sandbox. */
  readonly unguardedRoutes: readonly FastifyPluginAsync[];
  /** Told of every answer, for the figures. */
  readonly onAnswer?: AnswerObserver;
  /** Sees every answer with its body, for the sandbox's page; live mode has none. */
  readonly onPayload?: PayloadWatcher | undefined;
}

export type PayloadWatcher = (request: FastifyRequest, reply: FastifyReply, payload: unknown) => void;

const BODY_LIMIT_BYTES = 64 * 1024;
/** A request that takes longer to arrive than this is not one of ours. */
const REQUEST_TIMEOUT_MS = 30_000;

export function buildServer(parts: ServerParts): FastifyInstance {
  const { gate, onAnswer = () => undefined } = parts;
  const limit = limitByAddress(gate);
  const app = fastify({
    loggerInstance: parts.log,
    // Fastify's own lines carry the address with its query, and that may hold a token.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: REQUEST_ID_LABEL }),
    childLoggerFactory: createRequestLogger,
    genReqId: requestIdOf,
    trustProxy: (parts.trustProxy?.length ?? 0) > 0 && createProxyTrust(parts.trustProxy ?? []),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    return503OnClosing: false, // what arrived before the end is answered; a late one finds the door closed
    http: { requireHostHeader: false }, // Node's own refusal would not have our shape
    routerOptions: { maxParamLength: 200 },
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: true, allErrors: true } },
    frameworkErrors: (error, request, reply) => {
      // No hook runs for what the router could not even read.
      reply.header(REQUEST_ID_HEADER, request.id);
      limit(request, reply, (refusal) => void answerError(refusal ?? error, request, reply));
    },
    clientErrorHandler: answerUnreadable,
  }).withTypeProvider<TypeBoxTypeProvider>();

  app.decorateRequest('caller', null);
  app.setErrorHandler(answerError);
  acceptEmptyJson(app);
  followRequests(app, parts.log, onAnswer);
  hangUpWhenClosing(app);
  if (parts.onPayload !== undefined) watchPayloads(app, parts.onPayload);

  if (parts.hostNames !== undefined) refuseWrongHosts(app, { names: parts.hostNames, limit, log: parts.log });
  // Before the body is read: an unknown path is 404 whatever is sent to it, and counts like any other request.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) limit(request, reply, (refusal) => done(refusal ?? routeNotFound(request)));
    else done();
  });
  app.setNotFoundHandler((request) => {
    throw routeNotFound(request);
  });
  if (parts.version !== undefined) collectOpenApi(app, parts.version);
  void app.register(behind(authenticate(gate), parts.tokenRoutes));
  void app.register(behind(authenticateByQuery(gate), parts.queryTokenRoutes));
  void app.register(behind(limit, parts.publicRoutes));
  for (const routes of parts.unguardedRoutes) void app.register(routes);
  return app;
}

/**
 * Refuses requests under another site's name on every path, before any other hook sees them. A proxy that we trust may
 * send the name that the browser used in X-Forwarded-Host; then both must be ours.
 */
function refuseWrongHosts(
  app: FastifyInstance,
  { names, limit, log }: { names: readonly string[]; limit: ReturnType<typeof limitByAddress>; log: FastifyBaseLogger },
): void {
  const isAllowed = createHostCheck(names);
  let isLogged = false;
  app.addHook('onRequest', (request, reply, done) => {
    const { host } = request.headers;
    if (isAllowed(host) && isAllowed(request.host)) {
      done();
      return;
    }
    if (!isLogged) {
      isLogged = true; // strangers choose the name, so they must not be able to fill the log with it
      log.warn({ host: request.host.slice(0, 100) }, 'refused a Host that is not ours; later ones are not logged');
    }
    // Not `done(refusal)`: the console would answer with a page of its own instead of the API's error.
    limit(request, reply, (refusal) => void answerError(refusal ?? wrongHost(), request, reply));
  });
}

function behind(hook: ReturnType<typeof authenticate>, routes: readonly FastifyPluginAsync[]): FastifyPluginAsync {
  return async (scope) => {
    scope.addHook('onRequest', hook);
    for (const plugin of routes) await scope.register(plugin);
  };
}

/** Clients send the JSON content type with an empty body where no body is needed; the schema decides if it is. */
function acceptEmptyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('remove', 'remove');
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else void parse(request, body as string, done);
  });
}

/** A connection that is busy when the server closes is kept alive by its client afterwards, and would hold up the stop. */
function hangUpWhenClosing(app: FastifyInstance): void {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isClosing) reply.header('Connection', 'close');
    done(null, payload);
  });
}

function watchPayloads(app: FastifyInstance, watcher: PayloadWatcher): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    watcher(request, reply, payload);
    done(null, payload);
  });
}

/** What is not even HTTP gets the same shape of answer as everything else. */
function answerUnreadable(_error: Error, socket: Socket): void {
  if (!socket.writable) return;
  const body = JSON.stringify(errorBody(new ApiError('malformed_request', 'This is not a readable HTTP request.')));
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
