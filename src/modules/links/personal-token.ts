import { timingSafeEqual } from 'node:crypto';
import type { Secrets } from '../../core/secrets.ts';

/**
 * Binds a visit to the one user for whom the link was created. The token contains the user's id and its expiry. The
 * signature also covers the link's code, so a token is invalid on any other link. 27 bytes, 36 characters in a URL.
 */
export type PersonalToken =
  | { readonly kind: 'valid'; readonly userId: number }
  /**
   * The signature is valid but the time is over. The link was given to its holder, but the visitor's identity is no
   * longer certain.
   */
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
  // Seven bytes hold every safe integer; Node writes at most six at a time.
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
