import { createHmac } from 'node:crypto';
import type { Queryable } from '../../core/database.ts';
import type { Secrets } from '../../core/secrets.ts';
import { SECRET_PURPOSE } from './endpoint.ts';
import { readSecretsFor } from './endpoint-store.ts';

export interface Message {
  readonly id: string;
  readonly timestampSeconds: number;
  readonly body: string;
}

/**
 * Returns the headers of Standard Webhooks. During a rotation both secrets sign. `docs/dependencies.md` explains why no
 * library is used.
 */
export function signatureHeaders(message: Message, secrets: readonly string[]): Record<string, string> {
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestampSeconds),
    'webhook-signature': secrets.map((secret) => sign(message, secret)).join(' '),
  };
}

function sign({ id, timestampSeconds, body }: Message, secret: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestampSeconds}.${body}`).digest('base64')}`;
}

interface ReceivedMessage {
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
