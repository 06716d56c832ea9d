import pg from 'pg';

/**
 * How values go to PostgreSQL and come back, where the driver's own way is several times slower. Batches send thousands
 * of small values as arrays, so this is a good part of what a request costs.
 */

/** A parameter as the driver is given it. What is not listed here the driver writes itself. */
export function writeValue(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) && value.every(isPlain) ? writeArray(value) : value;
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

const driversTimestamp = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ) as (text: string) => Date;

/** `2026-05-05 21:30:00.123456+00`; what is finer than a millisecond is cut off. Other shapes are left to the driver. */
const TIMESTAMP = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?\+00$/;

export function readTimestamp(text: string): Date {
  const match = TIMESTAMP.exec(text);
  if (match === null) return driversTimestamp(text);
  const [, year, month, day, hour, minute, second, fraction = ''] = match;
  const ms = fraction === '' ? 0 : Number(fraction.padEnd(3, '0').slice(0, 3));
  return new Date(
    Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second), ms),
  );
}
