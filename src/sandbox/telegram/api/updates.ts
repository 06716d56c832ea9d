import { randomUUID } from 'node:crypto';
import type { WebhookInfo } from 'grammy/types';
import type { Context } from '../context.ts';
import { createWakeSignal, startCountdown } from '../events.ts';
import { beginPoll, confirmUpdates, endPoll, readQueue } from '../updates-store.ts';
import { readWebhook, type Webhook, writeWebhook } from '../webhooks-store.ts';
import { unixTime } from '../wire.ts';
import type { Call } from './call.ts';
import { BotApiError, badRequest } from './errors.ts';
import { stringList } from './params.ts';

const MAX_POLL_SECONDS = 50;
const MAX_UPDATES = 100;

interface PollRequest {
  readonly offset: number;
  readonly limit: number;
  readonly timeoutSeconds: number;
  readonly allowedUpdates: readonly string[] | undefined;
}

/** Reads the queue this often without a wake-up: a notification can be lost with its connection. */
const RECHECK_MS = 5_000;

const WEBHOOK_IS_SET =
  "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first";
const REPLACED = 'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running';

/** Confirms the updates below the offset, then waits for new ones. */
export async function getUpdates({ context, bot, params, disconnected }: Call): Promise<object[]> {
  const request: PollRequest = {
    offset: params.integer('offset') ?? 0,
    limit: clamp(params.integer('limit') ?? MAX_UPDATES, 1, MAX_UPDATES),
    timeoutSeconds: clamp(params.integer('timeout') ?? 0, 0, MAX_POLL_SECONDS),
    allowedUpdates: stringList(params, 'allowed_updates'),
  };
  const pollId = randomUUID();
  await context.bus.transact(async (tx, announce) => {
    const poll = { botId: bot.id, pollId, ...request };
    const begun = await beginPoll(tx, poll);
    if (!begun) throw new BotApiError(401, 'Unauthorized');
    if (begun.hooked) throw new BotApiError(409, WEBHOOK_IS_SET);
    if (begun.replaced) announce({ kind: 'queue', bot: bot.id });
    if (request.offset !== 0) {
      const confirmed = await confirmUpdates(tx, bot.id, request.offset);
      if (confirmed !== undefined) announce({ kind: 'confirmed', bot: bot.id, id: confirmed });
    }
  });
  let answered = false;
  try {
    const updates = await waitForUpdates(context, bot.id, pollId, request, disconnected);
    answered = !disconnected.aborted;
    return updates;
  } finally {
    await endPoll(context.db, bot.id, pollId, answered);
  }
}

async function waitForUpdates(
  context: Context,
  botId: number,
  pollId: string,
  request: PollRequest,
  disconnected: AbortSignal,
): Promise<object[]> {
  const left = startCountdown(request.timeoutSeconds * 1_000);
  const stop = AbortSignal.any([disconnected, context.closing]);
  const wakeSignal = createWakeSignal();
  const off = context.bus.on('queue', (event) => {
    if (event.bot === botId) wakeSignal.wake();
  });
  try {
    for (;;) {
      const queue = await readQueue(context.db, botId, request.limit);
      if (!queue) throw new BotApiError(401, 'Unauthorized');
      if (queue.hooked) throw new BotApiError(409, 'Conflict: terminated by setWebhook request');
      if (queue.pollId !== pollId) throw new BotApiError(409, REPLACED);
      if (queue.updates.length > 0 || left() <= 0 || stop.aborted) return queue.updates;
      await wakeSignal.wait(Math.min(left(), RECHECK_MS), stop);
    }
  } finally {
    off();
  }
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
