import { html, lines } from '../../../core/html.ts';
import { EVENT_TYPES } from '../../../modules/events/index.ts';
import {
  createEndpoint,
  deleteEndpoint,
  type Endpoint,
  type EndpointKey,
  enableEndpoint,
  listEndpoints,
  rotateSecret,
  sendTest,
  WEBHOOK_FORMATS,
  type WebhookFormat,
} from '../../../modules/webhooks/index.ts';
import { type Area, type BotContext, choiceIn, idIn, StaleButton } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { copy, press, withNote } from '../screen.ts';

const MAX_LABEL = 40;

/** The person's webhooks: URLs of their programs that get events of the account. */
export function webhooks(area: Area, deps: ManagementBotDeps): void {
  const keyOf = (ctx: BotContext, id: string | undefined): EndpointKey => ({
    accountId: ctx.person.accountId,
    endpointId: idIn(id),
  });

  area.onPress('hooks', showList);
  async function showList(ctx: BotContext): Promise<void> {
    const { webhooks: texts } = ctx.texts.publisher;
    const endpoints = await listEndpoints(deps, ctx.person.accountId);
    await ctx.talk.show({
      text: lines(texts.title, endpoints.length === 0 ? texts.none : texts.some),
      rows: [
        ...endpoints.map((endpoint) => [press(labelOf(endpoint), 'hook', endpoint.id)]),
        [press(texts.add, 'hookNew')],
        [press(ctx.texts.common.back, 'bots')],
      ],
    });
  }

  area.onPress('hookNew', (ctx, format) => askUrl(ctx, formatIn(format)));
  async function askUrl(ctx: BotContext, format: WebhookFormat, problem?: string): Promise<void> {
    const { publisher, shared, common } = ctx.texts;
    const { webhooks: texts } = publisher;
    const choices = WEBHOOK_FORMATS.map((one) => {
      const name = shared.webhookFormats[one];
      return press(one === format ? texts.chosenFormat({ name }) : name, 'hookNew', one);
    });
    await ctx.talk.ask('hook.url', [format], {
      text: withNote(problem, texts.askUrl({ format: shared.webhookFormats[format] })),
      rows: [choices, [press(common.cancel, 'hooks')]],
    });
  }
  area.onText('hook.url', async (ctx, text, sentFormat) => {
    const { webhooks: texts } = ctx.texts.publisher;
    const format = formatIn(sentFormat);
    const { accountId } = ctx.person;
    const url = text.trim();
    // Telegram may deliver the message again after a restart; one message registers one URL.
    const isKnown = (await listEndpoints(deps, accountId)).some((endpoint) => endpoint.url === url);
    if (isKnown) return askUrl(ctx, format, texts.known);
    const outcome = await createEndpoint(deps, { accountId, url, events: EVENT_TYPES, format });
    if (outcome.kind === 'invalid_url') return askUrl(ctx, format, texts.wrongUrl);
    if (outcome.kind === 'too_many') return askUrl(ctx, format, ctx.texts.shared.refusals.too_many_webhooks ?? '');
    await ctx.talk.expectNothing();
    return showSecret(ctx, outcome.endpoint, outcome.secret);
  });

  /** Shows a secret once: only its encrypted form is stored. */
  async function showSecret(ctx: BotContext, { id, url }: Endpoint, secret: string): Promise<void> {
    const { webhooks: texts, token } = ctx.texts.publisher;
    await ctx.talk.show({
      text: texts.secret({ url, secret }),
      rows: [[...copy(ctx.texts.common.copy, secret)], [press(token.saved, 'hook', id)]],
    });
  }

  area.onPress('hook', (ctx, id) => showEndpoint(ctx, keyOf(ctx, id)));
  async function showEndpoint(ctx: BotContext, { accountId, endpointId: id }: EndpointKey): Promise<void> {
    const { webhooks: texts } = ctx.texts.publisher;
    const endpoint = (await listEndpoints(deps, accountId)).find((one) => one.id === id);
    if (endpoint === undefined) throw new StaleButton('a webhook of another account');
    await ctx.talk.show({
      text: lines(
        html`🔌 <code>${endpoint.url}</code>`,
        endpoint.isEnabled ? texts.isOn : texts.isOff[endpoint.disabledReason ?? 'failing'],
        texts.format({ name: ctx.texts.shared.webhookFormats[endpoint.format] }),
        texts.events({ count: ctx.formats.count(endpoint.events.length) }),
      ),
      rows: [
        [endpoint.isEnabled ? press(texts.test, 'hookTest', id) : press(texts.enable, 'hookOn', id)],
        [press(texts.newSecret, 'hookKey', id), press(texts.remove, 'hookDel', id)],
        [press(ctx.texts.common.back, 'hooks')],
      ],
    });
  }

  area.onPress('hookTest', async (ctx, id) => {
    const outcome = await sendTest(deps, keyOf(ctx, id));
    ctx.talk.toast(outcome.kind === 'queued' ? ctx.texts.publisher.webhooks.testSent : ctx.texts.access.stale);
  });
  area.onPress('hookOn', async (ctx, id) => {
    await enableEndpoint(deps, keyOf(ctx, id));
    ctx.talk.toast(ctx.texts.common.done);
    await showEndpoint(ctx, keyOf(ctx, id));
  });

  area.onPress('hookKey', (ctx, id) => confirm(ctx, ctx.texts.publisher.webhooks.askNewSecret, 'hookRotate', idIn(id)));
  area.onPress('hookRotate', async (ctx, id) => {
    const rotated = await rotateSecret(deps, keyOf(ctx, id));
    if (rotated === undefined) throw new StaleButton('a webhook that is gone');
    await showSecret(ctx, rotated.endpoint, rotated.secret);
  });

  area.onPress('hookDel', (ctx, id) => confirm(ctx, ctx.texts.publisher.webhooks.askRemove, 'hookGone', idIn(id)));
  area.onPress('hookGone', async (ctx, id) => {
    await deleteEndpoint(deps, keyOf(ctx, id));
    ctx.talk.toast(ctx.texts.common.done);
    await showList(ctx);
  });

  async function confirm({ texts, talk }: BotContext, question: string, name: string, id: number): Promise<void> {
    await talk.show({
      text: html`${question}`,
      rows: [[press(texts.common.yes, name, id), press(texts.common.no, 'hook', id)]],
    });
  }
}

/** A question that an older version asked has no format. */
const formatIn = (text: string | undefined): WebhookFormat =>
  text === undefined ? 'sponsorgate' : choiceIn(text, WEBHOOK_FORMATS);

function labelOf({ url, isEnabled }: Endpoint): string {
  const { host, pathname } = new URL(url);
  const name = `${host}${pathname === '/' ? '' : pathname}`;
  return `${isEnabled ? '🟢' : '🔴'} ${name.length > MAX_LABEL ? `${name.slice(0, MAX_LABEL - 1)}…` : name}`;
}
