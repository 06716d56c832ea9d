import { type Html, html } from '../../../core/html.ts';
import { formatEventId, parseEventId } from '../../../modules/events/index.ts';
import {
  type DeliveryPage,
  type Endpoint,
  type EndpointDeps,
  listDeliveries,
} from '../../../modules/webhooks/index.ts';
import { badge, facts, type Tone } from '../parts/elements.ts';
import { hidden, rowButton } from '../parts/form.ts';
import { buildTable, PAGE_ROWS } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import type { BuiltTable, Visit } from '../visit.ts';
import { controlPanels } from './webhook-actions.ts';
import {
  endpointCrumbs,
  endpointNotFound,
  endpointState,
  pathOf,
  readEndpointKey,
  requireEndpoint,
  WEBHOOKS,
} from './webhook-path.ts';

type Delivery = DeliveryPage['deliveries'][number];

/** A file has fewer deliveries than other files have rows, because each comes with its attempts. */
const FILE_DELIVERIES = 1_000;

/** A webhook endpoint with its deliveries. */
export function webhookPage(router: ConsoleRouter, deps: EndpointDeps): void {
  router.page(`${WEBHOOKS}/:id`, async (visit) => {
    const endpoint = await requireEndpoint(deps, visit);
    const beforeId = parseEventId(visit.query.get('before') ?? '');
    const limit = visit.csv === undefined ? PAGE_ROWS : FILE_DELIVERIES;
    const page = await listDeliveries(deps, readEndpointKey(visit), { limit, beforeId });
    if (page === undefined) throw endpointNotFound();
    const table = deliveriesTable(visit, endpoint, page);
    const { webhooks: words } = visit.texts;
    const time = (label: string, at: Date | null): [string, string] | undefined =>
      at === null ? undefined : [label, visit.formats.moment(at)];
    return {
      title: words.numbered(endpoint.id),
      crumbs: endpointCrumbs(visit),
      aside: badge(...endpointState(visit, endpoint)),
      body: html`<section class="panel">${facts(
        [words.url, endpoint.url],
        [words.events, endpoint.events.join(', ')],
        [words.format, visit.shared.webhookFormats[endpoint.format]],
        time(words.since, endpoint.createdAt),
        time(words.failingSince, endpoint.failingSince),
        time(words.disabledAt, endpoint.disabledAt),
        time(words.oldSecretUntil, endpoint.previousSecretUntil),
      )}</section>${table.html}${controlPanels(visit, endpoint)}`,
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

function deliveriesTable(visit: Visit, endpoint: Endpoint, { deliveries, hasMore }: DeliveryPage): BuiltTable {
  const { texts, formats } = visit;
  const words = texts.webhooks;
  const last = hasMore ? deliveries.at(-1) : undefined;
  return buildTable(visit, {
    name: 'deliveries',
    title: words.log,
    note: words.logNote,
    rows: deliveries,
    empty: words.noDeliveries,
    next: last && { before: formatEventId(last.eventId) },
    columns: ({ text, id, time }) => [
      {
        title: words.event,
        cell: ({ type, eventId }) => html`${type}<code class="sub">${formatEventId(eventId)}</code>`,
        value: ({ type }) => type,
      },
      { ...text('id', ({ eventId }) => formatEventId(eventId)), isInFileOnly: true },
      id(words.sequence, ({ sequence }) => sequence),
      time(texts.common.time, ({ createdAt }) => createdAt),
      {
        title: texts.common.status,
        cell: ({ state, nextAttemptAt }) =>
          html`${badge(TONES[state], words.states[state])}${nextAttemptAt !== null && state === 'pending' && html`<span class="sub">${words.nextAt(formats.moment(nextAttemptAt))}</span>`}`,
        value: ({ state }) => words.states[state],
      },
      {
        title: words.attempts,
        cell: (delivery) => attemptList(visit, delivery),
        value: ({ attempts }) => attempts.map(({ statusCode, error }) => statusCode ?? error ?? '').join('; '),
      },
    ],
    actions: ({ eventId, state }) =>
      state === 'sending' || !endpoint.isEnabled
        ? undefined
        : rowButton(visit, {
            action: `${pathOf(endpoint)}/replay`,
            fields: hidden('event', formatEventId(eventId)),
            submit: words.replay,
            subject: formatEventId(eventId),
          }),
  });
}

/** Shows what was sent and each response of the endpoint. All of it is foreign text and shown as plain text. */
function attemptList({ texts, formats }: Visit, { attempts, payload }: Delivery): Html {
  const words = texts.webhooks;
  const block = (title: string, text: string | null): Html | false =>
    text !== null && text !== '' && html`<p class="sub">${title}</p><pre tabindex="0">${text}</pre>`;
  const items = attempts.map(
    ({ attemptedAt, durationMs, statusCode, error, responseHeaders, response }) =>
      html`<li><p>${formats.moment(attemptedAt)} · ${statusCode === null ? (error ?? '') : `HTTP ${statusCode}`} · ${words.milliseconds(durationMs)}</p>${block(words.responseHeaders, responseHeaders)}${block(words.responseBody, response)}</li>`,
  );
  return html`<details class="attempts"><summary>${attempts.length === 0 ? words.payload : words.attemptCount(attempts.length)}</summary>${block(words.payload, indent(payload))}<ol>${items}</ol></details>`;
}

function indent(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
