import { type Html, html } from '../../../core/html.ts';
import { EVENT_TYPES } from '../../../modules/events/index.ts';
import { createWebhook, listWebhooks, type Webhook, type WebhookDeps } from '../../../modules/webhooks/index.ts';
import { boxes, form, textField } from '../parts/form.ts';
import { buildTable } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import { type Page, shownOnce, type Visit } from '../visit.ts';
import { pathOf, stateBadge, stateOf, WEBHOOKS } from './webhook-path.ts';

interface Draft {
  readonly url: string;
  readonly events: ReadonlySet<string>;
  readonly errors: { readonly url?: string; readonly events?: string };
}

const NEW: Draft = { url: '', events: new Set(EVENT_TYPES), errors: {} };

/** The list, and the form for one more. */
export function webhookList(router: ConsoleRouter, deps: WebhookDeps, most: number): void {
  const show = async (visit: Visit, draft: Draft): Promise<Page> =>
    listPage(visit, await listWebhooks(deps, visit.owner.accountId), draft, most);

  router.page(WEBHOOKS, (visit) => show(visit, NEW));

  router.action(
    WEBHOOKS,
    async (visit, sent) => {
      const words = visit.texts.webhooks;
      const url = sent.get('url')?.trim() ?? '';
      const events = EVENT_TYPES.filter((type) => sent.getAll('events').includes(type));
      const again = async (errors: Draft['errors']): Promise<Page> => ({
        ...(await show(visit, { url, events: new Set<string>(events), errors })),
        status: 422,
      });
      if (events.length === 0) return again({ events: words.noEvents });
      const outcome = await createWebhook(deps, { accountId: visit.owner.accountId, url, events });
      if (outcome.kind === 'too_many') return again({ url: words.tooMany(most) });
      if (outcome.kind === 'invalid_url') return again({ url: words.wrongUrl });
      return shownOnce(pathOf(outcome.webhook), words.created, { label: words.secret, value: outcome.secret });
    },
    { back: () => WEBHOOKS },
  );
}

function listPage(visit: Visit, webhooks: readonly Webhook[], draft: Draft, most: number): Page {
  const { texts, formats } = visit;
  const words = texts.webhooks;
  const table = buildTable(visit, {
    name: 'webhooks',
    title: words.listTitle,
    note: words.listNote(most),
    rows: webhooks,
    empty: words.empty,
    columns: [
      {
        title: texts.common.number,
        cell: (webhook) => html`<a href="${pathOf(webhook)}">${words.numbered(webhook.id)}</a>`,
        value: ({ id }) => id,
      },
      { title: words.url, cell: ({ url }) => url },
      { title: words.events, cell: ({ events }) => events.join(', ') },
      {
        title: texts.common.status,
        cell: (webhook) => stateBadge(visit, webhook),
        value: (webhook) => stateOf(visit, webhook),
      },
      { title: words.since, cell: ({ createdAt }) => formats.moment(createdAt), value: ({ createdAt }) => createdAt },
    ],
  });
  return {
    title: texts.menu.webhooks,
    section: WEBHOOKS,
    body: html`${table.html}${newPanel(visit, draft)}`,
    tables: [table],
  };
}

function newPanel(visit: Visit, { url, events, errors }: Draft): Html {
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
  })}${boxes({
    name: 'events',
    label: words.events,
    choices: EVENT_TYPES.map((type) => ({ value: type, label: `${type} – ${words.eventNames[type]}` })),
    chosen: events,
    error: errors.events,
  })}`;
  return html`<section class="panel"><h2>${words.newTitle}</h2><p class="note">${words.newNote}</p>${form(visit, { action: WEBHOOKS, fields, submit: words.create })}</section>`;
}
