import { type Clock, systemClock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import { clip } from '../../core/html.ts';
import type { Secrets } from '../../core/secrets.ts';
import { formatEventId } from '../events/index.ts';
import { type NewNotice, recordNotices } from '../notices/index.ts';
import { type Attempt, type Health, insertAttempts, moveDeliveries, saveHealth } from './attempt-store.ts';
import type { ClaimedDelivery } from './claim-store.ts';
import { type Endpoint, SECRET_PURPOSE } from './endpoint.ts';
import { failPending } from './endpoint-store.ts';
import { renderBody } from './format.ts';
import { DISABLE_AFTER_MS, isGone, isSuccess, nextStep } from './retry.ts';
import { noResponse, notSent, type Send, type SendResult } from './send.ts';
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
  if (body === undefined) return notSent(`the format ${delivery.format} has no such event`);
  // The machine's clock, even in a sandbox whose clock was moved: endpoints refuse timestamps that are minutes off.
  const timestampSeconds = Math.floor(systemClock.now().getTime() / 1000);
  const signed = signatureHeaders({ id: formatEventId(delivery.eventId), timestampSeconds, body }, keys);
  // SubGram's receivers compare this header. It has the endpoint's secret: API tokens are stored only as hashes.
  const headers = delivery.format === 'subgram' ? { ...signed, 'Api-Key': keys[0] ?? '' } : signed;
  return send({ url: delivery.url, headers, body }, signal);
}

/**
 * Stores attempts in one transaction: the log, the next state of each delivery, the health of the endpoints and
 * the notices to owners of disabled ones. Returns how many endpoints were disabled.
 */
export async function recordAttempts(
  { db, random }: { readonly db: Database; readonly random: () => number },
  attempts: readonly Attempt[],
  now: Date,
): Promise<number> {
  return db.transaction(async (tx) => {
    const disabled = await saveHealth(tx, healthOf(attempts), {
      at: now,
      disableIfFailingSince: new Date(now.getTime() - DISABLE_AFTER_MS),
    });
    await moveDeliveries(
      tx,
      attempts.map(({ delivery, result }) => ({
        delivery,
        next: nextStep(result, delivery.failures, now, random()),
      })),
      now,
    );
    await insertAttempts(tx, attempts);
    await failPending(
      tx,
      disabled.map(({ id }) => id),
    );
    await recordNotices(tx, disabled.map(noticeOf), now);
    return disabled.length;
  });
}

const noticeOf = ({ id, accountId, url }: Pick<Endpoint, 'id' | 'accountId' | 'url'>): NewNotice => ({
  accountId,
  kind: 'webhook_disabled',
  data: { webhook_id: id, url: clip(url, 500) },
});

/** Expects the attempts in the order in which they ended. */
export function healthOf(attempts: readonly Attempt[]): Health[] {
  const healths = new Map<number, Health>();
  for (const { delivery, result, attemptedAt } of attempts) {
    const { endpointId } = delivery;
    const before = healths.get(endpointId) ?? { endpointId, succeeded: false, failingSince: null, gone: false };
    healths.set(
      endpointId,
      isSuccess(result)
        ? { ...before, succeeded: true, failingSince: null }
        : { ...before, failingSince: before.failingSince ?? attemptedAt, gone: before.gone || isGone(result) },
    );
  }
  return [...healths.values()].sort((a, b) => a.endpointId - b.endpointId);
}
