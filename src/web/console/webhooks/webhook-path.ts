import { ApiError } from '../../../core/errors.ts';
import type { Html } from '../../../core/html.ts';
import { listWebhooks, type Webhook, type WebhookDeps, type WebhookKey } from '../../../modules/webhooks/index.ts';
import { badge } from '../parts/pieces.ts';
import { type Crumb, idIn, type Visit } from '../visit.ts';

export const WEBHOOKS = '/console/webhooks';

export const pathOf = ({ id }: Pick<Webhook, 'id'>): string => `${WEBHOOKS}/${id}`;

/** The webhook in the path. Whether it is the visitor's is for each use case to say. */
export const keyIn = (visit: Visit): WebhookKey => ({ accountId: visit.owner.accountId, webhookId: idIn(visit) });

export const webhookNotFound = (): ApiError => new ApiError('webhook_not_found', 'You have no such webhook.');

/** There are so few of an account's that looking through the list is as good as asking for one. */
export async function webhookIn(deps: WebhookDeps, visit: Visit): Promise<Webhook> {
  const { accountId, webhookId } = keyIn(visit);
  const webhook = (await listWebhooks(deps, accountId)).find(({ id }) => id === webhookId);
  if (webhook === undefined) throw webhookNotFound();
  return webhook;
}

export const webhookCrumbs = (visit: Visit, webhook?: Webhook): Crumb[] => [
  { label: visit.texts.menu.webhooks, href: WEBHOOKS },
  ...(webhook === undefined ? [] : [{ label: visit.texts.webhooks.numbered(webhook.id), href: pathOf(webhook) }]),
];

export function stateOf({ texts }: Visit, { isEnabled, disabledReason, failingSince }: Webhook): string {
  const words = texts.webhooks;
  if (!isEnabled) return disabledReason === 'gone' ? words.gone : words.disabled;
  return failingSince === null ? words.works : words.failing;
}

export const stateBadge = (visit: Visit, webhook: Webhook): Html =>
  badge(!webhook.isEnabled ? 'bad' : webhook.failingSince === null ? 'good' : 'warn', stateOf(visit, webhook));
