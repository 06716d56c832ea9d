import { setTimeout as sleep } from 'node:timers/promises';
import { type Bot, BotError, GrammyError, HttpError } from 'grammy';
import type { Update } from 'grammy/types';
import { DatabaseUnavailable } from '../core/database.ts';
import { traceWork } from '../core/tracing.ts';

export interface UpdatesLog {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
  /** Called with an update that failed and will not be delivered again. */
  givenUp?(update: Update): Promise<void>;
}

const MAX_TRIES = 5;
const RETRY_MS = 250;

/**
 * Handles an update in up to five attempts, then logs it and gives up: Telegram would send it again for ever, and when
 * polling it would block every later update. A call that Telegram refused (a person who blocked the bot, a flood) is
 * not repeated. An unavailable database is not the update's fault: the error is thrown, and the caller does not
 * acknowledge the update.
 */
export async function handleUpdate(bot: Bot, update: Update, log: UpdatesLog, signal?: AbortSignal): Promise<void> {
  for (let attempt = 1; attempt <= MAX_TRIES; attempt++) {
    signal?.throwIfAborted();
    try {
      await traceWork(`update ${kindOfUpdate(update)}`, { attempt }, () => bot.handleUpdate(update));
      return;
    } catch (error) {
      const err = error instanceof BotError ? error.error : error;
      if (err instanceof DatabaseUnavailable) throw err;
      const details = { err, update: update.update_id, attempt };
      if (err instanceof GrammyError || err instanceof HttpError) {
        log.error(details, 'Telegram refused a reply to an update');
        return;
      }
      log.error(details, attempt < MAX_TRIES ? 'update not handled' : 'update given up');
      if (attempt < MAX_TRIES) await sleep(RETRY_MS * attempt, undefined, { ...(signal && { signal }) });
      else await log.givenUp?.(update);
    }
  }
}

/** Returns what an update contains, such as `message`. Its content is never part of a trace. */
function kindOfUpdate(update: Update): string {
  return Object.keys(update).find((key) => key !== 'update_id') ?? 'empty';
}
