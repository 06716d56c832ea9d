import { ApiError } from '../../../core/errors.ts';
import { type Html, html } from '../../../core/html.ts';
import { parseEventId } from '../../../modules/events/index.ts';
import {
  deleteEndpoint,
  type Endpoint,
  type EndpointDeps,
  enableEndpoint,
  replay,
  rotateSecret,
  sendTest,
} from '../../../modules/webhooks/index.ts';
import { confirmedAction } from '../parts/confirm-action.ts';
import { buttons, stepLink } from '../parts/elements.ts';
import { form, textField } from '../parts/form.ts';
import type { ConsoleRouter, HandleForm } from '../router.ts';
import { done, readId, refused, shownOnce, type Visit } from '../visit.ts';
import {
  endpointCrumbs,
  endpointNotFound,
  pathOf,
  readEndpointKey,
  requireEndpoint,
  WEBHOOKS,
} from './webhook-path.ts';

/** The actions of an owner on a webhook endpoint. */
export function webhookActions(router: ConsoleRouter, deps: EndpointDeps): void {
  const back = (visit: Visit): string => pathOf({ id: readId(visit) });
  const disabled = (): ApiError => new ApiError('webhook_disabled', 'The webhook is disabled: enable it first.');

  const sendTestEvent: HandleForm = async (visit) => {
    const outcome = await sendTest(deps, readEndpointKey(visit));
    if (outcome.kind === 'not_found') throw endpointNotFound();
    if (outcome.kind === 'disabled') throw disabled();
    return done(back(visit), visit.texts.webhooks.testSent);
  };
  router.action(`${WEBHOOKS}/:id/test`, sendTestEvent, { back });

  const enable: HandleForm = async (visit) => {
    if ((await enableEndpoint(deps, readEndpointKey(visit))) === undefined) throw endpointNotFound();
    return done(back(visit), visit.texts.webhooks.enabled);
  };
  router.action(`${WEBHOOKS}/:id/enable`, enable, { back });

  const replayEvents: HandleForm = async (visit, sent) => {
    const words = visit.texts.webhooks;
    const eventId = parseEventId(sent.get('event') ?? '');
    const since = readMoscowTime(sent.get('since') ?? '');
    const untilText = sent.get('until') ?? '';
    const until = readMoscowTime(untilText);
    const isRange = since !== undefined && (untilText === '' || (until !== undefined && until > since));
    const selection = eventId !== undefined ? { eventId } : isRange ? { since, until } : undefined;
    if (selection === undefined) return refused(back(visit), words.wrongSince);
    const outcome = await replay(deps, readEndpointKey(visit), selection);
    if (outcome.kind === 'not_found') throw endpointNotFound();
    if (outcome.kind === 'disabled') throw disabled();
    if (outcome.kind === 'delivery_not_found') return refused(back(visit), words.noSuchDelivery);
    return done(back(visit), words.replayed(outcome.count));
  };
  router.action(`${WEBHOOKS}/:id/replay`, replayEvents, { back });

  const ask = (step: 'rotate' | 'delete') => async (visit: Visit) => ({
    ...visit.texts.webhooks.ask[step],
    crumbs: endpointCrumbs(visit, await requireEndpoint(deps, visit)),
    style: step === 'delete' ? ('danger' as const) : ('primary' as const),
  });

  confirmedAction(router, `${WEBHOOKS}/:id/rotate`, {
    back,
    ask: ask('rotate'),
    async act(visit) {
      const rotated = await rotateSecret(deps, readEndpointKey(visit));
      if (rotated === undefined) throw endpointNotFound();
      const words = visit.texts.webhooks;
      return shownOnce(back(visit), words.rotated, { label: words.secret, value: rotated.secret });
    },
  });

  confirmedAction(router, `${WEBHOOKS}/:id/delete`, {
    back,
    ask: ask('delete'),
    async act(visit) {
      if (!(await deleteEndpoint(deps, readEndpointKey(visit)))) throw endpointNotFound();
      return done(WEBHOOKS, visit.texts.webhooks.deleted);
    },
  });
}

/** Reads `2026-05-05T14:30` of a form as Moscow time. */
function readMoscowTime(text: string): Date | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(text)) return undefined;
  const time = new Date(`${text}+03:00`);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

export function controlPanels(visit: Visit, endpoint: Endpoint): Html {
  const words = visit.texts.webhooks;
  const path = pathOf(endpoint);
  const testOrEnable = endpoint.isEnabled
    ? form(visit, { action: `${path}/test`, submit: words.test, style: 'plain', isInline: true })
    : form(visit, { action: `${path}/enable`, submit: words.enable, isInline: true });
  const since = form(visit, {
    action: `${path}/replay`,
    fields: html`${textField({
      name: 'since',
      label: words.replaySince,
      type: 'datetime-local',
      isRequired: true,
      width: 'short',
    })}${textField({
      name: 'until',
      label: words.replayUntil,
      hint: words.replayHint,
      type: 'datetime-local',
      width: 'short',
    })}`,
    submit: words.replayAll,
    style: 'plain',
  });
  const links = [stepLink(`${path}/rotate`, words.rotate), stepLink(`${path}/delete`, words.remove, 'danger')];
  return html`<div class="columns"><section class="panel"><h2>${words.control}</h2><p class="note">${words.controlNote}</p>${buttons(testOrEnable, ...links)}</section>
    <section class="panel"><h2>${words.replayTitle}</h2>${since}</section></div>`;
}
