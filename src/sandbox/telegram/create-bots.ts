import { randomBytes, randomInt } from 'node:crypto';
import type { Transaction } from '../../core/database.ts';
import { ApiError } from '../../core/errors.ts';
import type { Account, Context } from './context.ts';
import {
  claimName,
  findAccount,
  findBot,
  insertAccount,
  insertBot,
  releaseName,
  renameAccount,
} from './peers-store.ts';

export interface NewBot {
  readonly title: string;
  readonly username?: string | undefined;
  /** The person whose bot it is in BotFather's list. */
  readonly ownerId?: number | undefined;
}

export interface RegisteredBot {
  /** Taken from the token when absent. */
  readonly id?: number | undefined;
  readonly username: string;
  readonly token: string;
  readonly title: string;
}

/** Enough for ids drawn at random from billions. */
const MAX_DRAWS = 5;

/** Rolls the transaction back, so that a peer is never created in part. */
export class IdTaken extends ApiError {
  constructor(id: number) {
    super('conflict', `id ${id} is taken`);
  }
}

export const linkTo = (username: string): string => `https://t.me/${username}`;

export const cleanName = (username: string): string => username.replace(/^@/, '');

export const drawToken = (botId: number): string => `${botId}:${randomBytes(26).toString('base64url')}`;

export async function claimNameOrThrow(tx: Transaction, username: string, peerId: number): Promise<void> {
  if (!(await claimName(tx, username, peerId))) throw new ApiError('conflict', `username ${username} is taken`);
}

const accountOf = (id: number, firstName: string, username: string): Account => ({
  id,
  isBot: true,
  firstName,
  username,
  languageCode: null,
  isPremium: false,
  bio: null,
  birthdate: null,
  photos: 0,
  rating: null,
  gifts: 0,
  audios: 0,
});

export const createBot = ({ db, clock }: Context, bot: NewBot) =>
  db.transaction((tx) => createBotIn(tx, bot, clock.now()));

export async function createBotIn(tx: Transaction, bot: NewBot, at: Date) {
  const username = cleanName(bot.username ?? `sandbox_${randomBytes(5).toString('hex')}_bot`);
  for (let draw = 1; ; draw++) {
    const id = randomInt(5_000_000_000, 7_900_000_000);
    if (!(await insertAccount(tx, accountOf(id, bot.title, username), at))) {
      if (draw >= MAX_DRAWS) throw new IdTaken(id);
      continue;
    }
    const token = drawToken(id);
    await claimNameOrThrow(tx, username, id);
    await insertBot(tx, { id, token, ownerId: bot.ownerId, isRegistered: false });
    return { chat_id: id, token, link: linkTo(username), username };
  }
}

/** Every process of the service registers its bot at start, so a repeat changes nothing. */
export function registerBot({ bus, clock }: Context, bot: RegisteredBot): Promise<void> {
  const id = bot.id ?? Number(bot.token.split(':', 1)[0]);
  if (!Number.isSafeInteger(id) || id <= 0) throw new Error('a bot token begins with the numeric id of the bot');
  return bus.transact(async (tx, announce) => {
    const username = cleanName(bot.username);
    if (await findBot(tx, id)) {
      await releaseName(tx, id);
      await renameAccount(tx, id, username, bot.title);
    } else {
      await insertAccount(tx, accountOf(id, bot.title, username), clock.now());
      if ((await findAccount(tx, id))?.isBot !== true) throw new IdTaken(id);
    }
    await claimNameOrThrow(tx, username, id);
    await insertBot(tx, { id, token: bot.token, isRegistered: true });
    announce({ kind: 'bots' });
  });
}
