import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import type { Secrets } from '../../core/secrets.ts';
import { type EventType, lowestEventId, recordTestEvent } from '../events/index.ts';
import type { AddressPolicy } from './addresses.ts';
import { type LoggedDelivery, readDeliveries, requeueDelivery, requeueRange } from './delivery-log-store.ts';
import {
  checkUrl,
  type Endpoint,
  generateSecret,
  MAX_ENDPOINTS,
  SECRET_OVERLAP_MS,
  SECRET_PURPOSE,
} from './endpoint.ts';
import {
  type EndpointKey,
  findEndpoint,
  insertEndpoint,
  markDeleted,
  replaceSecret,
  selectEndpoints,
  setEnabled,
} from './endpoint-store.ts';

import type { WebhookFormat } from './format.ts';

export interface EndpointDeps extends AddressPolicy {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: Secrets;
}

export type CreateOutcome =
  | { readonly kind: 'created'; readonly endpoint: Endpoint; readonly secret: string }
  | { readonly kind: 'invalid_url'; readonly message: string }
  | { readonly kind: 'too_many' };

/** Returns the secret, which no other call returns. */
export async function createEndpoint(
  deps: EndpointDeps,
  {
    accountId,
    url,
    events,
    format = 'sponsorgate',
  }: { accountId: number; url: string; events: readonly EventType[]; format?: WebhookFormat | undefined },
): Promise<CreateOutcome> {
  const checked = checkUrl(url, deps);
  if (!checked.ok) return { kind: 'invalid_url', message: checked.message };
  const secret = generateSecret();
  const row = {
    accountId,
    url: checked.url,
    events: [...new Set(events)],
    format,
    secret: deps.secrets.encrypt(SECRET_PURPOSE, secret),
    at: deps.clock.now(),
  };
  const endpoint = await deps.db.transaction((tx) => insertEndpoint(tx, row, MAX_ENDPOINTS));
  return endpoint === undefined ? { kind: 'too_many' } : { kind: 'created', endpoint, secret };
}

export function listEndpoints({ db }: EndpointDeps, accountId: number): Promise<Endpoint[]> {
  return selectEndpoints(db, accountId);
}

/** Returns whether the endpoint existed. */
export function deleteEndpoint({ db, clock }: EndpointDeps, key: EndpointKey): Promise<boolean> {
  return db.transaction((tx) => markDeleted(tx, key, clock.now()));
}

/** Creates a new secret. The old one also signs for a day, so that the owner can switch without losing an event. */
export async function rotateSecret(
  { db, clock, secrets }: EndpointDeps,
  key: EndpointKey,
): Promise<{ endpoint: Endpoint; secret: string } | undefined> {
  const secret = generateSecret();
  const change = {
    secret: secrets.encrypt(SECRET_PURPOSE, secret),
    previousUntil: new Date(clock.now().getTime() + SECRET_OVERLAP_MS),
  };
  const endpoint = await db.transaction((tx) => replaceSecret(tx, key, change));
  return endpoint && { endpoint, secret };
}

/** Enables an endpoint again. A replay sends the events that it missed. */
export function enableEndpoint({ db }: EndpointDeps, key: EndpointKey): Promise<Endpoint | undefined> {
  return db.transaction((tx) => setEnabled(tx, key));
}

export type SendTestOutcome =
  | { readonly kind: 'queued'; readonly eventId: string }
  | { readonly kind: 'disabled' }
  | { readonly kind: 'not_found' };

/** Queues a test event, which is signed, retried and logged like any other. */
export function sendTest({ db, clock }: EndpointDeps, key: EndpointKey): Promise<SendTestOutcome> {
  return db.transaction(async (tx): Promise<SendTestOutcome> => {
    const endpoint = await findEndpoint(tx, key);
    if (endpoint === undefined) return { kind: 'not_found' };
    if (!endpoint.isEnabled) return { kind: 'disabled' };
    const event = { accountId: key.accountId, endpointId: key.endpointId, at: clock.now() };
    const eventId = await recordTestEvent(tx, event);
    return eventId === undefined ? { kind: 'not_found' } : { kind: 'queued', eventId };
  });
}

export interface DeliveryPage {
  readonly deliveries: readonly LoggedDelivery[];
  readonly hasMore: boolean;
}

export async function listDeliveries(
  { db }: EndpointDeps,
  key: EndpointKey,
  { limit, beforeId }: { limit: number; beforeId: string | undefined },
): Promise<DeliveryPage | undefined> {
  if ((await findEndpoint(db, key)) === undefined) return undefined;
  const deliveries = await readDeliveries(db, { endpointId: key.endpointId, limit: limit + 1, beforeId });
  return { deliveries: deliveries.slice(0, limit), hasMore: deliveries.length > limit };
}

export type ReplayOutcome =
  | { readonly kind: 'replayed'; readonly count: number }
  | { readonly kind: 'disabled' }
  | { readonly kind: 'delivery_not_found' }
  | { readonly kind: 'not_found' };

/** Queues one event, or all events from `since` to before `until`, again under their first ids. */
export function replay(
  { db, clock }: EndpointDeps,
  key: EndpointKey,
  what: { readonly eventId: string } | { readonly since: Date; readonly until?: Date | undefined },
): Promise<ReplayOutcome> {
  return db.transaction(async (tx): Promise<ReplayOutcome> => {
    const endpoint = await findEndpoint(tx, key);
    if (endpoint === undefined) return { kind: 'not_found' };
    if (!endpoint.isEnabled) return { kind: 'disabled' };
    const { endpointId } = key;
    const at = clock.now();
    const count =
      'eventId' in what
        ? await requeueDelivery(tx, { endpointId, eventId: what.eventId, at })
        : await requeueRange(tx, {
            endpointId,
            fromId: lowestEventId(what.since),
            belowId: what.until && lowestEventId(what.until),
            at,
          });
    return count === undefined ? { kind: 'delivery_not_found' } : { kind: 'replayed', count };
  });
}
