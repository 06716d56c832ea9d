import { type Clock, formatTimestamp, systemClock } from '../../core/clock.ts';
import type { Secrets } from '../../core/secrets.ts';
import { formatEventId } from '../events/index.ts';
import type { Attempt } from './attempt-store.ts';
import type { ClaimedDelivery } from './claim-store.ts';
import { SECRET_PURPOSE } from './endpoint.ts';
import { noResponse, type Send, type SendResult } from './send.ts';
import { signatureHeaders } from './sign.ts';

export interface AttemptDeps {
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly send: Send;
}

/** Sends a delivery once. Throws only when `signal` ends it. */
export async function attempt(deps: AttemptDeps, delivery: ClaimedDelivery, signal: AbortSignal): Promise<Attempt> {
  const attemptedAt = deps.clock.now();
  const begin = performance.now();
  const result = await signAndSend(deps, delivery, attemptedAt, signal);
  return { delivery, result, attemptedAt, durationMs: performance.now() - begin };
}

async function signAndSend(
  { secrets, send }: AttemptDeps,
  delivery: ClaimedDelivery,
  now: Date,
  signal: AbortSignal,
): Promise<SendResult> {
  const { previousSecret, previousSecretUntil } = delivery;
  const sealed = [delivery.secret];
  if (previousSecret !== null && previousSecretUntil !== null && previousSecretUntil > now) sealed.push(previousSecret);
  let keys: string[];
  try {
    keys = sealed.map((secret) => secrets.decrypt(SECRET_PURPOSE, secret));
  } catch {
    // SECRET_KEY was changed. The delivery is retried like a failed one until the owner rotates the endpoint's secret.
    return noResponse('could not be signed: rotate the secret of this webhook');
  }
  const body = renderBody(delivery);
  // The machine's clock, even in a sandbox whose clock was moved: endpoints refuse timestamps that are minutes off.
  const timestampSeconds = Math.floor(systemClock.now().getTime() / 1000);
  const headers = signatureHeaders({ id: formatEventId(delivery.eventId), timestampSeconds, body }, keys);
  return send({ url: delivery.url, headers, body }, signal);
}

/** Returns the same bytes at every attempt, because it uses only what was recorded with the event. */
export function renderBody(event: {
  readonly eventId: string;
  readonly type: string;
  readonly createdAt: Date;
  readonly sequence: bigint;
  readonly data: string;
}): string {
  const type = JSON.stringify(event.type);
  const id = JSON.stringify(formatEventId(event.eventId));
  const timestamp = JSON.stringify(formatTimestamp(event.createdAt));
  return `{"type":${type},"id":${id},"timestamp":${timestamp},"sequence":${event.sequence},"data":${event.data}}`;
}
