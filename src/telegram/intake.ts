import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyPluginAsync } from 'fastify';
import type { Api, Bot } from 'grammy';
import type { Clock } from '../core/clock.ts';
import type { Database } from '../core/database.ts';
import { createOutageLog } from '../core/outage-log.ts';
import type { Secrets } from '../core/secrets.ts';
import { apiSignal, type CallFailure, failureOf } from './bot-api.ts';
import type { ActiveChecker, CheckerBots } from './checker-bots.ts';
import { handleUpdate, type UpdatesLog } from './handle-update.ts';
import { createLostUpdates, type LostUpdates } from './lost-updates.ts';
import { createPersonLeases } from './person-lease.ts';
import { forgetUnfinished, readUnfinished } from './unfinished-updates-store.ts';
import { createSequencer } from './update-queue.ts';
import { ALLOWED_UPDATES, CHECKER_UPDATES, hostOf, pollUpdates } from './updates.ts';
import { telegramWebhookRoute, WEBHOOK_PATH } from './webhook-route.ts';

/** How updates reach our bots: one process polls for them, or Telegram posts them to any process. */
export interface Intake {
  readonly routes: readonly FastifyPluginAsync[];
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** The checker bots, whose updates are received like those of the management bot. */
export interface CheckerIntake {
  readonly bots: Pick<CheckerBots, 'active' | 'onChange' | 'refusedToken'>;
  /** Builds the bot that handles the updates of a checker bot. */
  readonly open: (checker: ActiveChecker) => Bot;
  /** Another program received updates of the bot, or no longer does. */
  readonly recordConflict: (checker: ActiveChecker, isConflict: boolean) => Promise<void>;
}

export interface IntakeDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly bot: () => Bot;
  readonly checkers: CheckerIntake;
  readonly log: UpdatesLog;
  /** Sets what Telegram shows about the bot. Called once, when Telegram can be reached. */
  readonly describe?: (api: Api, log: UpdatesLog) => Promise<void>;
}

export function createPollingIntake({
  db,
  clock,
  bot,
  checkers,
  log: given,
  ...options
}: IntakeDeps & { readonly keepDialoguesAfterMs?: number }): Intake {
  const lost = createLostUpdates({ db, clock });
  const log = logWithLosses(given, lost);
  const stopping = new AbortController();
  // A person and a chat can appear in the updates of several bots.
  const sequencer = createSequencer();
  let polling: Promise<void> = Promise.resolve();

  function pollChecker(checker: ActiveChecker, signal: AbortSignal): Promise<void> {
    const parts = partsOf(checker, { db, clock, checkers, log: given });
    const limits = { receivedBy: checker.botId, allowedUpdates: CHECKER_UPDATES, sequencer };
    return pollUpdates(checkers.open(checker), { db, ...parts, ...limits }, signal);
  }

  return {
    routes: [],
    async start() {
      polling = db.exclusively(
        'telegram updates',
        async (signal) => {
          await Promise.all([
            pollUpdates(bot(), { db, log, lost, sequencer, ...options }, signal),
            forEachChecker({ bots: checkers.bots, log: given }, pollChecker, signal),
          ]);
        },
        stopping.signal,
      );
    },
    async stop() {
      stopping.abort();
      await polling;
    },
  };
}

/** Returns the log of a checker bot, its lost updates, and what to do when Telegram refuses to deliver. */
function partsOf(
  checker: ActiveChecker,
  { db, clock, checkers, log: given }: Pick<IntakeDeps, 'db' | 'clock' | 'checkers' | 'log'>,
) {
  const { botId, username } = checker;
  const lost = createLostUpdates({ db, clock, of: botId });
  const log = logWithLosses(
    {
      warn: (details, message) => given.warn({ checker: username, ...details }, message),
      error: (details, message) => given.error({ checker: username, ...details }, message),
    },
    lost,
  );
  /** Whether the database says that there is a conflict; unknown at the start. */
  let hasConflict: boolean | undefined;
  async function note(isConflict: boolean): Promise<void> {
    if (hasConflict === isConflict) return;
    await checkers.recordConflict(checker, isConflict);
    hasConflict = isConflict;
  }
  return {
    log,
    lost: {
      ...lost,
      async caughtUp(): Promise<void> {
        await lost.caughtUp();
        await note(false);
      },
    },
    onFailure(failure: CallFailure): void {
      if (failure.kind !== 'refused') return;
      if (failure.errorCode === 401) checkers.bots.refusedToken(botId);
      if (failure.errorCode !== 409) return;
      void note(true).catch((err: unknown) => log.warn({ err }, 'conflict of a checker bot not stored'));
    },
  };
}

/**
 * Runs the work for every active checker bot, also for those that are added later, until the signal fires. A bot with
 * a new token starts after the work with the old one has ended.
 */
