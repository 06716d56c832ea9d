import { createHmac } from 'node:crypto';

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
