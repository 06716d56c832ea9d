import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyPluginAsync } from 'fastify';
import type { Bot } from 'grammy';
import type { Clock } from '../core/clock.ts';
import type { Database } from '../core/database.ts';
import { createOutageLog } from '../core/outage-log.ts';
import type { Secrets } from '../core/secrets.ts';
import { apiSignal, failureOf } from './bot-api.ts';
import { hostOf } from './claim-updates.ts';
import { handleUpdate, type UpdatesLog } from './handle-update.ts';
import { createIntakeWatch, type IntakeWatch } from './lost-updates.ts';
import { createTurns } from './person-lease.ts';
import { forgetUnfinished, readUnfinished } from './unfinished-updates-store.ts';
import { ALLOWED_UPDATES, pollUpdates } from './updates.ts';
import { telegramWebhookRoute, WEBHOOK_PATH } from './webhook-route.ts';

/** How updates reach the bot: fetched by one process at a time, or sent by Telegram to whichever listens. */
export interface Intake {
  readonly routes: readonly FastifyPluginAsync[];
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface IntakeDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly bot: () => Bot;
  readonly log: UpdatesLog;
}

export function createPollingIntake({ db, clock, bot, log: given }: IntakeDeps): Intake {
  const watch = createIntakeWatch({ db, clock });
  const log = watchedLog(given, watch);
  const stopping = new AbortController();
  let polling: Promise<void> = Promise.resolve();
  return {
    routes: [],
    async start() {
      polling = db.exclusively(
        'telegram updates',
        (signal) => pollUpdates(bot(), { db, log, watch }, signal),
        stopping.signal,
      );
    },
    async stop() {
      stopping.abort();
      await polling;
    },
  };
}

const RETRY_MS = 5_000;
/** How often Telegram is asked whether our webhook is still the one that is set, and whether updates wait. */
const LOOK_EVERY_MS = 60_000;

const watchedLog = (log: UpdatesLog, watch: IntakeWatch): UpdatesLog => ({
  warn: (details, message) => log.warn(details, message),
  error: (details, message) => log.error(details, message),
  givenUp: watch.givenUp,
});

export function createWebhookIntake({
  db,
  clock,
  bot,
  secrets,
  publicUrl,
  log: given,
  lookEveryMs = LOOK_EVERY_MS,
  retryMs = RETRY_MS,
}: IntakeDeps & {
  readonly secrets: Secrets;
  readonly publicUrl: string;
  /** Shorter in tests. */
  readonly lookEveryMs?: number;
  readonly retryMs?: number;
}): Intake {
  const watch = createIntakeWatch({ db, clock });
  const log = watchedLog(given, watch);
  const stopping = new AbortController();
  const { signal } = stopping;
  const outage = createOutageLog();
  const url = `${publicUrl}${WEBHOOK_PATH}`;
  let telling: Promise<void> = Promise.resolve();

  /**
   * Telegram being away must not keep the service from starting; it is told as soon as it is back, and again when another
   * program with our token has set a webhook of its own or polls.
   */
  async function keepTold(): Promise<void> {
    let state: 'new' | 'told' | 'lost' = 'new';
    while (!signal.aborted) {
      try {
        if (state === 'told') {
          const { url: known, pending_update_count: waiting } = await bot().api.getWebhookInfo(apiSignal(signal));
          if (!isSameAddress(known, url)) {
            state = 'lost';
            watch.robbed();
            log.error({ host: hostOf(known) }, 'another program changed the webhook of our bot; setting ours again');
          } else if (waiting === 0) await watch.heard();
        }
        if (state !== 'told') {
          const options = { secret_token: secret, allowed_updates: ALLOWED_UPDATES };
          await bot().api.setWebhook(url, options, apiSignal(signal));
          if (state === 'new') await resume();
          state = 'told';
        }
        outage.recovered(() => log.warn({}, 'Telegram answers again'));
        await pause(lookEveryMs);
      } catch (error) {
        const failure = failureOf(error);
        outage.failed((failures) =>
          log.warn({ failure, failures }, 'Telegram could not be told where to send updates'),
        );
        await pause(retryMs);
      }
    }
  }

  async function pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal }).catch(() => undefined);
  }

  /** Handles what a process that polled left behind when it died. What fails is left to the next start. */
  async function resume(): Promise<void> {
    try {
      if (!bot().isInited()) bot().botInfo = await bot().api.getMe(apiSignal(signal));
      for (const update of await readUnfinished(db)) {
        await handleUpdate(bot(), update, log, signal);
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
      telling = keepTold();
    },
    // What Telegram cannot deliver it keeps, and sends it to the next process that listens.
    async stop() {
      stopping.abort();
      await telling;
    },
  };
}

/** Telegram may leave out a default port. */
function isSameAddress(known: string | undefined, ours: string): boolean {
  return known !== undefined && URL.canParse(known) && new URL(known).href === new URL(ours).href;
}
