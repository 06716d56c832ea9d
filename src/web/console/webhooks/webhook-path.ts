import { ApiError } from '../../../core/errors.ts';
import { type Endpoint, type EndpointDeps, type EndpointKey, listEndpoints } from '../../../modules/webhooks/index.ts';
import type { Tone } from '../parts/elements.ts';
import { type Crumb, readId, type Visit } from '../visit.ts';

export const WEBHOOKS = '/console/webhooks';

export const pathOf = ({ id }: Pick<Endpoint, 'id'>): string => `${WEBHOOKS}/${id}`;

/** Returns the endpoint in the path. The use cases check that it belongs to the visitor. */
export const readEndpointKey = (visit: Visit): EndpointKey => ({
  accountId: visit.owner.accountId,
  endpointId: readId(visit),
});

export const endpointNotFound = (): ApiError => new ApiError('webhook_not_found', 'You have no such webhook.');

/** Returns the endpoint in the path. An account has so few endpoints that reading the list is cheap. */
export async function requireEndpoint(deps: EndpointDeps, visit: Visit): Promise<Endpoint> {
  const { accountId, endpointId } = readEndpointKey(visit);
  const endpoint = (await listEndpoints(deps, accountId)).find(({ id }) => id === endpointId);
  if (endpoint === undefined) throw endpointNotFound();
  return endpoint;
}

export const endpointCrumbs = (visit: Visit, endpoint?: Endpoint): [Crumb, ...Crumb[]] => [
  { label: visit.texts.menu.webhooks, href: WEBHOOKS },
  ...(endpoint === undefined ? [] : [{ label: visit.texts.webhooks.numbered(endpoint.id), href: pathOf(endpoint) }]),
];

export function endpointState(
  { texts: { webhooks: words } }: Visit,
  { isEnabled, disabledReason, failingSince }: Endpoint,
): readonly [Tone, string] {
  if (!isEnabled) return ['bad', disabledReason === 'gone' ? words.gone : words.disabled];
  return failingSince === null ? ['good', words.works] : ['warn', words.failing];
}
