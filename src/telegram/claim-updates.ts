import type { Bot } from 'grammy';
import { apiSignal, type CallFailure } from './bot-api.ts';
import type { UpdatesLog } from './handle-update.ts';

/** How often a webhook of another program is removed, so that two programs do not compete in a busy loop. */
const CLAIM_EVERY_MS = 60_000;

/** Telegram refuses polling while a webhook is set, for instance by another program with the bot's token. */
export interface PollingClaim {
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
