import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyPluginAsync } from 'fastify';
import type { Bot } from 'grammy';
import type { Database } from '../core/database.ts';
import type { Secrets } from '../core/secrets.ts';
import { apiSignal, failureOf } from './bot-api.ts';
import { createTurns } from './turns.ts';
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

const RETRY_MS = 5_000;

export function createWebhookIntake({
  db,
  bot,
  secrets,
  publicUrl,
  log,
}: {
  db: Database;
  bot: () => Bot;
  secrets: Secrets;
  publicUrl: string;
  log: UpdatesLog;
}): Intake {
  const stopping = new AbortController();
  let telling: Promise<void> = Promise.resolve();

  /** Telegram being away must not keep the service from starting; it is told as soon as it is back. */
  async function tellTelegram(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const options = { secret_token: secret, allowed_updates: ALLOWED_UPDATES };
        await bot().api.setWebhook(`${publicUrl}${WEBHOOK_PATH}`, options, apiSignal(stopping.signal));
        return;
      } catch (error) {
        log.warn({ failure: failureOf(error) }, 'Telegram could not be told where to send updates');
        await sleep(RETRY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  }

  const secret = secrets.sign('telegram-webhook', 'v1').toString('hex');
  return {
    routes: [telegramWebhookRoute(bot, secret, createTurns(db))],
    async start() {
      telling = tellTelegram();
    },
    // What Telegram cannot deliver it keeps, and sends it to the next process that listens.
    async stop() {
      stopping.abort();
      await telling;
    },
  };
}
