import { type Html, html } from '../../../core/html.ts';
import { formatEventId, parseEventId } from '../../../modules/events/index.ts';
import { type DeliveryPage, listDeliveries, type Webhook, type WebhookDeps } from '../../../modules/webhooks/index.ts';
import { form, hidden } from '../parts/form.ts';
import { badge, facts, NOTHING, type Tone } from '../parts/pieces.ts';
import { buildTable, PAGE_ROWS } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import type { BuiltTable, Visit } from '../visit.ts';
import { controlPanels } from './webhook-actions.ts';
import { keyIn, pathOf, stateBadge, WEBHOOKS, webhookCrumbs, webhookIn, webhookNotFound } from './webhook-path.ts';

type Delivery = DeliveryPage['deliveries'][number];

/** A file of deliveries has so many at most: each comes with its attempts. */
const FILE_DELIVERIES = 1_000;

/** One webhook: what it is, how its deliveries went, and what can be done about it. */
export function webhookPage(router: ConsoleRouter, deps: WebhookDeps): void {
  router.page(`${WEBHOOKS}/:id`, async (visit) => {
    const webhook = await webhookIn(deps, visit);
    const beforeId = parseEventId(visit.query.get('before') ?? '');
    const limit = visit.csv === undefined ? PAGE_ROWS : FILE_DELIVERIES;
    const page = await listDeliveries(deps, keyIn(visit), { limit, beforeId });
    if (page === undefined) throw webhookNotFound();
    const table = deliveriesTable(visit, webhook, page);
    const { webhooks: words } = visit.texts;
    const { formats } = visit;
    return {
      title: words.numbered(webhook.id),
      section: WEBHOOKS,
      crumbs: webhookCrumbs(visit),
      aside: stateBadge(visit, webhook),
      body: html`<section class="panel">${facts(
        [words.url, webhook.url],
        [words.events, webhook.events.join(', ')],
        [words.since, formats.moment(webhook.createdAt)],
        webhook.failingSince === null ? undefined : [words.failingSince, formats.moment(webhook.failingSince)],
        webhook.disabledAt === null ? undefined : [words.disabledAt, formats.moment(webhook.disabledAt)],
        webhook.previousSecretUntil === null
          ? undefined
          : [words.oldSecretUntil, formats.moment(webhook.previousSecretUntil)],
      )}</section>${table.html}${controlPanels(visit, webhook)}`,
      tables: [table],
    };
  });
}

const TONES: Readonly<Record<Delivery['state'], Tone>> = {
  pending: 'accent',
  sending: 'accent',
  delivered: 'good',
  failed: 'bad',
};

function deliveriesTable(visit: Visit, webhook: Webhook, { deliveries, hasMore }: DeliveryPage): BuiltTable {
  const { texts, formats } = visit;
  const words = texts.webhooks;
  const last = deliveries.at(-1);
  return buildTable(visit, {
    name: 'deliveries',
    title: words.log,
    note: words.logNote,
    rows: deliveries,
    empty: words.noDeliveries,
    next: hasMore && last !== undefined ? `before=${formatEventId(last.eventId)}` : undefined,
    columns: [
      {
        title: words.event,
        cell: ({ type, eventId }) => html`${type}<code class="sub">${formatEventId(eventId)}</code>`,
        value: ({ type }) => type,
      },
      { title: 'id', cell: ({ eventId }) => formatEventId(eventId), isInFileOnly: true },
      {
        title: words.sequence,
        cell: ({ sequence }) => String(sequence),
        value: ({ sequence }) => sequence,
        isFigure: true,
      },
      {
        title: texts.common.time,
        cell: ({ createdAt }) => formats.moment(createdAt),
        value: ({ createdAt }) => createdAt,
      },
      {
        title: texts.common.status,
        cell: ({ state, nextAttemptAt }) =>
          html`${badge(TONES[state], words.states[state])}${nextAttemptAt === null || state !== 'pending' ? NOTHING : html`<span class="sub">${words.nextAt(formats.moment(nextAttemptAt))}</span>`}`,
        value: ({ state }) => words.states[state],
      },
      {
        title: words.attempts,
        cell: (delivery) => attemptsOf(visit, delivery),
        value: ({ attempts }) => attempts.map(({ statusCode, error }) => statusCode ?? error ?? '').join('; '),
      },
    ],
    actions: ({ eventId, state }) =>
      state === 'sending' || !webhook.isEnabled
        ? NOTHING
        : form(visit, {
            action: `${pathOf(webhook)}/replay`,
            fields: hidden('event', formatEventId(eventId)),
            submit: words.replay,
            label: `${words.replay}: ${formatEventId(eventId)}`,
            look: 'quiet',
            isInline: true,
          }),
  });
}

/** What the receiver answered, attempt by attempt. Its words are shown as text, whatever they are. */
function attemptsOf({ texts, formats }: Visit, { attempts }: Delivery): Html {
  const words = texts.webhooks;
  if (attempts.length === 0) return html`–`;
  const items = attempts.map(
    ({ attemptedAt, durationMs, statusCode, error, response }) =>
      html`<li>${formats.moment(attemptedAt)} · ${statusCode === null ? (error ?? '') : `HTTP ${statusCode}`} · ${words.milliseconds(durationMs)}${response === null || response === '' ? NOTHING : html`<code class="sub">${response}</code>`}</li>`,
  );
  return html`<details class="attempts"><summary>${words.attemptCount(attempts.length)}</summary><ol>${items}</ol></details>`;
}
