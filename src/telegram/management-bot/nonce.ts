import { randomBytes } from 'node:crypto';
import { StaleButton } from './bot-context.ts';

/** Names what a button is about to do: work done under this name is done once, however often the button is pressed. */
export const newNonce = (): string => randomBytes(6).toString('base64url');

export function nonceIn(text: string | undefined): string {
  if (text !== undefined && /^[\w-]{8}$/.test(text)) return text;
  throw new StaleButton('a button without its nonce');
}
