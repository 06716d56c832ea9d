import { attributes, byId, element } from '../../shared/dom.ts';
import { keyedList } from '../../shared/keyed-list.ts';
import { subscribeToWebhooks } from '../actions.ts';
import { momentOf } from '../format.ts';
import { current, show } from '../store.ts';
import { t } from '../texts/index.ts';
import type { CaughtWebhook } from '../wire.ts';
import { body } from './calls.ts';
import { reportOpening } from './opened-details.ts';

const SIGNS = { valid: ['✓', 'good'], invalid: ['✗', 'bad'], unknown: ['?', 'warn'] } as const;

/** Lists the webhooks that the sandbox received, with the result of the signature check. */
export function mountWebhooks(): void {
  const list = byId('webhooks', HTMLElement);
  const status = byId('webhooks-status', HTMLElement);
  const subscribe = byId('webhooks-subscribe', HTMLButtonElement);
  subscribe.addEventListener('click', () => {
    const { world } = current();
    if (world !== undefined) void subscribeToWebhooks(world.demo_token, world.inbox_url);
  });
  show(
    (state) => [state.webhooks],
    ([{ caught, is_subscribed: isSubscribed }]) => {
      keyedList(list, caught, { key: (webhook) => String(webhook.id), render: webhookEntry });
      subscribe.hidden = isSubscribed;
      const state = isSubscribed ? t.webhooks.subscribed : '';
      status.textContent = [state, caught.length === 0 ? t.webhooks.empty : ''].filter(Boolean).join(' ');
    },
  );
}

function webhookEntry(webhook: CaughtWebhook): HTMLElement {
  const [sign, mood] = SIGNS[webhook.signature];
  const details = element(
    'details',
    { className: 'entry' },
    element(
      'summary',
      {},
      element('span', { className: 'entry-main path' }, webhook.type ?? t.webhooks.untyped),
      element('span', { className: `badge badge-${mood}` }, `${sign} ${t.webhooks[webhook.signature]}`),
      element('span', { className: 'under' }, momentOf(webhook.at)),
    ),
    body(webhook.type ?? t.webhooks.untyped, webhook.body),
  );
  attributes(details, { 'data-event': webhook.type ?? '', 'data-signature': webhook.signature });
  return reportOpening(details, { list: 'webhook', subject: webhook.type ?? '' });
}
