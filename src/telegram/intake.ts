import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyPluginAsync } from 'fastify';
import type { Bot } from 'grammy';
import type { Database } from '../core/database.ts';
import type { Secrets } from '../core/secrets.ts';
import { apiSignal, failureOf } from './bot-api.ts';
import { handleUpdate, type UpdatesLog } from './handle-update.ts';
import { createTurns } from './turns.ts';
import { forgetUnfinished, readUnfinished } from './unfinished-updates-store.ts';
import { ALLOWED_UPDATES, pollUpdates } from './updates.ts';
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
      polling = db.exclusively('telegram updates', (signal) => pollUpdates(bot(), db, log, signal), stopping.signal);
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
        await resume();
        return;
      } catch (error) {
        log.warn({ failure: failureOf(error) }, 'Telegram could not be told where to send updates');
        await sleep(RETRY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  }

  /** Handles what a process that polled left behind when it died. What fails is left to the next start. */
  async function resume(): Promise<void> {
    try {
      if (!bot().isInited()) bot().botInfo = await bot().api.getMe(apiSignal(stopping.signal));
      for (const update of await readUnfinished(db)) {
        await handleUpdate(bot(), update, log, stopping.signal);
        await forgetUnfinished(db, update.update_id);
      }
    } catch (err) {
      log.warn({ err }, 'updates left behind could not be handled');
    }
  }

  const secret = secrets.sign('telegram-webhook', 'v1').toString('hex');
  return {
    routes: [telegramWebhookRoute({ bot, secret, turns: createTurns(db), log })],
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
