import type { FastifyError, FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { BotApi } from './api/handle-request.ts';

/** Telegram accepts pictures of up to 10 MB. */
const MAX_UPLOAD_BYTES = 10 * 1024 * 1024;
const MAX_BODY_BYTES = 1024 * 1024;

export interface ServedEmulator {
  readonly handle: BotApi;
  start(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The Bot API over HTTP: `/bot<token>/<method>` below its prefix. Starts the emulator with the server and closes it before
 * the server, because a waiting poll would delay the shutdown.
 */
export function emulatorRoutes(emulator: ServedEmulator): FastifyPluginAsync {
  return async (app) => {
    readAnyBody(app);
    app.addHook('onReady', () => emulator.start());
    app.addHook('preClose', () => emulator.close());
    app.setErrorHandler<FastifyError>((error, request, reply) => {
      const code = error.statusCode !== undefined && error.statusCode < 500 ? error.statusCode : 500;
      if (code === 500) request.log.error({ err: error }, 'emulated Bot API failed');
      const description = code === 500 ? 'Internal Server Error' : `Bad Request: ${error.message}`;
      return reply.code(code).send({ ok: false, error_code: code, description });
    });
    app.route<{ Params: { token: string; method: string } }>({
      method: ['GET', 'POST'],
      url: '/bot:token/:method',
      schema: { hide: true } as object,
      handler: async (request, reply) => {
        const response = await emulator.handle({
          token: request.params.token,
          method: request.params.method,
          params: collectParams(request),
          disconnected: disconnection(reply),
        });
        const type =
          typeof response.body === 'string' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8';
        return reply.code(response.status).type(type).send(response.body);
      },
    });
  };
}

/** Parses every kind of body into a map of parameters. Ignores unknown content types, as Telegram does. */
function readAnyBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: MAX_BODY_BYTES },
    async (_: FastifyRequest, body: string) => {
      if (body.length === 0) return new Map();
      try {
        const value: unknown = JSON.parse(body);
        return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : new Map();
      } catch {
        throw Object.assign(new Error("can't parse JSON object"), { statusCode: 400 });
      }
    },
  );
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MAX_BODY_BYTES },
    async (_: FastifyRequest, body: string) => new Map(new URLSearchParams(body)),
  );
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: MAX_UPLOAD_BYTES },
    async (request: FastifyRequest, body: Buffer) => {
      const fields = parseMultipart(body, request.headers['content-type'] ?? '');
      if (!fields) throw Object.assign(new Error("can't parse form data"), { statusCode: 400 });
      return fields;
    },
  );
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MAX_BODY_BYTES }, async () => new Map());
}

function collectParams(request: FastifyRequest): Map<string, unknown> {
  const params = new Map<string, unknown>(Object.entries(request.query as Record<string, unknown>));
  if (request.body instanceof Map) for (const [name, value] of request.body) params.set(String(name), value);
  return params;
}

function disconnection(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** No Bot API method has this many parameters. */
const MAX_PARTS = 64;
const HEADER_END = Buffer.from('\r\n\r\n');

/**
 * Reads the fields of a multipart form: texts as strings, uploaded files as bytes. Node's parser is not used, because
 * it requires spaces that grammY does not send.
 */
function parseMultipart(body: Buffer, contentType: string): Map<string, string | Buffer> | undefined {
  const boundary = /boundary=(?:"([^"]{1,100})"|([^\s;]{1,100}))/i.exec(contentType);
  const delimiter = boundary && Buffer.from(`--${boundary[1] ?? boundary[2]}`);
  if (!delimiter) return undefined;
  const fields = new Map<string, string | Buffer>();
  let start = body.indexOf(delimiter);
  for (let parts = 0; start >= 0 && parts < MAX_PARTS; parts++) {
    const partStart = start + delimiter.length;
    if (body.subarray(partStart, partStart + 2).toString() === '--') return fields;
    const end = body.indexOf(delimiter, partStart);
    const headerEnd = body.indexOf(HEADER_END, partStart);
    if (end < 0 || headerEnd < 0 || headerEnd > end) return undefined;
    const headers = body.subarray(partStart, headerEnd).toString('utf8');
    const name = /;\s*name="?([^";\r\n]*)/i.exec(headers)?.[1];
    if (name === undefined) return undefined;
    const content = body.subarray(headerEnd + HEADER_END.length, end - 2); // without the line break before the boundary
    fields.set(name, /;\s*filename\*?=/i.test(headers) ? content : content.toString('utf8'));
    start = end;
  }
  return undefined;
}
