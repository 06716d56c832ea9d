import type { Api } from 'grammy';
import type { Clock } from '../core/clock.ts';
import type { Database } from '../core/database.ts';
import type { Secrets } from '../core/secrets.ts';
import { type Checker, listCheckers, openToken, revokeChecker } from '../modules/checkers/index.ts';
import { readCheckLoads } from '../modules/orders/index.ts';
import { type BotApi, callSignal, failureOf } from './bot-api.ts';

/** A checker bot that works. */
export interface ActiveChecker {
  readonly botId: number;
  readonly username: string;
  readonly token: string;
}

/** One of our bots that can check channels; `checkerId` null: the management bot. */
interface CheckingBot {
  readonly checkerId: number | null;
  readonly username: string;
}

/** The service's own bots: the management bot and the checker bots. Each process caches the list. */
export interface CheckerBots {
  /** Returns the API of the bot that serves a channel; undefined while that bot cannot be used. */
  apiOf(checkerId: number | null): Api | undefined;
  /** Returns the API of a checker bot that an operator removed. */
  apiOfStopped(checkerId: number): Api | undefined;
  /** Returns the Telegram id of the bot. */
  idOf(checkerId: number | null): number;
  /** The ids of all checker bots, also of stopped ones. */
  ids(): readonly number[];
  nameOf(checkerId: number): string | undefined;
  /** Returns the same object for a bot until its token changes. */
  active(): readonly ActiveChecker[];
  /** Returns the bot to add to a new channel: the checker bot with the least work, or the management bot. */
  leastLoaded(): Promise<CheckingBot | undefined>;
  /** Telegram refused the token. If it refuses it again, the bot stops and operators get a notice. */
  refusedToken(checkerId: number | null): void;
  /** Reads the list again. */
  reload(): Promise<void>;
  /** Calls the listener after every change of the list. Returns a function that ends this. */
  onChange(listener: () => void): () => void;
  /** Returns the name of the management bot; undefined while Telegram does not respond. */
  managementBot(): Promise<{ readonly id: number; readonly username: string } | undefined>;
}

/** After a failed call the next one waits, so that an outage of Telegram does not slow down every page. */
const RETRY_MS = 30_000;
/** The loads are an aggregate of all open orders; a wizard that is a moment behind names a bot that is as good. */
const LOADS_FOR_MS = 5_000;

export function createCheckerBots(deps: {
  readonly db: Database;
  readonly clock: Clock;
  readonly api: BotApi;
  readonly secrets: Secrets;
  readonly managementBotId: number;
  readonly operatorIds: ReadonlySet<number>;
  readonly log: { warn(details: object, message: string): void; error(details: object, message: string): void };
}): CheckerBots {
  const { db, clock, api, secrets, managementBotId, log } = deps;
  let checkers: readonly Checker[] = [];
  /** An API is opened at its first use: the emulator's address is known only once the server listens. */
  let usable = new Map<number, ActiveChecker & { readonly tokenEncrypted: Buffer; api: Api | undefined }>();
  const listeners = new Set<() => void>();
  const verifying = new Set<number>();
  let me: { readonly id: number; readonly username: string } | undefined;
  let failedAt = Number.NEGATIVE_INFINITY;
  let loads: { readonly at: number; readonly of: ReturnType<typeof readCheckLoads> } | undefined;

  async function reload(): Promise<void> {
    checkers = await listCheckers(db);
    const next: typeof usable = new Map();
    for (const { botId, username, tokenEncrypted, stopReason } of checkers) {
      if (stopReason !== null) continue;
      const token = openToken(secrets, tokenEncrypted);
      if (token === undefined) {
        log.error({ checker: username }, 'SECRET_KEY does not open the token of a checker bot; add the bot again');
        continue;
      }
      const before = usable.get(botId);
      // The same object as long as the token is the same: the intake compares it.
      const isSame = before?.tokenEncrypted.equals(tokenEncrypted) === true;
      next.set(botId, isSame ? before : { botId, username, token, tokenEncrypted, api: undefined });
    }
    usable = next;
    loads = undefined;
    for (const listener of listeners) listener();
  }

  function apiOf(checkerId: number): Api | undefined {
    const bot = usable.get(checkerId);
    if (bot === undefined) return undefined;
    bot.api ??= api.checker(bot.token);
    return bot.api;
  }

  function readLoads(): ReturnType<typeof readCheckLoads> {
    const now = performance.now();
    if (loads === undefined || now - loads.at > LOADS_FOR_MS) loads = { at: now, of: readCheckLoads(db) };
    const { of } = loads;
    of.catch(() => {
      if (loads?.of === of) loads = undefined;
    });
    return of;
  }

  /** Asks Telegram once more: a refused token stops many orders. */
  async function verifyToken(checkerId: number): Promise<void> {
    const bot = usable.get(checkerId);
    if (bot === undefined) return;
    try {
      await apiOf(checkerId)?.getMe(callSignal());
    } catch (error) {
      const failure = failureOf(error);
      if (failure.kind !== 'refused') return;
      const { operatorIds } = deps;
      const fault = { botId: checkerId, username: bot.username, at: clock.now(), operatorIds };
      const isStopped = await db.transaction((tx) => revokeChecker(tx, fault));
      if (isStopped)
        log.error({ checker: bot.username, failure }, 'Telegram refuses the token of a checker bot; stopped');
    }
  }

  async function managementBot() {
    if (me !== undefined || performance.now() - failedAt < RETRY_MS) return me;
    try {
      me = await api.service.getMe(callSignal());
    } catch (error) {
      failureOf(error);
      failedAt = performance.now();
    }
    return me;
  }

  return {
    apiOf: (checkerId) => (checkerId === null ? api.service : apiOf(checkerId)),
    apiOfStopped(checkerId) {
      const stopped = checkers.find(({ botId, stopReason }) => botId === checkerId && stopReason === 'removed');
      const token = stopped && openToken(secrets, stopped.tokenEncrypted);
      return token === undefined ? undefined : api.checker(token);
    },
    idOf: (checkerId) => checkerId ?? managementBotId,
    ids: () => checkers.map(({ botId }) => botId),
    nameOf: (checkerId) => checkers.find(({ botId }) => botId === checkerId)?.username,
    active: () => [...usable.values()],
    async leastLoaded() {
      if (usable.size === 0) {
        const bot = await managementBot();
        return bot && { checkerId: null, username: bot.username };
      }
      const checks = new Map((await readLoads()).map((load) => [load.checkerId, load.checks]));
      const [least] = [...usable.values()].sort((a, b) => (checks.get(a.botId) ?? 0) - (checks.get(b.botId) ?? 0));
      return least && { checkerId: least.botId, username: least.username };
    },
    refusedToken(checkerId) {
      // The token of the management bot is a setting; without it nothing can be told to anybody.
      if (checkerId === null || verifying.has(checkerId)) return;
      verifying.add(checkerId);
      void verifyToken(checkerId)
        .catch((err: unknown) => log.warn({ err }, 'token of a checker bot not verified'))
        .finally(() => verifying.delete(checkerId));
    },
    reload,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    managementBot,
  };
}

/** Returns the Telegram id in a bot token. */
export const botIdIn = (token: string): number => Number(/^\d+/.exec(token)?.[0] ?? Number.NaN);
