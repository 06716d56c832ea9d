import { randomBytes, randomInt } from 'node:crypto';
import type { Transaction } from '../../core/database.ts';
import { ApiError } from '../../core/errors.ts';
import type { Account, Birthdate, ChatRoom, ChatType, Context } from './context.ts';
import { writeMembership } from './members-store.ts';
import { announceAdmin } from './membership.ts';
import {
  claimName,
  findAccount,
  findBot,
  insertAccount,
  insertBot,
  insertChat,
  releaseName,
  renameAccount,
  renameChat,
} from './peers-store.ts';
import { queueUpdate, untilHandled } from './queue-updates.ts';

export interface NewUser {
  readonly user_id?: number | undefined;
  readonly first_name?: string | undefined;
  readonly username?: string | undefined;
  readonly language_code?: string | undefined;
  readonly is_premium?: boolean | undefined;
  readonly bio?: string | undefined;
  readonly birthdate?: Birthdate | undefined;
  readonly photos?: number | undefined;
  readonly rating?: number | undefined;
  readonly gifts?: number | undefined;
  readonly audios?: number | undefined;
}

export interface NewChannel {
  readonly title: string;
  readonly username?: string | undefined;
  readonly type?: ChatType | undefined;
  /** The channel gets no public name; only invite links lead to it. */
  readonly isPrivate?: boolean | undefined;
  /** This bot becomes an administrator and gets an update about it unless `silent`. */
  readonly adminBotId?: number | undefined;
  readonly ownerId?: number | undefined;
  readonly silent?: boolean | undefined;
}

export interface NewBot {
  readonly title: string;
  readonly username?: string | undefined;
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
class IdTaken extends ApiError {
  constructor(id: number) {
    super('conflict', `id ${id} is taken`);
  }
}

/** Ids of channels and supergroups are negative and begin with -100. */
export const drawSupergroupId = (): number => -(1_000_000_000_000 + randomInt(1_100_000_000, 2_900_000_000));

export const drawInviteLink = (): string => `https://t.me/+${randomBytes(12).toString('base64url')}`;

export const linkInto = (username: string | null, inviteLink: string | null): string =>
  username === null && inviteLink !== null ? inviteLink : linkTo(username ?? '');

const linkTo = (username: string): string => `https://t.me/${username}`;

const cleanName = (username: string): string => username.replace(/^@/, '');

/** Creates a peer whose id is drawn at random; draws again when the id is taken. */
async function withDrawnId<T>(create: () => Promise<T>): Promise<T> {
  for (let draw = 1; ; draw++) {
    try {
      return await create();
    } catch (error) {
      if (!(error instanceof IdTaken) || draw >= MAX_DRAWS) throw error;
    }
  }
}

async function claimNameOrThrow(tx: Transaction, username: string, peerId: number): Promise<void> {
  if (!(await claimName(tx, username, peerId))) throw new ApiError('conflict', `username ${username} is taken`);
}

const BLANK: Omit<Account, 'id' | 'firstName' | 'username'> = {
  isBot: false,
  languageCode: null,
  isPremium: false,
  bio: null,
  birthdate: null,
  photos: 0,
  rating: null,
  gifts: 0,
  audios: 0,
};

/** A person without a username stays without one: many real people have none, and a filter tests for it. */
export function createUser({ db, clock }: Context, user: NewUser): Promise<{ user_id: number }> {
  const create = () =>
    db.transaction(async (tx) => {
      const id = user.user_id ?? randomInt(500_000_000, 7_900_000_000);
      const username = user.username === undefined ? null : cleanName(user.username);
      const account: Account = {
        id,
        isBot: false,
        firstName: user.first_name ?? 'Person',
        username,
        languageCode: user.language_code ?? null,
        isPremium: user.is_premium ?? false,
        bio: user.bio ?? null,
        birthdate: user.birthdate ?? null,
        photos: user.photos ?? 0,
        rating: user.rating ?? null,
        gifts: user.gifts ?? 0,
        audios: user.audios ?? 0,
      };
      if (!(await insertAccount(tx, account, clock.now()))) throw new IdTaken(id);
      if (username !== null) await claimNameOrThrow(tx, username, id);
      return { user_id: id };
    });
  return user.user_id === undefined ? withDrawnId(create) : create();
}

export async function createChannel(context: Context, channel: NewChannel) {
  const { pushed, ...created } = await withDrawnId(() =>
    context.bus.transact(async (tx, announce) => {
      const type = channel.type ?? 'channel';
      // A basic group has a short negative id and no public name.
      const id = type === 'group' ? -randomInt(100_000_000, 4_900_000_000) : drawSupergroupId();
      const username =
        channel.isPrivate || type === 'group'
          ? null
          : cleanName(channel.username ?? `channel_${randomBytes(5).toString('hex')}`);
      const now = context.clock.now();
      const inviteLink = username === null ? drawInviteLink() : null;
      const room: ChatRoom = { id, type, title: channel.title, username, inviteLink, migratedTo: null };
      if (!(await insertChat(tx, room, now))) throw new IdTaken(id);
      if (username !== null) await claimNameOrThrow(tx, username, id);
      if (channel.ownerId !== undefined) {
        await writeMembership(tx, id, channel.ownerId, { status: 'creator', isMember: true }, now);
      }
      const bot = channel.adminBotId === undefined ? undefined : await findBot(tx, channel.adminBotId);
      const change = bot ? await announceAdmin(context, tx, room, bot, true, channel.ownerId) : undefined;
      const pushed =
        bot && change && !channel.silent ? await queueUpdate(tx, announce, [bot.id], 'my_chat_member', change) : [];
      return { chat_id: id, link: linkInto(username, inviteLink), username: username ?? '', pushed };
    }),
  );
  await untilHandled(context, pushed);
  return created;
}

/** Gives a channel another public name, or removes its name. The old name becomes free. */
export function renameChannel({ db }: Context, chatId: number, username: string | null) {
  return db.transaction(async (tx) => {
    const name = username === null ? null : cleanName(username);
    const inviteLink = name === null ? drawInviteLink() : null;
    await releaseName(tx, chatId);
    if (name !== null) await claimNameOrThrow(tx, name, chatId);
    await renameChat(tx, chatId, { username: name, inviteLink });
    return { chat_id: chatId, link: linkInto(name, inviteLink) };
  });
}

export function createBot({ db, clock }: Context, bot: NewBot) {
  return withDrawnId(() =>
    db.transaction(async (tx) => {
      const id = randomInt(5_000_000_000, 7_900_000_000);
      const username = cleanName(bot.username ?? `sandbox_${randomBytes(5).toString('hex')}_bot`);
      const token = `${id}:${randomBytes(26).toString('base64url')}`;
      const account: Account = { ...BLANK, id, isBot: true, firstName: bot.title, username };
      if (!(await insertAccount(tx, account, clock.now()))) throw new IdTaken(id);
      await claimNameOrThrow(tx, username, id);
      await insertBot(tx, id, token, false);
      return { chat_id: id, token, link: linkTo(username), username };
    }),
  );
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
      const account: Account = { ...BLANK, id, isBot: true, firstName: bot.title, username };
      await insertAccount(tx, account, clock.now());
      if ((await findAccount(tx, id))?.isBot !== true) throw new IdTaken(id);
    }
    await claimNameOrThrow(tx, username, id);
    await insertBot(tx, id, bot.token, true);
    announce({ kind: 'bots' });
  });
}
