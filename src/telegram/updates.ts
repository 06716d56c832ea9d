import { setTimeout as sleep } from 'node:timers/promises';
import type { Api, Bot } from 'grammy';
import type { Update } from 'grammy/types';
import type { Queryable } from '../core/database.ts';
import { createOutageLog } from '../core/outage-log.ts';
import { apiSignal, type CallFailure, failureOf } from './bot-api.ts';
import type { UpdatesLog } from './handle-update.ts';
import type { LostUpdates } from './lost-updates.ts';
import { createUpdateQueue, type Sequencer } from './update-queue.ts';

/** Telegram sends `chat_member` only when it is listed here; it is the update that reports leaving. */
export const ALLOWED_UPDATES = [
  'message',
  'callback_query',
  'chat_member',
  'my_chat_member',
  'chat_join_request',
] as const;

/** A checker bot has no dialogues. Messages report a group that becomes a supergroup. */
export const CHECKER_UPDATES = ['message', 'chat_member', 'my_chat_member'] as const;

const POLL_SECONDS = 25;
const FIRST_POLL_SECONDS = 1;
const MAX_BATCH = 100;
const RETRY_MS = 500;
/** Telegram returns a single update when it is polled with the same offset again within half a second. */
const POLL_AGAIN_MS = 600;

/**
 * Polls for updates and handles those of different people and chats concurrently. The next poll acknowledges an update
 * once it is handled or stored in the database, so a killed process loses none.
 */
export async function pollUpdates(
  bot: Bot,
  {
    db,
    log,
    lost,
    describe,
    allowedUpdates = ALLOWED_UPDATES,
    onFailure,
    ...limits
  }: {
    readonly db: Queryable;
    readonly log: UpdatesLog;
    readonly lost: LostUpdates;
    readonly describe?: (api: Api, log: UpdatesLog) => Promise<void>;
    readonly keepDialoguesAfterMs?: number;
    readonly allowedUpdates?: typeof ALLOWED_UPDATES | typeof CHECKER_UPDATES;
    readonly receivedBy?: number;
    readonly sequencer?: Sequencer;
    readonly onFailure?: (failure: CallFailure) => void;
  },
  signal: AbortSignal,
): Promise<void> {
  const queue = createUpdateQueue({ bot, db, log, signal, windowSize: MAX_BATCH, ...limits });
  const claim = createPollingClaim(bot, log);
  const outage = createOutageLog();
  let isResumed = false;
  /** The first poll is short: its updates show whether any were lost. */
  let isFirst = true;
  while (!signal.aborted) {
    try {
      await claim.ensure(signal);
      if (!isResumed) await Promise.all([queue.resume(), describe?.(bot.api, log)]);
      isResumed = true;
      const updates: Update[] = await bot.api.getUpdates(
        {
          offset: queue.offset(),
          limit: MAX_BATCH,
          timeout: isFirst ? FIRST_POLL_SECONDS : POLL_SECONDS,
          allowed_updates: allowedUpdates,
        },
        apiSignal(signal),
      );
      isFirst = false;
      outage.recovered(() => log.warn({}, 'Telegram delivers updates again'));
      queue.add(updates);
      await queue.settle(POLL_AGAIN_MS);
      if (updates.length < MAX_BATCH) await lost.caughtUp();
    } catch (error) {
      if (signal.aborted) break;
      const failure = failureOf(error);
      claim.failed(failure);
      lost.failed(failure);
      onFailure?.(failure);
      outage.failed((failures) => log.warn({ failure, failures }, 'polling for updates failed'));
      const waitMs = failure.kind === 'flood' ? failure.retryAfterSeconds * 1000 : RETRY_MS;
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }
  await queue.stopped();
}

/** How often a webhook of another program is removed, so that two programs do not compete in a busy loop. */
const CLAIM_EVERY_MS = 60_000;

/** Telegram refuses polling while a webhook is set, for instance by another program with the bot's token. */
interface PollingClaim {
  /** Removes the webhook at start, and after a poll that failed because of one. */
  ensure(signal: AbortSignal): Promise<void>;
  /** Records why a poll failed. `ensure` then removes a webhook. */
  failed(failure: CallFailure): void;
}

export function createPollingClaim(
  bot: Bot,
  log: UpdatesLog,
  nowMs: () => number = () => performance.now(),
): PollingClaim {
  let state: 'new' | 'held' | 'lost' = 'new';
  let lastTakenAt = Number.NEGATIVE_INFINITY;

  return {
    async ensure(signal) {
      if (state === 'held') return;
      if (state === 'lost') {
        if (nowMs() - lastTakenAt < CLAIM_EVERY_MS) return;
        const { url } = await bot.api.getWebhookInfo(apiSignal(signal));
        log.error({ host: hostOf(url) }, 'another program set a webhook with our bot token; removing it');
        lastTakenAt = nowMs();
      }
      // Also removes a webhook of an earlier configuration.
      await bot.api.deleteWebhook({}, apiSignal(signal));
      // Not bot.init(): it hides failures and doubles its pauses, up to twenty minutes.
      if (!bot.isInited()) bot.botInfo = await bot.api.getMe(apiSignal(signal));
      state = 'held';
    },
    failed(failure) {
      const isWebhook = failure.kind === 'refused' && failure.errorCode === 409 && /webhook/i.test(failure.description);
      if (isWebhook) state = 'lost';
    },
  };
}

/** Returns only the host: the path may contain the other program's secret. */
export function hostOf(url: string | undefined): string {
  return url !== undefined && URL.canParse(url) ? new URL(url).host : 'none';
}
