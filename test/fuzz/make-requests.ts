import { createDraw } from '../campaign/plan.ts';
import { type Draw, mutate, mutateQuery, type Schema, STRANGE, STRANGE_PARTS } from './mutate.ts';
import type { FuzzRequest } from './send-requests.ts';

/** Describes an operation for which requests are generated. */
export interface Operation {
  readonly method: string;
  /** Path parameters have the form `{name}`. */
  readonly path: string;
  readonly body?: Schema | undefined;
  readonly query?: readonly string[];
  /** A query part that most requests contain, such as the token, so that authentication does not reject them. */
  readonly ticket?: string | undefined;
  /** Path parameter values of existing objects. */
  readonly known?: Readonly<Record<string, string>>;
}

/**
 * The same seed generates the same requests. For other requests: FUZZ_SEED=7 FUZZ_REQUESTS=1000 npm test -- test/fuzz
 */
export const SEED = Number(process.env.FUZZ_SEED ?? 1);
export const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 60);

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'SEARCH'];
const CONTENT_TYPES = [
  ...['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data', 'x', '', 'a/b;'],
  ...['application/json; charset=utf-16', 'application/json;', 'application/json; x="', 'application/vnd.api+json'],
];
const ODD_HEADERS: readonly Readonly<Record<string, string | string[]>>[] = [
  { 'x-request-id': 'ÿ'.repeat(100) },
  { 'x-request-id': ['one', 'two'] },
  { 'idempotency-key': '' },
  { 'idempotency-key': 'k'.repeat(5_000) },
  { 'idempotency-key': 'ключ'.replace(/./g, '\u00ff') },
  { accept: 'x'.repeat(4_000) },
  { 'accept-language': '\u00ff\u00fe;q=zz,ru-RU' },
  { 'accept-encoding': 'gzip, br, *;q=0' },
  { 'content-encoding': 'gzip' },
  { 'user-agent': `$\{jndi:ldap://x}${'('.repeat(3_000)}` },
  { 'user-agent': '' },
  { cookie: `console=; __Host-console=%00; =; a${';a=b'.repeat(500)}` },
  { range: 'bytes=0-0,-1,5-1' },
  { 'if-none-match': '*' },
  { 'if-modified-since': 'yesterday' },
  { 'x-forwarded-for': '::ffff:1.2.3.4, x, 999.1.1.1' },
  { 'x-http-method-override': 'DELETE' },
  { host: 'evil.example:99999' },
  { origin: 'null', 'sec-fetch-site': 'cross-site' },
  { expect: '100-continue' },
  { authorization: `Bearer ${'x'.repeat(2_000)}` },
];

/** Generates `count` requests to the operation, each slightly or completely wrong. */
export function* makeRequests(operation: Operation, token: string, count: number, seed: number): Iterable<FuzzRequest> {
  const draw = createDraw(seed);
  for (let made = 0; made < count; made++)
    yield draw.chance(0.1) ? withOtherMethod(operation, token, draw) : almostValid(operation, token, draw);
}

function almostValid(
  { method, path, body, query = [], ticket, known = {} }: Operation,
  token: string,
  draw: Draw,
): FuzzRequest {
  const place = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    known[name] !== undefined && draw.chance(0.6) ? known[name] : draw.of(STRANGE_PARTS),
  );
  const asked = query.length > 0 || draw.chance(0.1) ? mutateQuery(query, draw) : '';
  const entered = ticket !== undefined && draw.chance(0.9) ? `?${ticket}&${asked.slice(1)}` : asked;
  const text = body === undefined ? (draw.chance(0.1) ? draw.of(STRANGE) : undefined) : mutate(body, draw);
  const type = draw.chance(0.06) ? draw.of(CONTENT_TYPES) : 'application/json';
  return {
    method,
    path: place + entered,
    headers: {
      ...(text === undefined && draw.chance(0.8) ? {} : { 'content-type': type }),
      ...tokenHeader(token, draw),
      ...(draw.chance(0.12) ? draw.of(ODD_HEADERS) : {}),
    },
    ...(text === undefined || method === 'GET' ? {} : { body: draw.chance(0.04) ? corrupt(text, draw) : text }),
  };
}

function withOtherMethod(operation: Operation, token: string, draw: Draw): FuzzRequest {
  return { ...almostValid(operation, token, draw), method: draw.of(METHODS), body: undefined };
}

/** Returns the valid token most of the time, because most code runs after authentication. */
function tokenHeader(token: string, draw: Draw): Record<string, string | string[]> {
  if (draw.chance(0.95)) return { auth: token };
  return draw.of<Record<string, string | string[]>>([
    {},
    { auth: '' },
    { auth: 'at_' },
    { auth: [token, token] },
    { auth: `${token} ` },
    { auth: `at_${'x'.repeat(7_000)}` },
    { auth: '\u00ff\u00fe' },
  ]);
}

/** Returns a body that is not UTF-8, or longer than the limit. */
function corrupt(text: string, draw: Draw): Buffer {
  const bytes = Buffer.from(text);
  if (draw.chance(0.3)) return Buffer.concat([bytes, Buffer.alloc(70_000, 0x20)]);
  for (let times = 0; times < 3 && bytes.length > 0; times++) {
    bytes[draw.whole(0, bytes.length - 1)] = draw.whole(0x80, 0xff);
  }
  return bytes;
}
