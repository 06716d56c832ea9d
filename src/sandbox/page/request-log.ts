import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Clock, formatTimestamp } from '../../core/clock.ts';
import { clip } from '../../core/html.ts';

const KEPT_REQUESTS = 200;
const MAX_BODY = 2_000;

interface LoggedRequest {
  readonly id: number;
  readonly at: Date;
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
  readonly status: number;
  readonly ms: number;
  readonly payload: unknown;
}

export type RequestLog = ReturnType<typeof createRequestLog>;

/**
 * The latest API requests of this process and their responses. Stores references only, since load tests pass through
 * here too; texts are made when a page reads them.
 */
export function createRequestLog(clock: Clock) {
  const kept: LoggedRequest[] = [];
  let lastId = 0;
  return {
    record(request: FastifyRequest, reply: FastifyReply, payload: unknown): void {
      const { method, url, body } = request;
      if (!/^\/(api|compat|statistic)\b/.test(url) || /^\/api\/v1\/(health|ready)/.test(url)) return;
      lastId += 1;
      kept.push({
        id: lastId,
        at: clock.now(),
        method,
        url,
        body,
        status: reply.statusCode,
        ms: reply.elapsedTime,
        payload,
      });
      // Cut rarely, because removing the first elements moves all the others.
      if (kept.length >= KEPT_REQUESTS * 2) kept.splice(0, kept.length - KEPT_REQUESTS);
    },
    clear(): void {
      kept.length = 0;
    },
    /** The id of the oldest request that pages may still show: `clear` raises it. */
    firstId: () => kept[0]?.id ?? lastId + 1,
    /** Returns the requests after `id`, oldest first, at most `limit` of the newest. Secrets are masked, bodies clipped. */
    since(id: number, limit: number) {
      const fresh = kept.slice(-KEPT_REQUESTS).filter((entry) => entry.id > id);
      return fresh.slice(-limit).map(({ id, at, method, url, body, status, ms, payload }) => ({
        id,
        at: formatTimestamp(at),
        method,
        path: mask(clip(url, 300)),
        status,
        ms: Math.round(ms * 10) / 10,
        request: body === undefined ? null : show(JSON.stringify(body)),
        response: typeof payload === 'string' && payload !== '' ? show(payload) : null,
      }));
    },
  };
}

const show = (text: string): string => clip(mask(text), MAX_BODY);

/** Shortens API tokens, webhook secrets and bot tokens, but leaves enough to tell two of them apart. */
export function mask(text: string): string {
  return text
    .replace(/\b(at_[\w-]{4})[\w-]{4,}/g, '$1…')
    .replace(/\b(whsec_[\w+/]{2})[\w+/=]{4,}/g, '$1…')
    .replace(/\b(\d{5,}:[\w-]{2})[\w-]{20,}/g, '$1…');
}
