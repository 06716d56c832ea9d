import { setTimeout as sleep } from 'node:timers/promises';
import type { Bot } from 'grammy';
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
      if (!bot.isInited()) await bot.init(apiSignal(signal));
      const updates = await bot.api.getUpdates(
        { offset, limit: MAX_BATCH, timeout: POLL_SECONDS, allowed_updates: ALLOWED_UPDATES },
        apiSignal(signal),
      );
      for (const update of updates) {
        await handleWithRetries(bot, update, log, signal);
        if (signal.aborted) return;
        offset = update.update_id + 1;
      }
    } catch (error) {
      if (signal.aborted) return;
      const failure = failureOf(error);
      log.warn({ failure }, 'no updates from Telegram right now');
      const waitMs = failure.kind === 'flood' ? failure.retryAfterSeconds * 1000 : RETRY_MS;
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** A fault of ours (a database away for a moment) is retried; an update that fails for ever must not stop the rest. */
async function handleWithRetries(bot: Bot, update: Update, log: UpdatesLog, signal: AbortSignal): Promise<void> {
  for (let attempt = 1; attempt <= MAX_TRIES && !signal.aborted; attempt++) {
    try {
      await bot.handleUpdate(update);
      return;
    } catch (err) {
      log.error({ err, update: update.update_id, attempt }, 'update not handled');
      await sleep(RETRY_MS * attempt, undefined, { signal }).catch(() => undefined);
    }
  }
}
