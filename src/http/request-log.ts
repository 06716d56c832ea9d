import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Told of every answer. `route` is the template that matched, and never the address itself. */
export type AnswerObserver = (method: string, route: string, status: number, milliseconds: number) => void;

export const REQUEST_ID_HEADER = 'X-Request-Id';
/** The field in the log and in the body of a 500: the same name, so that a search for one finds the other. */
export const REQUEST_ID_LABEL = 'request_id';

/** Short and plain enough to be put into logs, headers and messages as it is; and not an API token in the wrong header. */
const SANE_ID = /^(?!at_)[\w.:-]{8,64}$/;

/**
 * The caller's own id for the request when it sends a sane one, so that its log and ours can be laid side by side.
 * Ours is random and not a number that counts up: whoever calls twice would read our traffic off it.
 */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && SANE_ID.test(sent) ? sent : randomUUID();
}

/** Gives every answer its id, tells the observer, and logs what is worth a line. */
export function followRequests(app: FastifyInstance, log: FastifyBaseLogger, onAnswer: AnswerObserver): void {
  // Describing an answer costs more than some answers do, so it is left out when nobody reads it.
  const isTalkative = log.level === 'debug' || log.level === 'trace';

  app.addHook('onRequest', (request, reply, done) => {
    reply.header(REQUEST_ID_HEADER, request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { url } = request.routeOptions;
    // Methods and paths that strangers make up must not make up series.
    if (url === undefined) onAnswer('any', 'unmatched', reply.statusCode, reply.elapsedTime);
    else onAnswer(request.method, url, reply.statusCode, reply.elapsedTime);
    const level = levelOf(reply.statusCode, request.caller !== null);
    if (isTalkative || level !== 'debug') request.log[level](describe(request, reply), 'answered');
    done();
  });
}

/**
 * At `info` there is a line for every fault of ours, and for every request of a known bot that was refused: its owner may
 * ask why. What strangers or haste can cause at will is only counted; they could fill the disk with it.
 */
function levelOf(status: number, isKnownCaller: boolean): 'debug' | 'info' | 'warn' {
  if (status === 503) return 'debug'; // an outage has lines of its own; one for every request would fill the disk
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
