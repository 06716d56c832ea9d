import { timingSafeEqual } from 'node:crypto';
import type { Secrets } from '../../core/secrets.ts';

/**
 * Ties a visit to the one user a link was given to. The token holds the user's id and when it ends; the signature also
 * covers the link's code, so a token of one link says nothing on another. 27 bytes, 36 characters in an address.
 */
export type PersonalToken =
  | { readonly kind: 'valid'; readonly userId: number }
  /** Was once valid here. Whoever has it was given the link, but who follows it so late is anybody's guess. */
  | { readonly kind: 'expired' }
  | { readonly kind: 'invalid' };

const PURPOSE = 'personal-link';
const ID_BYTES = 7;
const TIME_BYTES = 4;
const CLAIM_BYTES = ID_BYTES + TIME_BYTES;
const SIGNATURE_BYTES = 16;
const TOKEN_SHAPE = /^[\w-]{36}$/;

export function signPersonalToken(
  secrets: Secrets,
  { userId, code, expiresAt }: { userId: number; code: string; expiresAt: Date },
): string {
  const claim = Buffer.alloc(CLAIM_BYTES);
  // Seven bytes hold every safe integer; Node writes at most six at once.
  claim.writeUInt8(Math.floor(userId / 2 ** 48), 0);
  claim.writeUIntBE(userId % 2 ** 48, 1, ID_BYTES - 1);
  claim.writeUInt32BE(Math.floor(expiresAt.getTime() / 1_000), ID_BYTES);
  return Buffer.concat([claim, signatureOf(secrets, claim, code)]).toString('base64url');
}

export function readPersonalToken(secrets: Secrets, token: string, code: string, now: Date): PersonalToken {
  if (!TOKEN_SHAPE.test(token)) return { kind: 'invalid' };
  const bytes = Buffer.from(token, 'base64url');
  const claim = bytes.subarray(0, CLAIM_BYTES);
  if (!timingSafeEqual(bytes.subarray(CLAIM_BYTES), signatureOf(secrets, claim, code))) return { kind: 'invalid' };
  if (claim.readUInt32BE(ID_BYTES) * 1_000 <= now.getTime()) return { kind: 'expired' };
  return { kind: 'valid', userId: claim.readUInt8(0) * 2 ** 48 + claim.readUIntBE(1, ID_BYTES - 1) };
}

function signatureOf(secrets: Secrets, claim: Buffer, code: string): Buffer {
  return secrets.sign(PURPOSE, `${claim.toString('base64url')}.${code}`).subarray(0, SIGNATURE_BYTES);
}
