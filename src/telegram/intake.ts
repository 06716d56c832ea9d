import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyPluginAsync } from 'fastify';
import type { Api, Bot } from 'grammy';
import type { Clock } from '../core/clock.ts';
import type { Database } from '../core/database.ts';
import { createOutageLog } from '../core/outage-log.ts';
import type { Secrets } from '../core/secrets.ts';
import { apiSignal, failureOf } from './bot-api.ts';
import { handleUpdate, type UpdatesLog } from './handle-update.ts';
import { createLostUpdates, type LostUpdates } from './lost-updates.ts';
import { createPersonLeases } from './person-lease.ts';
import { forgetUnfinished, readUnfinished } from './unfinished-updates-store.ts';
import { ALLOWED_UPDATES, hostOf, pollUpdates } from './updates.ts';
import { telegramWebhookRoute, WEBHOOK_PATH } from './webhook-route.ts';

/** How updates reach the bot: one process polls for them, or Telegram posts them to any process. */
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
  /** Sets what Telegram shows about the bot. Called once, when Telegram can be reached. */
  readonly describe?: (api: Api, log: UpdatesLog) => Promise<void>;
}

export function createPollingIntake({
  db,
  clock,
  bot,
  log: given,
  ...options
}: IntakeDeps & { readonly keepDialoguesAfterMs?: number }): Intake {
  const lost = createLostUpdates({ db, clock });
  const log = logWithLosses(given, lost);
  const stopping = new AbortController();
  let polling: Promise<void> = Promise.resolve();
  return {
    routes: [],
    async start() {
      polling = db.exclusively(
        'telegram updates',
        (signal) => pollUpdates(bot(), { db, log, lost, ...options }, signal),
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
/** How often the intake checks that our webhook is still set and whether updates wait. */
const CHECK_EVERY_MS = 60_000;

const logWithLosses = (log: UpdatesLog, lost: LostUpdates): UpdatesLog => ({
  warn: (details, message) => log.warn(details, message),
  error: (details, message) => log.error(details, message),
  givenUp: lost.givenUp,
});

export function createWebhookIntake({
  db,
  clock,
  bot,
  secrets,
  publicUrl,
  log: given,
  describe,
  checkEveryMs = CHECK_EVERY_MS,
  retryMs = RETRY_MS,
}: IntakeDeps & {
  readonly secrets: Secrets;
  readonly publicUrl: string;
  /** Shorter in tests. */
  readonly checkEveryMs?: number;
  readonly retryMs?: number;
}): Intake {
  const lost = createLostUpdates({ db, clock });
  const log = logWithLosses(given, lost);
  const stopping = new AbortController();
  const { signal } = stopping;
  const outage = createOutageLog();
  const url = `${publicUrl}${WEBHOOK_PATH}`;
  let running: Promise<void> = Promise.resolve();

  /**
   * Sets our webhook as soon as Telegram can be reached, so that the service starts without Telegram. Sets it again
   * when another program with our token has set its own or polls.
   */
  async function keepWebhookSet(): Promise<void> {
    let state: 'new' | 'set' | 'lost' = 'new';
    while (!signal.aborted) {
      try {
        if (state === 'set') {
          const { url: known, pending_update_count: waiting } = await bot().api.getWebhookInfo(apiSignal(signal));
          if (!isSameAddress(known, url)) {
            state = 'lost';
            lost.takenOver();
            log.error({ host: hostOf(known) }, 'another program changed the webhook of our bot; setting ours again');
          } else if (waiting === 0) await lost.caughtUp();
        }
        if (state !== 'set') {
          const options = { secret_token: secret, allowed_updates: ALLOWED_UPDATES };
          await bot().api.setWebhook(url, options, apiSignal(signal));
          if (state === 'new') await resume();
          if (state === 'new') await describe?.(bot().api, log);
          state = 'set';
        }
        outage.recovered(() => log.warn({}, 'Telegram answers again'));
        await pause(checkEveryMs);
      } catch (error) {
        const failure = failureOf(error);
        outage.failed((failures) =>
          log.warn({ failure, failures }, 'webhook not set; Telegram does not know where to send updates'),
        );
        await pause(retryMs);
      }
    }
  }

  async function pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal }).catch(() => undefined);
  }

  /** Handles the updates that a polling process left unfinished when it was killed. The next start retries failures. */
  async function resume(): Promise<void> {
    try {
      if (!bot().isInited()) bot().botInfo = await bot().api.getMe(apiSignal(signal));
      for (const update of await readUnfinished(db)) {
        await handleUpdate(bot(), update, log, signal);
        await forgetUnfinished(db, update.update_id);
      }
    } catch (err) {
      log.warn({ err }, 'unfinished updates of an earlier process not handled');
    }
  }

  const secret = secrets.sign('telegram-webhook', 'v1').toString('hex');
  return {
    routes: [telegramWebhookRoute({ bot, secret, leases: createPersonLeases(db), log })],
    async start() {
      running = keepWebhookSet();
    },
    // Telegram keeps undelivered updates and sends them to the next process.
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Telegram may omit a default port. */
function isSameAddress(known: string | undefined, ours: string): boolean {
  return known !== undefined && URL.canParse(known) && new URL(known).href === new URL(ours).href;
}
