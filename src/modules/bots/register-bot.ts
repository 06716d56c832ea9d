import { publishChanges } from '../../core/changes.ts';
import type { Transaction } from '../../core/database.ts';
import { type Bot, MAX_SPONSORS, ROUND_SECONDS, type Scope } from './bot.ts';
import { type BotSettings, insertBot, lockBot, saveSettings, setBotActive } from './store.ts';

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
