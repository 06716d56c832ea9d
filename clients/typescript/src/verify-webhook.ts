import type { EventData } from './generated/events.ts';
import { type Bytes, bytesOf, fromBase64, isHmac } from './signatures.ts';

/** The body of a delivery; `type` determines the type of `data`. */
export type WebhookEvent = {
  readonly [Type in keyof EventData]: {
    readonly type: Type;
    /** The same for every retry and replay: store it to handle an event once. */
    readonly id: string;
    /** ISO 8601 with offset. */
    readonly timestamp: string;
    /** The number of the event in your account, without gaps, in the order of the facts. */
    readonly sequence: number;
    readonly data: EventData[Type];
  };
}[keyof EventData];

export type WebhookProblem = 'missing_header' | 'bad_timestamp' | 'wrong_time' | 'wrong_signature' | 'bad_body';

/** The message is not from the service, too old, or incomplete. Respond with 400 and ignore it. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly code: WebhookProblem;

  constructor(code: WebhookProblem, message: string) {
    super(message);
    this.code = code;
  }
}

export interface WebhookMessage {
  /** The `whsec_…` of the endpoint; several during a rotation. */
  readonly secret: string | readonly string[];
  /** A `Headers` object, or the headers of node:http. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The raw body: the signature covers exactly these bytes. */
  readonly body: string | Uint8Array;
  /** The largest difference between the message's time and ours. Default: 300. */
  readonly toleranceSeconds?: number | undefined;
  /** Milliseconds since 1970. Default: the current time. */
  readonly now?: number | undefined;
}

const DEFAULT_TOLERANCE_SECONDS = 300;
/** The service signs with two secrets at most. The limit keeps a hostile header cheap. */
const MAX_SIGNATURES = 8;

/** Verifies a message by the rules of Standard Webhooks and returns its event. */
export async function verifyWebhook(message: WebhookMessage): Promise<WebhookEvent> {
  const secrets = [message.secret].flat().map(decodeSecret);
  if (secrets.length === 0) throw new TypeError('secret is missing');
  const id = headerOf(message, 'webhook-id');
  const timestamp = headerOf(message, 'webhook-timestamp');
  const signatures = signaturesIn(headerOf(message, 'webhook-signature'));
  checkTime(timestamp, message);

  const body = typeof message.body === 'string' ? bytesOf(message.body) : message.body;
  const signed = concat(bytesOf(`${id}.${timestamp}.`), body);
  const checks = secrets.flatMap((secret) => signatures.map((signature) => isHmac(signature, secret, signed)));
  if (!(await Promise.all(checks)).includes(true)) {
    throw new WebhookVerificationError('wrong_signature', 'None of the signatures was made with a secret given here.');
  }
  return parseEvent(new TextDecoder().decode(body));
}

function decodeSecret(secret: string): Bytes {
  const key = fromBase64(secret.replace(/^whsec_/, ''));
  // Anyone can sign with an empty secret, so a missing setting must be an error.
  if (key === undefined || key.length === 0) throw new TypeError('secret must be the whsec_… of the endpoint');
  return key;
}

function headerOf({ headers }: WebhookMessage, name: string): string {
  const found = headers instanceof Headers ? headers.get(name) : valueIn(headers, name);
  if (typeof found === 'string' && found !== '') return found;
  throw new WebhookVerificationError('missing_header', `The header ${name} is missing.`);
}

function valueIn(headers: Readonly<Record<string, unknown>>, name: string): unknown {
  const key = Object.keys(headers).find((candidate) => candidate.toLowerCase() === name);
  return key === undefined ? undefined : headers[key];
}

function checkTime(timestamp: string, { toleranceSeconds, now }: WebhookMessage): void {
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookVerificationError('bad_timestamp', 'The header webhook-timestamp is not a time in seconds.');
  }
  const offSeconds = Math.abs((now ?? Date.now()) / 1000 - Number(timestamp));
  // Written so that a tolerance of NaN rejects the message.
  if (!(offSeconds <= (toleranceSeconds ?? DEFAULT_TOLERANCE_SECONDS))) {
    throw new WebhookVerificationError(
      'wrong_time',
      `The message is ${Math.round(offSeconds)} s off: old, or repeated.`,
    );
  }
}

/** Parses `v1,<base64>` signatures, separated by spaces. Other versions are ignored. */
function signaturesIn(header: string): Bytes[] {
  return header
    .split(' ')
    .filter((part) => part.startsWith('v1,'))
    .slice(0, MAX_SIGNATURES)
    .flatMap((part) => fromBase64(part.slice('v1,'.length)) ?? []);
}

function concat(start: Uint8Array, end: Uint8Array): Bytes {
  const whole = new Uint8Array(start.length + end.length);
  whole.set(start);
  whole.set(end, start.length);
  return whole;
}

function parseEvent(text: string): WebhookEvent {
  try {
    const event = JSON.parse(text) as Partial<WebhookEvent> | null;
    if (typeof event?.type === 'string' && typeof event.id === 'string' && typeof event.data === 'object') {
      return event as WebhookEvent;
    }
  } catch {
    // Not JSON: the same error as for JSON that is not an event.
  }
  throw new WebhookVerificationError('bad_body', 'The body is not an event.');
}