async function forEachChecker(
  { bots, log }: Pick<CheckerIntake, 'bots'> & Pick<IntakeDeps, 'log'>,
  work: (checker: ActiveChecker, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const running = new Map<
    number,
    { readonly checker: ActiveChecker; readonly stop: AbortController; readonly done: Promise<void> }
  >();
  const ended: Promise<void>[] = [];

  function follow(): void {
    if (signal.aborted) return;
    const active = new Map(bots.active().map((checker) => [checker.botId, checker]));
    for (const [botId, { checker, stop, done }] of running) {
      if (active.get(botId) === checker) continue;
      stop.abort();
      ended.push(done);
      running.delete(botId);
    }
    for (const checker of active.values()) {
      if (running.has(checker.botId)) continue;
      const stop = new AbortController();
      const done = keepWorking(checker, Promise.all(ended.splice(0)), AbortSignal.any([signal, stop.signal]));
      running.set(checker.botId, { checker, stop, done });
    }
  }

  async function keepWorking(checker: ActiveChecker, before: Promise<unknown>, until: AbortSignal): Promise<void> {
    await before;
    while (!until.aborted) {
      try {
        await work(checker, until);
      } catch (err) {
        log.error({ err, checker: checker.username }, 'updates of a checker bot not received; trying again');
        await pause(RETRY_MS, until);
      }
    }
  }

  follow();
  const off = bots.onChange(follow);
  try {
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  } finally {
    off();
  }
  await Promise.all([...ended, ...[...running.values()].map(({ done }) => done)]);
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
  checkers,
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
  let running: Promise<unknown> = Promise.resolve();
  const times = { checkEveryMs, retryMs };

  const secret = secrets.sign('telegram-webhook', 'v1').toString('hex');
  const secretOf = (botId: number): string => secrets.sign('telegram-webhook', `checker ${botId}`).toString('hex');
  /** The bots that handle the updates of checker bots, by token. */
  const opened = new Map<string, Bot>();
  function botOf(checker: ActiveChecker): Bot {
    const open = opened.get(checker.token) ?? checkers.open(checker);
    opened.set(checker.token, open);
    return open;
  }

  function keepCheckerSet(checker: ActiveChecker, until: AbortSignal): Promise<void> {
    const { botId } = checker;
    const parts = partsOf(checker, { db, clock, checkers, log: given });
    const url = `${publicUrl}${WEBHOOK_PATH}/${botId}`;
    return keepWebhookSet(
      {
        ...times,
        ...parts,
        db,
        bot: () => botOf(checker),
        url,
        secret: secretOf(botId),
        allowedUpdates: CHECKER_UPDATES,
        receivedBy: botId,
      },
      until,
    );
  }

  return {
    routes: [
      telegramWebhookRoute({
        management: () => ({ bot: bot(), secret, log }),
        checker(botId) {
          const checker = checkers.bots.active().find((each) => each.botId === botId);
          if (checker === undefined) return undefined;
          const { log: ownLog } = partsOf(checker, { db, clock, checkers, log: given });
          return { bot: botOf(checker), secret: secretOf(botId), log: ownLog };
        },
        leases: createPersonLeases(db),
        sequencer: createSequencer(),
      }),
    ],
    async start() {
      const url = `${publicUrl}${WEBHOOK_PATH}`;
      const own = { ...times, db, bot, url, secret, lost, log, allowedUpdates: ALLOWED_UPDATES, receivedBy: null };
      running = Promise.all([
        keepWebhookSet({ ...own, ...(describe && { describe }) }, signal),
        forEachChecker({ bots: checkers.bots, log: given }, keepCheckerSet, signal),
      ]);
    },
    // Telegram keeps undelivered updates and sends them to the next process.
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

interface WebhookDeps {
  readonly db: Database;
  readonly bot: () => Bot;
  readonly url: string;
  readonly secret: string;
  readonly allowedUpdates: typeof ALLOWED_UPDATES | typeof CHECKER_UPDATES;
  readonly receivedBy: number | null;
  readonly lost: LostUpdates;
  readonly log: UpdatesLog;
  readonly describe?: (api: Api, log: UpdatesLog) => Promise<void>;
  readonly onFailure?: (failure: CallFailure) => void;
  readonly checkEveryMs: number;
  readonly retryMs: number;
}

/**
 * Sets our webhook as soon as Telegram can be reached, so that the service starts without Telegram. Sets it again when
 * another program with our token has set its own or polls.
 */
async function keepWebhookSet(deps: WebhookDeps, signal: AbortSignal): Promise<void> {
  const { bot, url, lost, log, describe } = deps;
  const outage = createOutageLog();
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
        const options = { secret_token: deps.secret, allowed_updates: deps.allowedUpdates };
        await bot().api.setWebhook(url, options, apiSignal(signal));
        if (state === 'new') await resume(deps, signal);
        if (state === 'new') await describe?.(bot().api, log);
        state = 'set';
      }
      outage.recovered(() => log.warn({}, 'Telegram answers again'));
      await pause(deps.checkEveryMs, signal);
    } catch (error) {
      if (signal.aborted) return;
      const failure = failureOf(error);
      deps.onFailure?.(failure);
      outage.failed((failures) =>
        log.warn({ failure, failures }, 'webhook not set; Telegram does not know where to send updates'),
      );
      await pause(deps.retryMs, signal);
    }
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

/** Handles the updates that a polling process left unfinished when it was killed. The next start retries failures. */
async function resume({ db, bot, log, receivedBy }: WebhookDeps, signal: AbortSignal): Promise<void> {
  try {
    if (!bot().isInited()) bot().botInfo = await bot().api.getMe(apiSignal(signal));
    for (const update of await readUnfinished(db, receivedBy)) {
      await handleUpdate(bot(), update, log, signal);
      await forgetUnfinished(db, update.update_id, receivedBy);
    }
  } catch (err) {
    log.warn({ err }, 'unfinished updates of an earlier process not handled');
  }
}

/** Telegram may omit a default port. */
function isSameAddress(known: string | undefined, ours: string): boolean {
  return known !== undefined && URL.canParse(known) && new URL(known).href === new URL(ours).href;
}
