import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import type { Secrets } from '../../core/secrets.ts';
import { type EventType, lowestEventId, recordTestEvent } from '../events/index.ts';
import type { AddressPolicy } from './addresses.ts';
import { type LoggedDelivery, readDeliveries, requeueDelivery, requeueSince } from './log-store.ts';
import {
  findWebhook,
  insertWebhook,
  listWebhooksOf,
  markDeleted,
  replaceSecret,
  setEnabled,
  type WebhookKey,
} from './store.ts';
import { checkUrl, generateSecret, MAX_WEBHOOKS, SECRET_OVERLAP_MS, SECRET_PURPOSE, type Webhook } from './webhook.ts';

export interface WebhookDeps extends AddressPolicy {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: Secrets;
}

export type CreateOutcome =
  | { readonly kind: 'created'; readonly webhook: Webhook; readonly secret: string }
  | { readonly kind: 'invalid_url'; readonly message: string }
  | { readonly kind: 'too_many' };

/** The secret is answered here and nowhere else. */
export async function createWebhook(
  deps: WebhookDeps,
  { accountId, url, events }: { accountId: number; url: string; events: readonly EventType[] },
): Promise<CreateOutcome> {
  const checked = checkUrl(url, deps);
  if (!checked.ok) return { kind: 'invalid_url', message: checked.message };
  const secret = generateSecret();
  const row = {
    accountId,
    url: checked.url,
    events: [...new Set(events)],
    secret: deps.secrets.encrypt(SECRET_PURPOSE, secret),
    at: deps.clock.now(),
  };
  const webhook = await deps.db.transaction((tx) => insertWebhook(tx, row, MAX_WEBHOOKS));
  return webhook === undefined ? { kind: 'too_many' } : { kind: 'created', webhook, secret };
}

export function listWebhooks({ db }: WebhookDeps, accountId: number): Promise<Webhook[]> {
  return listWebhooksOf(db, accountId);
}

/** Answers whether there was such a webhook. */
export function deleteWebhook({ db, clock }: WebhookDeps, key: WebhookKey): Promise<boolean> {
  return db.transaction((tx) => markDeleted(tx, key, clock.now()));
}

/** A new secret. The old one signs along for a day, so that the receiver can be changed without losing a message. */
export async function rotateSecret(
  { db, clock, secrets }: WebhookDeps,
  key: WebhookKey,
): Promise<{ webhook: Webhook; secret: string } | undefined> {
  const secret = generateSecret();
  const change = {
    secret: secrets.encrypt(SECRET_PURPOSE, secret),
    previousUntil: new Date(clock.now().getTime() + SECRET_OVERLAP_MS),
  };
  const webhook = await db.transaction((tx) => replaceSecret(tx, key, change));
  return webhook && { webhook, secret };
}

/** After a receiver was mended. What it missed is sent with a replay, if its owner wants that. */
export function enableWebhook({ db }: WebhookDeps, key: WebhookKey): Promise<Webhook | undefined> {
  return db.transaction((tx) => setEnabled(tx, key));
}

export type SendTestOutcome =
  | { readonly kind: 'queued'; readonly eventId: string }
  | { readonly kind: 'disabled' }
  | { readonly kind: 'not_found' };

/** A test event takes the way of every other: queue, signature, retries, log. */
export function sendTest({ db, clock }: WebhookDeps, key: WebhookKey): Promise<SendTestOutcome> {
  return db.transaction(async (tx): Promise<SendTestOutcome> => {
    const webhook = await findWebhook(tx, key);
    if (webhook === undefined) return { kind: 'not_found' };
    if (!webhook.isEnabled) return { kind: 'disabled' };
    const event = { accountId: key.accountId, endpointId: key.webhookId, at: clock.now() };
    const eventId = await recordTestEvent(tx, event);
    return eventId === undefined ? { kind: 'not_found' } : { kind: 'queued', eventId };
  });
}

export interface DeliveryPage {
  readonly deliveries: readonly LoggedDelivery[];
  readonly hasMore: boolean;
}

export async function listDeliveries(
  { db }: WebhookDeps,
  key: WebhookKey,
  { limit, beforeId }: { limit: number; beforeId: string | undefined },
): Promise<DeliveryPage | undefined> {
  if ((await findWebhook(db, key)) === undefined) return undefined;
  const deliveries = await readDeliveries(db, { webhookId: key.webhookId, limit: limit + 1, beforeId });
  return { deliveries: deliveries.slice(0, limit), hasMore: deliveries.length > limit };
}

export type ReplayOutcome =
  | { readonly kind: 'replayed'; readonly count: number }
  | { readonly kind: 'disabled' }
  | { readonly kind: 'delivery_not_found' }
  | { readonly kind: 'not_found' };

/** Sends again, under the ids of the first time: one event, or all since a time. */
export function replay(
  { db, clock }: WebhookDeps,
  key: WebhookKey,
  what: { readonly eventId: string } | { readonly since: Date },
): Promise<ReplayOutcome> {
  return db.transaction(async (tx): Promise<ReplayOutcome> => {
    const webhook = await findWebhook(tx, key);
    if (webhook === undefined) return { kind: 'not_found' };
    if (!webhook.isEnabled) return { kind: 'disabled' };
    const { webhookId } = key;
    const at = clock.now();
    const count =
      'eventId' in what
        ? await requeueDelivery(tx, { webhookId, eventId: what.eventId, at })
        : await requeueSince(tx, { webhookId, fromId: lowestEventId(what.since), at });
    return count === undefined ? { kind: 'delivery_not_found' } : { kind: 'replayed', count };
  });
}
