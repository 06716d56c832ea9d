import { byId, element } from '../../shared/dom.ts';
import { subscribeToWebhooks } from '../actions.ts';
import { momentOf } from '../format.ts';
import { current, show } from '../store.ts';
import { t } from '../texts/index.ts';
import type { CaughtWebhook } from '../wire.ts';
import { codeBlock, type Entry, entryList, part } from './entries.ts';

const SIGNS = { valid: ['✓', 'good'], invalid: ['✗', 'bad'], unknown: ['?', 'warn'] } as const;

/** Lists the webhooks that the sandbox received, with the result of the signature check. */
export function mountWebhooks(): void {
  const status = byId('webhooks-status', HTMLElement);
  const subscribe = byId('webhooks-subscribe', HTMLButtonElement);
  const draw = entryList<CaughtWebhook>(byId('webhooks', HTMLElement), { element: status, text: '' });
  subscribe.addEventListener('click', () => void catchWebhooks());
  show(
    (state) => [state.webhooks],
    ([{ caught, is_subscribed: isSubscribed }]) => {
      draw(caught, toEntry);
      subscribe.hidden = isSubscribed;
      const state = isSubscribed ? t.webhooks.subscribed : '';
      status.textContent = [state, caught.length === 0 ? t.webhooks.empty : ''].filter(Boolean).join(' ');
    },
  );
}

/** Registers the sandbox's webhook catcher as the demo publisher's endpoint. */
export async function catchWebhooks(): Promise<void> {
  const { exchange } = current();
  if (exchange !== undefined) await subscribeToWebhooks(exchange.demo_token, exchange.inbox_url);
}

function toEntry(webhook: CaughtWebhook): Entry {
  const [sign, mood] = SIGNS[webhook.signature];
  const type = webhook.type ?? t.webhooks.untyped;
  return {
    key: String(webhook.id),
    data: { event: webhook.type ?? '', signature: webhook.signature },
    summary: [
      eventName(type),
      part(`badge badge-${mood}`, `${sign} ${t.webhooks[webhook.signature]}`),
      part('under', momentOf(webhook.at)),
    ],
    details: [codeBlock(type, webhook.body)],
  };
}

/** Lets a narrow screen break the name after a dot instead of inside a word. */
function eventName(type: string): HTMLElement {
  const name = part('entry-main path', '');
  for (const word of type.split(/(?<=\.)/)) name.append(word, element('wbr'));
  return name;
}
