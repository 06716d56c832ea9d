import type { Queryable, Transaction } from '../../core/database.ts';
import { ApiError } from '../../core/errors.ts';
import type { Bot } from './bot.ts';
import { findBot, lockBot } from './store.ts';

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
