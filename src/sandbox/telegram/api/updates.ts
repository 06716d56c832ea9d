import type { WebhookInfo } from 'grammy/types';
import { pollUpdates } from '../poll-updates.ts';
import { confirmUpdates } from '../updates-store.ts';
import { readWebhook, type Webhook, writeWebhook } from '../webhooks-store.ts';
import { unixTime } from '../wire.ts';
import type { Call } from './call.ts';
import { BotApiError, badRequest } from './errors.ts';
import { stringList } from './params.ts';

const MAX_POLL_SECONDS = 50;
const MAX_UPDATES = 100;

export function getUpdates({ context, bot, params, disconnected }: Call): Promise<object[]> {
  const request = {
    offset: params.integer('offset') ?? 0,
    limit: clamp(params.integer('limit') ?? MAX_UPDATES, 1, MAX_UPDATES),
    timeoutSeconds: clamp(params.integer('timeout') ?? 0, 0, MAX_POLL_SECONDS),
    allowedUpdates: stringList(params, 'allowed_updates'),
  };
  return pollUpdates(context, bot, request, disconnected);
}

export async function setWebhook(call: Call): Promise<true> {
  const { params } = call;
  const url = params.text('url') ?? '';
  if (url === '') return deleteWebhook(call);
  checkWebhookUrl(url);
  const secret = params.text('secret_token') ?? null;
  if (secret !== null && !/^[A-Za-z0-9_-]{1,256}$/.test(secret)) {
    throw badRequest('secret token contains unallowed characters');
  }
  return changeWebhook(call, { url, secret, allowedUpdates: stringList(params, 'allowed_updates') });
}

const TELEGRAM_PORTS: readonly string[] = ['', '443', '80', '88', '8443'];

/** Throws Telegram's errors. Accepts loopback addresses on any port: bots of the sandbox run on the same machine. */
function checkWebhookUrl(text: string): void {
  if (!URL.canParse(text)) throw badRequest('invalid webhook URL specified');
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol)) throw badRequest('invalid webhook URL specified');
  if (['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)) return;
  if (url.protocol !== 'https:') throw badRequest('bad webhook: An HTTPS URL must be provided for webhook');
  if (!TELEGRAM_PORTS.includes(url.port)) {
    throw badRequest('bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443');
  }
}

export function deleteWebhook(call: Call): Promise<true> {
  return changeWebhook(call, undefined);
}

async function changeWebhook({ context, bot, params }: Call, webhook: Webhook | undefined): Promise<true> {
  await context.bus.transact(async (tx, announce) => {
    await writeWebhook(tx, bot.id, webhook);
    if (params.flag('drop_pending_updates')) {
      const dropped = await confirmUpdates(tx, bot.id, Number.MAX_SAFE_INTEGER);
      if (dropped !== undefined) announce({ kind: 'confirmed', bot: bot.id, id: dropped });
    }
    // Ends a waiting poll. The new webhook may have a backlog to deliver.
    announce({ kind: 'queue', bot: bot.id });
    if (webhook) announce({ kind: 'webhook', bot: bot.id });
  });
  return true;
}

export async function getWebhookInfo({ context, bot }: Call): Promise<WebhookInfo> {
  const state = await readWebhook(context.db, bot.id);
  if (!state) throw new BotApiError(401, 'Unauthorized');
  return {
    url: state.url ?? '',
    has_custom_certificate: false,
    pending_update_count: state.pending,
    ...(state.url === null ? {} : { max_connections: 1 }),
    ...(state.error !== null && state.errorAt
      ? { last_error_message: state.error, last_error_date: unixTime(state.errorAt) }
      : {}),
    ...(state.allowedUpdates?.length
      ? { allowed_updates: state.allowedUpdates as NonNullable<WebhookInfo['allowed_updates']> }
      : {}),
  };
}

const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);
