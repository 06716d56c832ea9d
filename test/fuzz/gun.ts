import { createDraw } from '../campaign/plan.ts';
import { type Draw, mutate, mutateQuery, type Schema, STRANGE, STRANGE_PARTS } from './mutate.ts';
import type { Shot } from './shoot.ts';

/** One operation of the service, as far as it has to be known to be shot at. */
export interface Target {
  readonly method: string;
  /** With `{name}` where a parameter stands. */
  readonly path: string;
  readonly body?: Schema | undefined;
  readonly query?: readonly string[];
  /** What the query always has, so that it is not refused at the door. */
  readonly ticket?: string | undefined;
  /** What parameters of the path may be so that something is found. */
  readonly known?: Readonly<Record<string, string>>;
}

/** The same seed shoots the same requests. Others: FUZZ_SEED=7 FUZZ_SHOTS=1000 npm test -- test/fuzz */
export const SEED = Number(process.env.FUZZ_SEED ?? 1);
export const SHOTS = Number(process.env.FUZZ_SHOTS ?? 60);

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

/** `shots` requests at the target, each a little or entirely wrong. */
export function* aim(target: Target, token: string, shots: number, seed: number): Iterable<Shot> {
  const draw = createDraw(seed);
  for (let shot = 0; shot < shots; shot++)
    yield draw.chance(0.1) ? another(target, token, draw) : near(target, token, draw);
}

function near({ method, path, body, query = [], ticket, known = {} }: Target, token: string, draw: Draw): Shot {
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
    ...(text === undefined || method === 'GET' ? {} : { body: draw.chance(0.04) ? spoil(text, draw) : text }),
  };
}

function another(target: Target, token: string, draw: Draw): Shot {
  return { ...near(target, token, draw), method: draw.of(METHODS), body: undefined };
}

/** Mostly the good one: behind it is where most of the code is. */
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

/** Bytes that are no UTF-8, or more of them than anybody reads. */
function spoil(text: string, draw: Draw): Buffer {
  const bytes = Buffer.from(text);
  if (draw.chance(0.3)) return Buffer.concat([bytes, Buffer.alloc(70_000, 0x20)]);
  for (let times = 0; times < 3 && bytes.length > 0; times++) {
    bytes[draw.whole(0, bytes.length - 1)] = draw.whole(0x80, 0xff);
  }
  return bytes;
}
