import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Clock, formatTimestamp } from '../../core/clock.ts';
import { clip } from '../../core/html.ts';

/** One request to the API and its answer, fit to be shown: secrets masked, bodies clipped. */
interface SeenCall {
  readonly id: number;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  readonly request: string | null;
  readonly response: string | null;
}

/** The latest requests of this process to the API. */
export interface CallLog {
  record(request: FastifyRequest, reply: FastifyReply, payload: unknown): void;
  /** Those after the one named, oldest first, at most `limit` of the newest. */
  since(id: number, limit: number): SeenCall[];
}

interface Kept {
  readonly id: number;
  readonly at: Date;
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly ms: number;
  readonly body: unknown;
  readonly payload: unknown;
}

const KEPT_CALLS = 200;
const MAX_BODY = 2_000;

/**
 * Only keeps references while requests come in, since a load test goes through here as well; texts are made when
 * somebody looks.
 */
export function createCallLog(clock: Clock): CallLog {
  const kept: Kept[] = [];
  let lastId = 0;
  return {
    record(request, reply, payload) {
      const { url } = request;
      if (!(url.startsWith('/api/') || url.startsWith('/statistic')) || /^\/api\/v1\/(health|ready)/.test(url)) return;
      lastId += 1;
      kept.push({
        id: lastId,
        at: clock.now(),
        method: request.method,
        url,
        status: reply.statusCode,
        ms: reply.elapsedTime,
        body: request.body,
        payload,
      });
      // Cut seldom and not at every call: taking the first of a list moves all others.
      if (kept.length >= KEPT_CALLS * 2) kept.splice(0, kept.length - KEPT_CALLS);
    },
    since(id, limit) {
      const fresh = kept.slice(-KEPT_CALLS).filter((call) => call.id > id);
      return fresh.slice(-limit).map((call) => ({
        id: call.id,
        at: formatTimestamp(call.at),
        method: call.method,
        path: mask(clip(call.url, 300)),
        status: call.status,
        ms: Math.round(call.ms * 10) / 10,
        request: call.body === undefined ? null : show(JSON.stringify(call.body)),
        response: typeof call.payload === 'string' && call.payload !== '' ? show(call.payload) : null,
      }));
    },
  };
}

const show = (text: string): string => clip(mask(text), MAX_BODY);

/** API tokens, webhook secrets and tokens of bots: of each only so much that two can be told apart. */
export function mask(text: string): string {
  return text
    .replace(/\b(at_[\w-]{4})[\w-]{4,}/g, '$1…')
    .replace(/\b(whsec_[\w+/]{2})[\w+/=]{4,}/g, '$1…')
    .replace(/\b(\d{5,}:[\w-]{2})[\w-]{20,}/g, '$1…');
}
