import { setTimeout as sleep } from 'node:timers/promises';
import { type Bot, BotError, GrammyError, HttpError } from 'grammy';
import type { Update } from 'grammy/types';
import { apiSignal, failureOf } from './bot-api.ts';

/** `chat_member` is not among the kinds that Telegram sends unasked, and it is the one that tells of leaving. */
export const ALLOWED_UPDATES = [
  'message',
  'callback_query',
  'chat_member',
  'my_chat_member',
  'chat_join_request',
] as const;

export interface UpdatesLog {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

const POLL_SECONDS = 25;
const MAX_BATCH = 100;
const MAX_TRIES = 5;
const RETRY_MS = 500;

/**
 * Fetches updates and handles them one after another. An update is acknowledged by asking for the one behind it, so one
 * that was not handled when the process died is delivered again.
 */
export async function pollUpdates(bot: Bot, log: UpdatesLog, signal: AbortSignal): Promise<void> {
  let offset = 0;
  while (!signal.aborted) {
    try {
      if (!bot.isInited()) {
        // While a webhook is set, be it by an earlier configuration, Telegram refuses to be polled.
        await bot.api.deleteWebhook({}, apiSignal(signal));
        // Not bot.init(): it keeps its failures to itself and doubles its pauses, up to twenty minutes.
        bot.botInfo = await bot.api.getMe(apiSignal(signal));
      }
      const updates = await bot.api.getUpdates(
        { offset, limit: MAX_BATCH, timeout: POLL_SECONDS, allowed_updates: ALLOWED_UPDATES },
        apiSignal(signal),
      );
      await handleBatch(bot, updates, log, signal);
      const last = updates.at(-1);
      if (last !== undefined && !signal.aborted) offset = last.update_id + 1;
    } catch (error) {
      if (signal.aborted) return;
      const failure = failureOf(error);
      log.warn({ failure }, 'no updates from Telegram right now');
      const waitMs = failure.kind === 'flood' ? failure.retryAfterSeconds * 1000 : RETRY_MS;
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

/**
 * Who joined and left is dealt with in its order; beside that every person's messages in theirs, so that an answer which
 * Telegram is slow to take keeps nobody else waiting.
 */
async function handleBatch(bot: Bot, updates: readonly Update[], log: UpdatesLog, signal: AbortSignal): Promise<void> {
  const lanes = new Map<string, Update[]>();
  for (const update of updates) {
    const lane = laneOf(update);
    const waiting = lanes.get(lane);
    if (waiting === undefined) lanes.set(lane, [update]);
    else waiting.push(update);
  }
  await Promise.all(
    [...lanes.values()].map(async (lane) => {
      for (const update of lane) await handleWithRetries(bot, update, log, signal);
    }),
  );
}

function laneOf(update: Update): string {
  const person = update.message?.from?.id ?? update.callback_query?.from.id ?? update.my_chat_member?.from.id;
  return person === undefined ? 'membership' : `person ${person}`;
}

/**
 * A fault of ours (a database away for a moment) is retried; an update that fails for ever must not stop the rest. What
 * Telegram did not take from us (a person who blocked the bot, a flood) is not worth doing everything again.
 */
async function handleWithRetries(bot: Bot, update: Update, log: UpdatesLog, signal: AbortSignal): Promise<void> {
  for (let attempt = 1; attempt <= MAX_TRIES && !signal.aborted; attempt++) {
    try {
      await bot.handleUpdate(update);
      return;
    } catch (err) {
      log.error({ err, update: update.update_id, attempt }, 'update not handled');
      if (err instanceof BotError && (err.error instanceof GrammyError || err.error instanceof HttpError)) return;
      await sleep(RETRY_MS * attempt, undefined, { signal }).catch(() => undefined);
    }
  }
}
