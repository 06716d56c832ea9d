import type { Position } from './store.ts';

/**
 * Encodes the last payout of a page. The next page starts after that payout and not after a number of rows, so new payouts
 * neither repeat nor hide an entry. A cursor selects among the caller's own payouts, so it needs no signature.
 */
export function encodeCursor({ createdAt, id }: Position): string {
  return Buffer.from(`${createdAt.getTime()}.${id}`).toString('base64url');
}

export function decodeCursor(cursor: string): Position | undefined {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const match = /^(\d{1,15})\.([1-9]\d{0,14})$/.exec(text);
  // Base64 has several spellings of the same bytes; accept only the one that `encodeCursor` writes.
  if (match === null || Buffer.from(text).toString('base64url') !== cursor) return undefined;
  const createdAt = new Date(Number(match[1]));
  return Number.isNaN(createdAt.getTime()) ? undefined : { createdAt, id: Number(match[2]) };
}
