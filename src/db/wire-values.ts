import pg from 'pg';
import type { WireValue } from './wire-messages.ts';

/**
 * Converts values to and from PostgreSQL's text format where the driver is several times slower. Batches send thousands
 * of small values as arrays, so the conversion is a large part of the cost of a request.
 */

/** The driver's own conversion of a value; its types do not declare it. */
const { prepareValue } = (pg as unknown as { readonly utils: { prepareValue(value: unknown): WireValue | undefined } })
  .utils;

const MAX_PARAMETERS = 65_535;

export function writeParameters(params: readonly unknown[]): WireValue[] {
  if (params.length > MAX_PARAMETERS) {
    throw new TypeError(`a statement takes at most ${MAX_PARAMETERS} parameters, not ${params.length}: send arrays`);
  }
  return params.map(writeValue);
}

/** Types that are not listed here use the driver's conversion. */
function writeValue(value: unknown): WireValue {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) && value.every(isPlain) ? writeArray(value) : (prepareValue(value) ?? null);
}

type Plain = string | number | bigint | boolean | Date | null;

function isPlain(value: unknown): value is Plain {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'bigint':
    case 'boolean':
      return true;
    default:
      return value === null || value instanceof Date;
  }
}

function writeArray(values: readonly Plain[]): string {
  let text = '{';
  for (let i = 0; i < values.length; i++) {
    if (i > 0) text += ',';
    text += writeElement(values[i] ?? null);
  }
  return `${text}}`;
}

function writeElement(value: Plain): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return `"${value.replace(/["\\]/g, '\\$&')}"`;
  return value instanceof Date ? `"${value.toISOString()}"` : String(value);
}

const INT8_OID = 20;
const INT8_ARRAY_OID: number = 1016;
const DATE_OID = 1082;
const TIMESTAMPTZ_OID: number = 1184;

const parseTexts = pg.types.getTypeParser(INT8_ARRAY_OID) as (text: string) => (string | null)[];

/** Returns the parser for columns of the given type. */
export function readerOf(typeOid: number): (text: string) => unknown {
  if (typeOid === INT8_OID) return BigInt;
  if (typeOid === TIMESTAMPTZ_OID) return readTimestamp;
  if (typeOid === INT8_ARRAY_OID) return (text) => parseTexts(text).map((item) => item && BigInt(item));
  // A date has no time zone; the driver's default would turn it into a local midnight.
  if (typeOid === DATE_OID) return String;
  return pg.types.getTypeParser(typeOid, 'text') as (text: string) => unknown;
}

const driversTimestamp = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ) as (text: string) => Date;

/** The lengths of `2026-05-05 21:30:00+00` without a fraction and with the longest fraction. */
const SHORTEST = '2026-05-05 21:30:00+00'.length;
const LONGEST = '2026-05-05 21:30:00.123456+00'.length;
const END_OF_SECONDS = 19;

/** Truncates to milliseconds. The driver parses other formats (another offset, infinity, years BC). */
export function readTimestamp(text: string): Date {
  const { length } = text;
  const isUsual =
    length >= SHORTEST && length <= LONGEST && text[4] === '-' && text[10] === ' ' && text.endsWith('+00');
  if (!isUsual || (length > SHORTEST && text[END_OF_SECONDS] !== '.')) return driversTimestamp(text);
  let ms = 0;
  for (let i = 1; i <= 3; i++) {
    const at = END_OF_SECONDS + i;
    ms = ms * 10 + (length > SHORTEST && at < length - 3 ? digit(text, at) : 0);
  }
  const year = two(text, 0) * 100 + two(text, 2);
  return new Date(Date.UTC(year, two(text, 5) - 1, two(text, 8), two(text, 11), two(text, 14), two(text, 17), ms));
}

const digit = (text: string, at: number): number => text.charCodeAt(at) - 48;
const two = (text: string, at: number): number => digit(text, at) * 10 + digit(text, at + 1);
