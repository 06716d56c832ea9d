import { setTimeout as sleep } from 'node:timers/promises';
import type { Bot } from 'grammy';
import type { Update } from 'grammy/types';
import type { Queryable } from '../core/database.ts';
import { createOutageLog } from '../core/outage-log.ts';
import { apiSignal, failureOf } from './bot-api.ts';
import { createPollingClaim } from './claim-updates.ts';
import type { UpdatesLog } from './handle-update.ts';
import type { IntakeWatch } from './lost-updates.ts';
import { createUpdateQueue } from './update-queue.ts';

/** `chat_member` is not among the kinds that Telegram sends unasked, and it is the one that tells of leaving. */
export const ALLOWED_UPDATES = [
  'message',
  'callback_query',
  'chat_member',
  'my_chat_member',
  'chat_join_request',
] as const;

const POLL_SECONDS = 25;
const FIRST_POLL_SECONDS = 1;
const MAX_BATCH = 100;
const RETRY_MS = 500;
/** Telegram gives out a single update when it is asked with the same offset again within half a second. */
const LOOK_AGAIN_MS = 600;

/**
 * Fetches updates and handles those of different people and chats beside each other. An update is acknowledged, by asking
 * for those behind it, once it is handled or kept in the database, so that a process that dies loses none.
 */
export async function pollUpdates(
  bot: Bot,
  { db, log, watch }: { readonly db: Queryable; readonly log: UpdatesLog; readonly watch: IntakeWatch },
  signal: AbortSignal,
): Promise<void> {
  const queue = createUpdateQueue({ bot, db, log, signal, windowSize: MAX_BATCH });
  const claim = createPollingClaim(bot, log);
  const outage = createOutageLog();
  let isResumed = false;
  /** The first poll waits briefly: what it brings says whether anything was missed. */
  let isFirst = true;
  while (!signal.aborted) {
    try {
      await claim.ensure(signal);
      if (!isResumed) await queue.resume();
      isResumed = true;
      const updates: Update[] = await bot.api.getUpdates(
        {
          offset: queue.offset(),
          limit: MAX_BATCH,
          timeout: isFirst ? FIRST_POLL_SECONDS : POLL_SECONDS,
          allowed_updates: ALLOWED_UPDATES,
        },
        apiSignal(signal),
      );
      isFirst = false;
      outage.recovered(() => log.warn({}, 'Telegram gives out updates again'));
      queue.add(updates);
      await queue.settle(LOOK_AGAIN_MS);
      if (updates.length < MAX_BATCH) await watch.heard();
    } catch (error) {
      if (signal.aborted) break;
      const failure = failureOf(error);
      claim.failed(failure);
      watch.failed(failure);
      outage.failed((failures) => log.warn({ failure, failures }, 'no updates from Telegram right now'));
      const waitMs = failure.kind === 'flood' ? failure.retryAfterSeconds * 1000 : RETRY_MS;
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }
  await queue.stopped();
}
