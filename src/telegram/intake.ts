import type { FastifyPluginAsync } from 'fastify';
import type { Bot } from 'grammy';
import type { Database } from '../core/database.ts';
import type { Secrets } from '../core/secrets.ts';
import { ALLOWED_UPDATES, pollUpdates, type UpdatesLog } from './updates.ts';
import { telegramWebhookRoute, WEBHOOK_PATH } from './webhook-route.ts';

/** How updates reach the bot: fetched by one process at a time, or sent by Telegram to whichever listens. */
export interface Intake {
  readonly routes: readonly FastifyPluginAsync[];
  start(): Promise<void>;
  stop(): Promise<void>;
}

export function createPollingIntake({ db, bot, log }: { db: Database; bot: () => Bot; log: UpdatesLog }): Intake {
  const stopping = new AbortController();
  let polling: Promise<void> = Promise.resolve();
  return {
    routes: [],
    async start() {
      polling = db.exclusively('telegram updates', (signal) => pollUpdates(bot(), log, signal), stopping.signal);
    },
    async stop() {
      stopping.abort();
      await polling;
    },
  };
}

export function createWebhookIntake({
  bot,
  secrets,
  publicUrl,
}: {
  bot: () => Bot;
  secrets: Secrets;
  publicUrl: string;
}): Intake {
  const secret = secrets.sign('telegram-webhook', 'v1').toString('hex');
  return {
    routes: [telegramWebhookRoute(bot, secret)],
    async start() {
      await bot().api.setWebhook(`${publicUrl}${WEBHOOK_PATH}`, {
        secret_token: secret,
        allowed_updates: ALLOWED_UPDATES,
      });
    },
    async stop() {
      // Telegram keeps what it cannot deliver and sends it to the next process that listens.
    },
  };
}
