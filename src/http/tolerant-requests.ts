import type { IncomingMessage } from 'node:http';
import { createGunzip } from 'node:zlib';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { ApiError } from '../core/errors.ts';

/**
 * What the API accepts beyond its specification (decision 0090), because the bots of publishers let users in unpaid on
 * every error: null for an absent field, slashes too many, and gzip.
 */

const API_PATH = /^\/+(?:api|compat|statistic)(?:\/|\?|$)/;
const EXTRA_SLASH = /\/\/|\/(?:\?|$)/;

/** Returns the URL of an API request without doubled and trailing slashes. Other URLs, such as pages, stay as they are. */
export function withoutExtraSlashes({ url = '/' }: Pick<IncomingMessage, 'url'>): string {
  if (!EXTRA_SLASH.test(url) || !API_PATH.test(url)) return url;
  const [path = '', ...query] = url.split('?');
  const tidy = path.replaceAll(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
  return [tidy, ...query].join('?');
}

/** Returns a function that names the methods of an API path, for the `Allow` header. Call it before the routes exist. */
export function collectMethods(app: FastifyInstance): (url: string) => readonly string[] {
  const routes: { readonly pattern: RegExp; readonly methods: readonly string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    if (!API_PATH.test(url)) return;
    const pattern = new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`);
    routes.push({ pattern, methods: [method].flat() });
  });
  return (url) => {
    const [path = ''] = url.split('?', 1);
    return [...new Set(routes.flatMap(({ pattern, methods }) => (pattern.test(path) ? methods : [])))].sort();
  };
}

interface Schema {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** Whether null has a meaning of its own in this field, as in `language_code`. */
const takesNull = ({ type, anyOf }: Schema): boolean =>
  (Array.isArray(type) ? type : [type]).includes('null') || anyOf?.some(takesNull) === true;

/** Removes nulls from a value in place. */
type Dropper = (value: unknown) => void;

/** Treats null as absent in every optional field of every body, nested ones included. */
export function dropNulls(app: FastifyInstance): void {
  app.addHook('onRoute', (route: RouteOptions) => {
    const schema = route.schema?.body as Schema | undefined;
    if (schema?.properties === undefined) return;
    const drop = dropperFor(schema);
    const mayBeEmpty = (schema.required ?? []).length === 0;
    route.preValidation = [
      (request, _reply, done) => {
        if (mayBeEmpty) request.body ??= {};
        drop?.(request.body);
        done();
      },
      ...[route.preValidation ?? []].flat(),
    ];
  });
}

function dropperFor(schema: Schema): Dropper | undefined {
  const ofItems = schema.items && dropperFor(schema.items);
  if (ofItems !== undefined) {
    return (value) => {
      if (Array.isArray(value)) for (const item of value) ofItems(item);
    };
  }
  const fields = Object.entries(schema.properties ?? {});
  const optional = fields
    .filter(([name, field]) => schema.required?.includes(name) !== true && !takesNull(field))
    .map(([name]) => name);
  const nested = fields.flatMap(([name, field]) => {
    const drop = dropperFor(field);
    return drop === undefined ? [] : [{ name, drop }];
  });
  if (optional.length === 0 && nested.length === 0) return undefined;
  return (value) => {
    if (typeof value !== 'object' || value === null) return;
    const record = value as Record<string, unknown>;
    for (const name of optional) if (record[name] === null) delete record[name];
    for (const { name, drop } of nested) drop(record[name]);
  };
}

/** Reads gzip bodies. Fastify's body limit counts the unpacked bytes, so a small body cannot grow without bound. */
export function readCompressedBodies(app: FastifyInstance): void {
  app.addHook('preParsing', (request, reply, payload, done) => {
    const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
    if (encoding === 'identity') return done(null, payload);
    if (encoding !== 'gzip' && encoding !== 'x-gzip') {
      reply.header('Accept-Encoding', 'gzip');
      return done(
        new ApiError('unsupported_encoding', 'Send the body as it is or with Content-Encoding: gzip, not another one.'),
      );
    }
    // Fastify compares `receivedEncodedLength` with Content-Length.
    const unpacked = Object.assign(createGunzip(), { receivedEncodedLength: 0 });
    payload.on('data', (chunk: Buffer) => {
      unpacked.receivedEncodedLength += chunk.length;
    });
    payload.on('error', (error: Error) => unpacked.destroy(error));
    // Fastify stops listening once it has responded. An error after that must not end the process.
    unpacked.on('error', () => undefined);
    done(null, payload.pipe(unpacked));
  });
}
