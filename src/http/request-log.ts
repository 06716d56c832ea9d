import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Called for every response. `route` is the matched template and never the URL itself. */
export type AnswerObserver = (method: string, route: string, status: number, milliseconds: number) => void;

export const REQUEST_ID_HEADER = 'X-Request-Id';
/** The field name in the log and in the body of a 500. It is the same, so that one search finds both. */
export const REQUEST_ID_LABEL = 'request_id';

/** Accepts ids that are safe in logs, headers and messages. Excludes API tokens (`at_…`) sent in the wrong header. */
const SANE_ID = /^(?!at_)[\w.:-]{8,64}$/;

/**
 * Returns the caller's own request id if it is safe, so that the caller can compare its log with ours. Otherwise
 * returns a random id. A counter would reveal our traffic to a caller that sends two requests.
 */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && SANE_ID.test(sent) ? sent : randomUUID();
}

/** Sets the request id on every response, calls the observer, and logs the responses that `levelOf` selects. */
export function followRequests(app: FastifyInstance, log: FastifyBaseLogger, onAnswer: AnswerObserver): void {
  // Building the log entry costs more than some requests, so it is skipped when the level drops it.
  const isTalkative = log.level === 'debug' || log.level === 'trace';

  app.addHook('onRequest', (request, reply, done) => {
    reply.header(REQUEST_ID_HEADER, request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { url } = request.routeOptions;
    // Unknown methods and paths share one label, so that strangers cannot create unlimited time series.
    if (url === undefined) onAnswer('any', 'unmatched', reply.statusCode, reply.elapsedTime);
    else onAnswer(request.method, url, reply.statusCode, reply.elapsedTime);
    const level = levelOf(reply.statusCode, request.caller !== null);
    if (isTalkative || level !== 'debug') request.log[level](describe(request, reply), 'answered');
    done();
  });
}

/**
 * Returns the log level of a response. At `info` the log shows every server error and every refused request of a known
 * bot, whose owner may ask for the reason. Requests of strangers and rate-limited requests appear only in the metrics,
 * because they could fill the disk.
 */
function levelOf(status: number, isKnownCaller: boolean): 'debug' | 'info' | 'warn' {
  if (status === 503) return 'debug'; // the outage log covers it; one line per request would fill the disk
  if (status >= 500) return 'warn';
  return status >= 400 && status !== 429 && isKnownCaller ? 'info' : 'debug';
}

function describe(request: FastifyRequest, reply: FastifyReply): object {
  return {
    method: request.method,
    route: request.routeOptions.url ?? 'unmatched',
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    bot: request.caller?.bot.id,
  };
}

type Line = readonly [fields: object, message?: string];

/**
 * The logger of one request; its lines contain the request id. It creates the real logger with the first line, because
 * few requests log anything and creating a logger costs more than some requests.
 */
class RequestLogger {
  readonly #parent: FastifyBaseLogger;
  readonly #bindings: object;
  #made: FastifyBaseLogger | undefined;

  constructor(parent: FastifyBaseLogger, bindings: object) {
    this.#parent = parent;
    this.#bindings = bindings;
  }

  get #own(): FastifyBaseLogger {
    this.#made ??= this.#parent.child(this.#bindings);
    return this.#made;
  }

  get level(): string {
    return this.#parent.level;
  }

  child(...[bindings, options]: Parameters<FastifyBaseLogger['child']>): FastifyBaseLogger {
    return this.#own.child(bindings, options);
  }

  trace(...line: Line): void {
    this.#own.trace(...line);
  }

  debug(...line: Line): void {
    this.#own.debug(...line);
  }

  info(...line: Line): void {
    this.#own.info(...line);
  }

  warn(...line: Line): void {
    this.#own.warn(...line);
  }

  error(...line: Line): void {
    this.#own.error(...line);
  }

  fatal(...line: Line): void {
    this.#own.fatal(...line);
  }

  silent(): void {}
}

/** For Fastify's `childLoggerFactory`. */
export function createRequestLogger(parent: FastifyBaseLogger, bindings: object): FastifyBaseLogger {
  return new RequestLogger(parent, bindings) as unknown as FastifyBaseLogger;
}
