import type { Socket } from 'node:net';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify, {
  errorCodes,
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
import { compressResponses } from './compress.ts';
import { answerError, errorBody, methodNotAllowed, routeNotFound } from './errors.ts';
import { collectOpenApi } from './openapi.ts';
import {
  type AnswerObserver,
  createRequestLogger,
  followRequests,
  REQUEST_ID_HEADER,
  REQUEST_ID_LABEL,
  requestIdOf,
} from './request-log.ts';
import { sharedCompilers } from './schema-compilers.ts';
import { collectMethods, dropNulls, readCompressedBodies, withoutExtraSlashes } from './tolerant-requests.ts';
import { traceRequests } from './trace-requests.ts';

export interface ServerParts {
  readonly log: FastifyBaseLogger;
  readonly gate: Gate;
  /** The version of the service, for the API document. Without it there is no document. */
  readonly version?: string;
  /** Addresses and ranges of our own proxies. Only they may forward a client address. The default is none. */
  readonly trustProxy?: readonly string[];
  /** Our own host names, without ports. IP addresses and `localhost` always pass. Without it, every `Host` passes. */
  readonly hostNames?: readonly string[];
  /** Routes for publishers' bots, which send a token in the `Auth` header. */
  readonly tokenRoutes: readonly FastifyPluginAsync[];
  /** Routes that take the token as `api_token` in the query. */
  readonly queryTokenRoutes: readonly FastifyPluginAsync[];
  /** Routes without authentication, limited by address. */
  readonly publicRoutes: readonly FastifyPluginAsync[];
  /** Routes that do their own checks, such as Telegram's webhook, and the sandbox. */
  readonly unguardedRoutes: readonly FastifyPluginAsync[];
  /** Where people get help; error pages name it. */
  readonly supportContact?: FastifyInstance['supportContact'];
  /** Whether the process is about to stop. Responses then close their connections. */
  readonly isStopping?: () => boolean;
  /** Called for every response, for the metrics. */
  readonly onAnswer?: AnswerObserver;
  /** Called with the body of every response, for the sandbox's page. Live mode has none. */
  readonly onPayload?: PayloadWatcher | undefined;
}

export type PayloadWatcher = (request: FastifyRequest, reply: FastifyReply, payload: unknown) => void;

const BODY_LIMIT_BYTES = 64 * 1024;
/** Closes connections whose request takes longer to arrive, such as those of an attacker that sends slowly. */
const REQUEST_TIMEOUT_MS = 30_000;

export function buildServer(parts: ServerParts): FastifyInstance {
  const { gate, onAnswer = () => undefined } = parts;
  const limit = limitByAddress(gate);
  const app = fastify({
    loggerInstance: parts.log,
    // Fastify's own log lines contain the URL with its query, which may contain a token.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: REQUEST_ID_LABEL }),
    childLoggerFactory: createRequestLogger,
    genReqId: requestIdOf,
    trustProxy: (parts.trustProxy?.length ?? 0) > 0 && createProxyTrust(parts.trustProxy ?? []),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    return503OnClosing: false, // requests on open connections are still served; new connections are refused
    http: { requireHostHeader: false }, // Node's own refusal would not have the form of our errors
    routerOptions: { maxParamLength: 200 },
    rewriteUrl: withoutExtraSlashes,
    schemaController: { compilersFactory: sharedCompilers },
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: true, allErrors: true } },
    frameworkErrors: (error, request, reply) => {
      // No hook runs for a URL that the router cannot parse.
      reply.header(REQUEST_ID_HEADER, request.id);
      limit(request, reply, (refusal) => void answerError(refusal ?? error, request, reply));
    },
    clientErrorHandler: answerUnreadable,
  }).withTypeProvider<TypeBoxTypeProvider>();

  app.decorateRequest('caller', null);
  app.setErrorHandler(answerError);
  acceptEmptyJson(app);
  dropNulls(app);
  readCompressedBodies(app);
  const methodsOf = collectMethods(app);
  traceRequests(app); // before the hooks that read the database
  followRequests(app, parts.log, onAnswer);
  app.decorate('supportContact', parts.supportContact);
  hangUpWhenClosing(app, parts.isStopping);
  if (parts.onPayload !== undefined) watchPayloads(app, parts.onPayload);
  compressResponses(app); // after the hook above, which reads the text

  if (parts.hostNames !== undefined) refuseWrongHosts(app, { names: parts.hostNames, limit, log: parts.log });
  // Runs before the body is read: an unknown path is 404 with any body, and the request counts toward the limit.
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    const methods = methodsOf(request.url);
    if (methods.length > 0) reply.header('Allow', methods.join(', '));
    const missing = methods.length > 0 ? methodNotAllowed(request, methods) : routeNotFound(request);
    limit(request, reply, (refusal) => done(refusal ?? missing));
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
 * Refuses requests with a foreign host name on every path. A trusted proxy may send the browser's host name in
 * X-Forwarded-Host; then both names must be ours.
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
      isLogged = true; // log it once: strangers choose the name and could fill the log
      log.warn({ host: request.host.slice(0, 100) }, 'refused a Host that is not ours; later ones are not logged');
    }
    // Not `done(refusal)`: the console would send its own page instead of the API's error.
    limit(request, reply, (refusal) => void answerError(refusal ?? wrongHost(), request, reply));
  });
}

function behind(hook: ReturnType<typeof authenticate>, routes: readonly FastifyPluginAsync[]): FastifyPluginAsync {
  return async (scope) => {
    scope.addHook('onRequest', hook);
    for (const plugin of routes) await scope.register(plugin);
  };
}

/**
 * Accepts an empty body with the JSON content type, because clients send that. The schema decides if a body is needed.
 */
function acceptEmptyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('remove', 'remove');
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else void parse(request, body as string, done);
  });
  // aiohttp sends this type with a POST that has no body.
  const binary = 'application/octet-stream';
  app.addContentTypeParser(binary, { parseAs: 'buffer' }, (_request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE(binary));
  });
}

/**
 * Sends `Connection: close` while the server stops. Otherwise clients keep busy connections alive and delay the stop,
 * and a client may send a request on a connection that the server closes at that moment.
 */
function hangUpWhenClosing(app: FastifyInstance, isStopping: () => boolean = () => false): void {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isClosing || isStopping()) reply.header('Connection', 'close');
    done(null, payload);
  });
}

function watchPayloads(app: FastifyInstance, watcher: PayloadWatcher): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    watcher(request, reply, payload);
    done(null, payload);
  });
}

/** Sends an error of the usual form to a client whose bytes are not HTTP. */
function answerUnreadable(_error: Error, socket: Socket): void {
  if (!socket.writable) return;
  const body = JSON.stringify(errorBody(new ApiError('malformed_request', 'This is not a readable HTTP request.')));
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
