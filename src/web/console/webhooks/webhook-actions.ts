import { ApiError } from '../../../core/errors.ts';
import { type Html, html } from '../../../core/html.ts';
import { parseEventId } from '../../../modules/events/index.ts';
import {
  deleteWebhook,
  enableWebhook,
  replay,
  rotateSecret,
  sendTest,
  type Webhook,
  type WebhookDeps,
} from '../../../modules/webhooks/index.ts';
import { confirmPage } from '../parts/confirm.ts';
import { form, textField } from '../parts/form.ts';
import type { ConsoleRouter } from '../router.ts';
import { done, idIn, refused, shownOnce, type Visit } from '../visit.ts';
import { keyIn, pathOf, WEBHOOKS, webhookCrumbs, webhookIn, webhookNotFound } from './webhook-path.ts';

/** What an owner does to a webhook. */
export function webhookActions(router: ConsoleRouter, deps: WebhookDeps): void {
  const back = (visit: Visit): string => pathOf({ id: idIn(visit) });
  const disabled = (): ApiError => new ApiError('webhook_disabled', 'The webhook is disabled: enable it first.');

  router.action(
    `${WEBHOOKS}/:id/test`,
    async (visit) => {
      const outcome = await sendTest(deps, keyIn(visit));
      if (outcome.kind === 'not_found') throw webhookNotFound();
      if (outcome.kind === 'disabled') throw disabled();
      return done(back(visit), visit.texts.webhooks.testSent);
    },
    { back },
  );

  router.action(
    `${WEBHOOKS}/:id/enable`,
    async (visit) => {
      if ((await enableWebhook(deps, keyIn(visit))) === undefined) throw webhookNotFound();
      return done(back(visit), visit.texts.webhooks.enabled);
    },
    { back },
  );

  router.action(
    `${WEBHOOKS}/:id/replay`,
    async (visit, sent) => {
      const words = visit.texts.webhooks;
      const eventId = parseEventId(sent.get('event') ?? '');
      const since = moscowTime(sent.get('since') ?? '');
      const what = eventId !== undefined ? { eventId } : since !== undefined ? { since } : undefined;
      if (what === undefined) return refused(back(visit), words.wrongSince);
      const outcome = await replay(deps, keyIn(visit), what);
      if (outcome.kind === 'not_found') throw webhookNotFound();
      if (outcome.kind === 'disabled') throw disabled();
      if (outcome.kind === 'delivery_not_found') return refused(back(visit), words.noSuchDelivery);
      return done(back(visit), words.replayed(outcome.count));
    },
    { back },
  );

  router.action(
    `${WEBHOOKS}/:id/rotate`,
    async (visit) => {
      const rotated = await rotateSecret(deps, keyIn(visit));
      if (rotated === undefined) throw webhookNotFound();
      const words = visit.texts.webhooks;
      return shownOnce(back(visit), words.rotated, { label: words.secret, value: rotated.secret });
    },
    { back },
  );

  router.action(
    `${WEBHOOKS}/:id/delete`,
    async (visit) => {
      if (!(await deleteWebhook(deps, keyIn(visit)))) throw webhookNotFound();
      return done(WEBHOOKS, visit.texts.webhooks.deleted);
    },
    { back },
  );

  for (const step of ['rotate', 'delete'] as const) {
    router.page(`${WEBHOOKS}/:id/${step}`, async (visit) => {
      const webhook = await webhookIn(deps, visit);
      const words = visit.texts.webhooks.ask[step];
      return confirmPage(visit, {
        title: words.title,
        section: WEBHOOKS,
        crumbs: webhookCrumbs(visit, webhook),
        text: words.text,
        action: `${pathOf(webhook)}/${step}`,
        submit: words.submit,
        back: pathOf(webhook),
        look: step === 'delete' ? 'danger' : 'primary',
      });
    });
  }
}

/** `2026-05-05T14:30` of a form, as Moscow's clock shows it. */
function moscowTime(text: string): Date | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(text)) return undefined;
  const time = new Date(`${text}+03:00`);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

export function controlPanels(visit: Visit, webhook: Webhook): Html {
  const words = visit.texts.webhooks;
  const path = pathOf(webhook);
  const state = webhook.isEnabled
    ? form(visit, { action: `${path}/test`, submit: words.test, look: 'plain', isInline: true })
    : form(visit, { action: `${path}/enable`, submit: words.enable, isInline: true });
  const since = form(visit, {
    action: `${path}/replay`,
    fields: textField({
      name: 'since',
      label: words.replaySince,
      hint: words.replayHint,
      type: 'datetime-local',
      isRequired: true,
      width: 'short',
    }),
    submit: words.replayAll,
    look: 'plain',
  });
  return html`<div class="columns"><section class="panel"><h2>${words.control}</h2><p class="note">${words.controlNote}</p><div class="buttons">${state}<a class="button" href="${`${path}/rotate`}">${words.rotate}…</a><a class="button danger-link" href="${`${path}/delete`}">${words.remove}…</a></div></section>
    <section class="panel"><h2>${words.replayTitle}</h2>${since}</section></div>`;
}
