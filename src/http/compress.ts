import { brotliCompress, constants, gzip, type InputType } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Below this size, headers and packets cost more than compression saves. */
const LEAST_BYTES = 1_024;
/** Brotli at this quality is about as fast as gzip and smaller. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const TEXT = /^(?:text\/|application\/(?:json|javascript|xml)|image\/svg)/;

/**
 * The calls that every message of a publisher's bot causes, and the emulated Bot API of a sandbox, whose callers are on
 * this machine. Compressing a response of a few kilobytes takes longer than the rest of such a request
 * (docs/decisions/0111-own-reference-and-compression.md).
 */
const UNCOMPRESSED_ROUTES: ReadonlySet<string | undefined> = new Set([
  '/bot:token/:method',
  '/api/v1/get-sponsors',
  '/api/v1/confirm-subscription',
  '/api/v1/confirm-subscriptions',
]);

/** The answers of other networks' APIs are small too. Reads the URL first, because `routeOptions` builds an object. */
const staysPlain = (request: FastifyRequest): boolean =>
  request.url.startsWith('/compat/') || UNCOMPRESSED_ROUTES.has(request.routeOptions.url);

/** Compresses responses above 1 KB for clients that accept it. Streams and responses with an encoding stay as they are. */
export function compressResponses(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const encoding = isCompressible(request, reply, payload) ? acceptedEncoding(request) : undefined;
    if (encoding === undefined) {
      done(null, payload);
      return;
    }
    const finish = (error: Error | null, body: Buffer): void => {
      if (error !== null) {
        done(null, payload);
        return;
      }
      reply.removeHeader('Content-Length').header('Content-Encoding', encoding);
      done(null, body);
    };
    if (encoding === 'br') brotliCompress(payload as InputType, BROTLI, finish);
    else gzip(payload as InputType, finish);
  });
}

function isCompressible(request: FastifyRequest, reply: FastifyReply, payload: unknown): boolean {
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return false;
  if (payload.length < LEAST_BYTES || staysPlain(request)) return false;
  if (reply.hasHeader('Content-Encoding') || !TEXT.test(String(reply.getHeader('Content-Type')))) return false;
  const vary = reply.getHeader('Vary');
  reply.header('Vary', vary === undefined ? 'Accept-Encoding' : `${String(vary)}, Accept-Encoding`);
  // Another site could make a browser request pages with its own text in them and learn a secret from their sizes.
  return request.method !== 'HEAD' && request.headers['sec-fetch-site'] !== 'cross-site';
}

export function acceptedEncoding({ headers }: FastifyRequest): 'br' | 'gzip' | undefined {
  const accepted = String(headers['accept-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .filter((part) => !/;\s*q=0(?:\.0*)?\s*$/.test(part))
    .map((part) => part.split(';', 1)[0]?.trim());
  return (['br', 'gzip'] as const).find((name) => accepted.includes(name));
}
