import { ApiError } from '../../../core/errors.ts';
import { listWebhooks, type Webhook, type WebhookDeps, type WebhookKey } from '../../../modules/webhooks/index.ts';
import type { Tone } from '../parts/elements.ts';
import { type Crumb, readId, type Visit } from '../visit.ts';

export const WEBHOOKS = '/console/webhooks';

export const pathOf = ({ id }: Pick<Webhook, 'id'>): string => `${WEBHOOKS}/${id}`;

/** Returns the endpoint in the path. The use cases check that it belongs to the visitor. */
export const readEndpointKey = (visit: Visit): WebhookKey => ({
  accountId: visit.owner.accountId,
  webhookId: readId(visit),
});

export const endpointNotFound = (): ApiError => new ApiError('webhook_not_found', 'You have no such webhook.');

/** Returns the endpoint in the path. An account has so few endpoints that reading the list is cheap. */
export async function requireEndpoint(deps: WebhookDeps, visit: Visit): Promise<Webhook> {
  const { accountId, webhookId } = readEndpointKey(visit);
  const endpoint = (await listWebhooks(deps, accountId)).find(({ id }) => id === webhookId);
  if (endpoint === undefined) throw endpointNotFound();
  return endpoint;
}

export const endpointCrumbs = (visit: Visit, endpoint?: Webhook): [Crumb, ...Crumb[]] => [
  { label: visit.texts.menu.webhooks, href: WEBHOOKS },
  ...(endpoint === undefined ? [] : [{ label: visit.texts.webhooks.numbered(endpoint.id), href: pathOf(endpoint) }]),
];

export function endpointState(
  { texts: { webhooks: words } }: Visit,
  { isEnabled, disabledReason, failingSince }: Webhook,
): readonly [Tone, string] {
  if (!isEnabled) return ['bad', disabledReason === 'gone' ? words.gone : words.disabled];
  return failingSince === null ? ['good', words.works] : ['warn', words.failing];
}
