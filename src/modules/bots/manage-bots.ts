import { publishChanges } from '../../core/changes.ts';
import type { Database, Queryable, Transaction } from '../../core/database.ts';
import { ApiError } from '../../core/errors.ts';
import { type Bot, MAX_SPONSORS, ROUND_SECONDS, type Scope } from './bot.ts';
import {
  type BotSettings,
  findBot,
  findBotByUsername,
  insertBot,
  listBotsOfAccount,
  lockBot,
  saveSettings,
  setBotActive,
} from './store.ts';

export interface NewBot {
  readonly accountId: number;
  readonly username: string;
  readonly maxSponsors?: number | undefined;
  readonly roundSeconds?: number | undefined;
  readonly scopes?: readonly Scope[];
  readonly at: Date;
}

/** Returns `undefined` when the username is taken. */
export async function registerBot(tx: Transaction, input: NewBot): Promise<Bot | undefined> {
  return insertBot(tx, {
    accountId: input.accountId,
    username: input.username,
    maxSponsors: input.maxSponsors ?? MAX_SPONSORS.default,
    roundSeconds: input.roundSeconds ?? ROUND_SECONDS.default,
    at: input.at,
  });
}

/** Changes the given settings of a bot. Returns `undefined` when the bot does not exist. */
export async function changeSettings(
  tx: Transaction,
  botId: number,
  change: Partial<BotSettings>,
): Promise<Bot | undefined> {
  const bot = await lockBot(tx, botId);
  if (bot === undefined) return undefined;
  const settings: BotSettings = {
    ...bot,
    excludedOrderIds: [...bot.excludedOrderIds],
    excludedResourceTypes: [...bot.excludedResourceTypes],
    ...change,
  };
  await saveSettings(tx, botId, settings);
  await publishChanges(tx, { kind: 'bot', id: botId });
  return lockBot(tx, botId);
}

export async function switchBot(tx: Transaction, botId: number, isActive: boolean): Promise<void> {
  await setBotActive(tx, botId, isActive);
  await publishChanges(tx, { kind: 'bot', id: botId });
}

/** Finds a bot's Telegram token anywhere in a text, because people often paste BotFather's whole message. */
export const botTokenIn = (text: string): string | undefined =>
  /(?<![\w-])\d{5,16}:[\w-]{30,100}(?![\w-])/.exec(text)?.[0];

type ClaimOutcome =
  | { readonly kind: 'registered'; readonly bot: Bot }
  /** The same account registered it before. */
  | { readonly kind: 'already_yours'; readonly bot: Bot }
  /** Another account has it. An operator decides disputes. */
  | { readonly kind: 'taken' };

/** Registers a bot for an account. The caller has checked that the account owns the bot. */
export async function claimBot(
  db: Database,
  { accountId, username, at }: { accountId: number; username: string; at: Date },
): Promise<ClaimOutcome> {
  return db.transaction(async (tx) => {
    const registered = await registerBot(tx, { accountId, username, at });
    if (registered !== undefined) return { kind: 'registered', bot: registered };
    const known = await findBotByUsername(tx, username);
    if (known === undefined) throw new Error('a bot vanished while it was being registered');
    return known.accountId === accountId ? { kind: 'already_yours', bot: known } : { kind: 'taken' };
  });
}

/** A bot and the account that uses it. */
export interface BotOfAccount {
  readonly accountId: number;
  readonly botId: number;
}

/** Throws `bot_not_found` also for a bot of another account. */
export async function requireOwnBot(db: Queryable, { accountId, botId }: BotOfAccount): Promise<Bot> {
  return own(await findBot(db, botId), accountId);
}

export async function lockOwnBot(tx: Transaction, { accountId, botId }: BotOfAccount): Promise<Bot> {
  return own(await lockBot(tx, botId), accountId);
}

