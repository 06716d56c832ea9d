import type { Position } from './store.ts';

/**
 * Where a page ended. The next one is counted from that payout and not from a number of rows, so payouts that come in
 * between neither repeat nor hide one. It only chooses among the caller's own payouts, so it needs no signature.
 */
export function encodeCursor({ createdAt, id }: Position): string {
  return Buffer.from(`${createdAt.getTime()}.${id}`).toString('base64url');
}

export function decodeCursor(cursor: string): Position | undefined {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const match = /^(\d{1,15})\.([1-9]\d{0,14})$/.exec(text);
  // Only what we wrote: base64 has many ways to say the same.
  if (match === null || Buffer.from(text).toString('base64url') !== cursor) return undefined;
  const createdAt = new Date(Number(match[1]));
  return Number.isNaN(createdAt.getTime()) ? undefined : { createdAt, id: Number(match[2]) };
}
