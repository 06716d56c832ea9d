import { type Html, html } from '../../../core/html.ts';
import { EVENT_TYPES } from '../../../modules/events/index.ts';
import {
  createEndpoint,
  type EndpointDeps,
  listEndpoints,
  MAX_ENDPOINTS,
  WEBHOOK_FORMATS,
  type WebhookFormat,
} from '../../../modules/webhooks/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { checkboxes, form, selectField, textField } from '../parts/form.ts';
import { buildTable } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import { type Page, shownOnce, type Visit } from '../visit.ts';
import { webhookActions } from './webhook-actions.ts';
import { webhookPage } from './webhook-page.ts';
import { endpointState, pathOf, WEBHOOKS } from './webhook-path.ts';

/** The pages of an account's webhook endpoints. */
export function webhookPages(router: ConsoleRouter, { db, clock, secrets, isSandbox }: ConsoleDeps): void {
  // The sandbox receives webhooks on the same machine.
  const deps = { db, clock, secrets, allowLoopback: isSandbox };
  for (const addPages of [webhookList, webhookPage, webhookActions]) addPages(router, deps);
}

interface Draft {
  readonly url: string;
  readonly events: ReadonlySet<string>;
  readonly format: WebhookFormat;
  readonly errors: { readonly url?: string; readonly events?: string };
}

const NEW: Draft = { url: '', events: new Set(EVENT_TYPES), format: 'sponsorgate', errors: {} };

/** The list of webhook endpoints, and the form that creates one. */
function webhookList(router: ConsoleRouter, deps: EndpointDeps): void {
  async function show(visit: Visit, draft: Draft): Promise<Page> {
    const { common, menu, webhooks: words } = visit.texts;
    const table = buildTable(visit, {
      name: 'webhooks',
      title: words.listTitle,
      note: words.listNote(MAX_ENDPOINTS),
      rows: await listEndpoints(deps, visit.owner.accountId),
      empty: words.empty,
      columns: ({ link, text, badge, time }) => [
        { ...link(common.number, (row) => [words.numbered(row.id), pathOf(row)]), value: ({ id }) => id },
        text(words.url, ({ url }) => url),
        text(words.events, ({ events }) => events.join(', ')),
        badge(common.status, (endpoint) => endpointState(visit, endpoint)),
        time(words.since, ({ createdAt }) => createdAt),
      ],
    });
    return { title: menu.webhooks, body: html`${table.html}${newPanel(visit, draft)}`, tables: [table] };
  }

  router.page(WEBHOOKS, (visit) => show(visit, NEW));

  router.action(
    WEBHOOKS,
    async (visit, sent) => {
      const words = visit.texts.webhooks;
      const url = sent.get('url')?.trim() ?? '';
      const events = EVENT_TYPES.filter((type) => sent.getAll('events').includes(type));
      const format = WEBHOOK_FORMATS.find((one) => one === sent.get('format')) ?? 'sponsorgate';
      const showAgain = async (errors: Draft['errors']): Promise<Page> => ({
        ...(await show(visit, { url, events: new Set<string>(events), format, errors })),
        status: 422,
      });
      if (events.length === 0) return showAgain({ events: words.noEvents });
      const outcome = await createEndpoint(deps, { accountId: visit.owner.accountId, url, events, format });
      if (outcome.kind === 'too_many') return showAgain({ url: words.tooMany(MAX_ENDPOINTS) });
      if (outcome.kind === 'invalid_url') return showAgain({ url: words.wrongUrl });
      return shownOnce(pathOf(outcome.endpoint), words.created, { label: words.secret, value: outcome.secret });
    },
    { back: () => WEBHOOKS },
  );
}

function newPanel(visit: Visit, { url, events, format, errors }: Draft): Html {
  const words = visit.texts.webhooks;
  const fields = html`${textField({
    name: 'url',
    label: words.url,
    hint: words.urlHint,
    type: 'url',
    value: url,
    maxLength: 2_048,
    isRequired: true,
    error: errors.url,
  })}${checkboxes({
    name: 'events',
    label: words.events,
    choices: EVENT_TYPES.map((type) => ({ value: type, label: `${type} – ${words.eventNames[type]}` })),
    chosen: events,
    error: errors.events,
  })}${selectField({
    name: 'format',
    label: words.format,
    hint: words.formatHint,
    value: format,
    choices: WEBHOOK_FORMATS.map((value) => ({ value, label: visit.shared.webhookFormats[value] })),
  })}`;
  return html`<section class="panel"><h2>${words.newTitle}</h2><p class="note">${words.newNote}</p>${form(visit, { action: WEBHOOKS, fields, submit: words.create })}</section>`;
}
