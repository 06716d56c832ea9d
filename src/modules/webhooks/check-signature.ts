import type { Queryable } from '../../core/database.ts';
import type { Secrets } from '../../core/secrets.ts';
import { SECRET_PURPOSE } from './endpoint.ts';
import { readSecretsFor } from './secret-store.ts';
import { signatureHeaders } from './sign.ts';

export interface ReceivedMessage {
  /** The known part of the endpoint's URL, such as its path. */
  readonly addressPart: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** `unknown`: the message has no signature, or no endpoint has this address. */
export type SignatureCheck = 'valid' | 'invalid' | 'unknown';

const MAX_ENDPOINTS_TRIED = 20;

/** Checks a signature as an endpoint does; the sandbox's webhook catcher uses it. */
export async function checkSignature(
  { db, secrets }: { readonly db: Queryable; readonly secrets: Secrets },
  { addressPart, headers, body }: ReceivedMessage,
): Promise<SignatureCheck> {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  const given = headers['webhook-signature'];
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof given !== 'string') return 'unknown';
  const sealed = await readSecretsFor(db, addressPart, MAX_ENDPOINTS_TRIED);
  if (sealed.length === 0) return 'unknown';
  const opened = sealed.map((secret) => secrets.decrypt(SECRET_PURPOSE, secret));
  const message = { id, timestampSeconds: Number(timestamp), body };
  const expected = new Set(signatureHeaders(message, opened)['webhook-signature']?.split(' '));
  return given.split(' ').some((signature) => expected.has(signature)) ? 'valid' : 'invalid';
}
