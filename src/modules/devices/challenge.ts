import { timingSafeEqual } from 'node:crypto';
import { MINUTE_MS, SECOND_MS } from '../../core/clock.ts';
import type { Secrets } from '../../core/secrets.ts';

const PURPOSE = 'human-check';
const SIGNATURE_BYTES = 16;
const SHAPE = /^(\d{1,12})\.([\w-]{22})$/;
/** How long a person may take to press the button. */
const VALID_MS = 30 * MINUTE_MS;

/** Returns the text that our page sends back with the check. It proves that the page was opened for this user first. */
export function signChallenge(secrets: Secrets, userId: number, at: Date): string {
  const issued = Math.floor(at.getTime() / SECOND_MS);
  return `${issued}.${signatureOf(secrets, userId, issued).toString('base64url')}`;
}

/** Returns whether this service issued the challenge to this user a short while ago. */
export function isValidChallenge(secrets: Secrets, text: string, userId: number, now: Date): boolean {
  const [, issuedText, signature] = SHAPE.exec(text) ?? [];
  if (issuedText === undefined || signature === undefined) return false;
  const issued = Number(issuedText);
  const sent = Buffer.from(signature, 'base64url');
  if (!timingSafeEqual(sent, signatureOf(secrets, userId, issued))) return false;
  const ageMs = now.getTime() - issued * SECOND_MS;
  return ageMs >= -MINUTE_MS && ageMs <= VALID_MS;
}

function signatureOf(secrets: Secrets, userId: number, issued: number): Buffer {
  return secrets.sign(PURPOSE, `${userId}.${issued}`).subarray(0, SIGNATURE_BYTES);
}
