import { randomBytes } from 'node:crypto';
import { StaleButton } from './bot-context.ts';

/** Returns an idempotency key for a button: pressing it twice does the work once. */
export const newNonce = (): string => randomBytes(6).toString('base64url');

export function nonceIn(text: string | undefined): string {
  if (text !== undefined && /^[\w-]{8}$/.test(text)) return text;
  throw new StaleButton('a button without its nonce');
}