function own(bot: Bot | undefined, accountId: number): Bot {
  if (bot === undefined || bot.accountId !== accountId) {
    throw new ApiError('bot_not_found', 'Your account has no such bot.');
  }
  return bot;
}

/** A change of one setting of a bot. It names the new value, so applying it twice has no further effect. */
export type Adjustment =
  | { readonly kind: 'max_sponsors'; readonly value: number }
  | { readonly kind: 'round_seconds'; readonly value: number }
  | { readonly kind: 'collects_profiles'; readonly value: boolean }
  | { readonly kind: 'warns_of_unknown_orders'; readonly value: boolean }
  | { readonly kind: 'resource_type'; readonly type: ExcludableType; readonly isExcluded: boolean }
  | { readonly kind: 'order'; readonly orderId: number; readonly isExcluded: boolean };

export const RESOURCE_TYPES = ['channel', 'bot'] as const;
type ExcludableType = (typeof RESOURCE_TYPES)[number];
export const MAX_EXCLUDED_ORDERS = 200;

/** Changes one setting of an account's own bot and returns the changed bot. */
export async function adjustBot(db: Database, input: BotOfAccount & { adjustment: Adjustment }): Promise<Bot> {
  return db.transaction(async (tx) => {
    const bot = await lockOwnBot(tx, input);
    const changed = await changeSettings(tx, bot.id, changeOf(bot, input.adjustment));
    if (changed === undefined) throw new Error('a bot vanished while it was locked');
    return changed;
  });
}

function changeOf(bot: Bot, adjustment: Adjustment): Partial<BotSettings> {
  switch (adjustment.kind) {
    case 'max_sponsors':
      return { maxSponsors: within(adjustment.value, MAX_SPONSORS) };
    case 'round_seconds':
      return { roundSeconds: within(adjustment.value, ROUND_SECONDS) };
    case 'collects_profiles':
      return { collectsProfiles: adjustment.value };
    case 'warns_of_unknown_orders':
      return { warnsOfUnknownOrders: adjustment.value };
    case 'resource_type': {
      const excludedResourceTypes = changeSet<string>(
        bot.excludedResourceTypes,
        adjustment.type,
        adjustment.isExcluded,
      );
      if (RESOURCE_TYPES.every((type) => excludedResourceTypes.includes(type))) {
        throw new ApiError('validation_failed', 'Channels and bots cannot both be excluded: nothing would be left.');
      }
      return { excludedResourceTypes };
    }
    case 'order': {
      const excludedOrderIds = changeSet(bot.excludedOrderIds, adjustment.orderId, adjustment.isExcluded);
      if (excludedOrderIds.length > MAX_EXCLUDED_ORDERS) {
        throw new ApiError('validation_failed', `At most ${MAX_EXCLUDED_ORDERS} orders can be excluded.`);
      }
      return { excludedOrderIds };
    }
  }
}

function within(value: number, { min, max }: { readonly min: number; readonly max: number }): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new ApiError('validation_failed', `A whole number from ${min} to ${max} is needed.`);
}

function changeSet<Item>(items: ReadonlySet<Item>, item: Item, isThere: boolean): Item[] {
  const others = [...items].filter((other) => other !== item);
  return isThere ? [...others, item] : others;
}

/** Switches a bot on or off. Tokens of a bot that is off are refused. */
export async function switchOwnBot(db: Database, input: BotOfAccount & { isActive: boolean }): Promise<Bot> {
  return db.transaction(async (tx) => {
    const bot = await lockOwnBot(tx, input);
    await switchBot(tx, bot.id, input.isActive);
    return { ...bot, isActive: input.isActive };
  });
}

/** Makes every process read the account's bots again: a ban or its end decides whether their tokens are valid. */
export async function publishBotsOf(tx: Transaction, accountId: number): Promise<void> {
  const bots = await listBotsOfAccount(tx, accountId);
  await publishChanges(tx, ...bots.map(({ id }) => ({ kind: 'bot' as const, id })));
}
