import type { Bot } from 'grammy';
import { apiSignal, type CallFailure } from './bot-api.ts';
import type { UpdatesLog } from './handle-update.ts';

/** A program that sets its webhook again and again is answered this often, and not in a busy loop. */
const CLAIM_EVERY_MS = 60_000;

/** The right to poll. Another program with the bot's token takes it away by setting a webhook. */
export interface PollingClaim {
  /** Removes a webhook, at first and after a poll that failed because of one. */
  ensure(signal: AbortSignal): Promise<void>;
  /** Notes why a poll failed: when it was a webhook, `ensure` removes it. */
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
      // A webhook of an earlier configuration, too: while one is set, Telegram refuses to be polled.
      await bot.api.deleteWebhook({}, apiSignal(signal));
      // Not bot.init(): it keeps its failures to itself and doubles its pauses, up to twenty minutes.
      if (!bot.isInited()) bot.botInfo = await bot.api.getMe(apiSignal(signal));
      state = 'held';
    },
    failed(failure) {
      const isWebhook = failure.kind === 'refused' && failure.errorCode === 409 && /webhook/i.test(failure.description);
      if (isWebhook) state = 'lost';
    },
  };
}

/** The path may hold the other program's secret. */
export function hostOf(url: string | undefined): string {
  return url !== undefined && URL.canParse(url) ? new URL(url).host : 'none';
}
