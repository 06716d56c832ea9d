import { badRequest } from './errors.ts';

/**
 * The parameters of a call. They come from a JSON body, a form or the query string, so a number can be a string and an
 * object can be JSON text. Telegram accepts all of them.
 */
export interface Params {
  text(name: string): string | undefined;
  integer(name: string): number | undefined;
  flag(name: string): boolean;
  json(name: string): unknown;
  /** An uploaded file. */
  bytes(name: string): Buffer | undefined;
}

export function readParams(values: ReadonlyMap<string, unknown>): Params {
  const raw = (name: string): unknown => values.get(name) ?? undefined;
  return {
    bytes(name) {
      const value = raw(name);
      return Buffer.isBuffer(value) ? value : undefined;
    },
    text(name) {
      const value = raw(name);
      if (value === undefined) return undefined;
      if (typeof value === 'string') return storable(value);
      if (typeof value === 'number' || typeof value === 'boolean') return String(value);
      throw badRequest(`parameter "${name}" must be a string`);
    },
    integer(name) {
      const value = raw(name);
      if (value === undefined || value === '') return undefined;
      const number = typeof value === 'string' ? Number(value) : value;
      if (typeof number !== 'number' || !Number.isSafeInteger(number)) throw badRequest(`invalid ${name} specified`);
      return number;
    },
    flag(name) {
      const value = raw(name);
      return value === true || value === 1 || (typeof value === 'string' && /^(true|yes|1)$/i.test(value));
    },
    json(name) {
      const value = raw(name);
      if (value === '') return undefined;
      return storable(typeof value === 'string' ? parseJson(name, value) : value);
    },
  };
}

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw badRequest(`can't parse ${name} JSON object`);
  }
}

/** Finds zero bytes and unpaired surrogates, which PostgreSQL rejects. JSON writes both as escapes. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i;

function storable<T>(value: T): T {
  if (value === undefined || !UNSTORABLE.test(JSON.stringify(value))) return value;
  throw badRequest('strings must be encoded in UTF-8');
}

/** Returns a list of strings, or `undefined` when the parameter is absent or not a list. */
export function stringList(params: Params, name: string): string[] | undefined {
  const value = params.json(name);
  if (!Array.isArray(value)) return undefined;
  return value.filter((item): item is string => typeof item === 'string').slice(0, 100);
}
