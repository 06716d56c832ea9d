import { randomBytes, randomInt } from 'node:crypto';
import type { Transaction } from '../../core/database.ts';
import type { Account, Birthdate, Bot, ChatRoom, ChatType, Context } from './context.ts';
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
  /** It gets no public name, and there is no link to it but invite links. */
  readonly isPrivate?: boolean | undefined;
  /** This bot becomes an administrator, and hears of it unless `silent`. */
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

/** Telegram would refuse too: ids and names are unique. */
interface Conflict {
  readonly ok: false;
  readonly conflict: 'id_taken' | 'username_taken';
  readonly message: string;
}

export type Created<T> = { readonly ok: true; readonly value: T } | Conflict;

export interface ChannelHandle {
  readonly chat_id: number;
  readonly link: string;
  readonly username: string;
}

export interface BotHandle extends ChannelHandle {
  readonly token: string;
}

/** Enough tries for ids drawn at random out of billions. */
const MAX_DRAWS = 5;

/** Carries a conflict out of a transaction, which must not commit half of a peer. */
class ConflictError extends Error {
  readonly conflict: Conflict;
  constructor(conflict: Conflict) {
    super(conflict.message);
    this.conflict = conflict;
  }
}

const idTaken = (id: number): Conflict => ({ ok: false, conflict: 'id_taken', message: `id ${id} is taken` });
const nameTaken = (name: string): Conflict => ({
  ok: false,
  conflict: 'username_taken',
  message: `username ${name} is taken`,
});

/** Ids of channels and supergroups are negative and begin with -100. */
export const drawSupergroupId = (): number => -(1_000_000_000_000 + randomInt(1_100_000_000, 2_900_000_000));

const drawInviteLink = (): string => `https://t.me/+${randomBytes(12).toString('base64url')}`;

export const linkInto = (username: string | null, inviteLink: string | null): string =>
  username === null && inviteLink !== null ? inviteLink : linkTo(username ?? '');

const linkTo = (username: string): string => `https://t.me/${username}`;

const cleanName = (username: string): string => username.replace(/^@/, '');

async function creating<T>(fixedId: number | undefined, attempt: () => Promise<T>): Promise<Created<T>> {
  for (let draw = 1; ; draw++) {
    try {
      return { ok: true, value: await attempt() };
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      const drawnAgain = error.conflict.conflict === 'id_taken' && fixedId === undefined && draw < MAX_DRAWS;
      if (!drawnAgain) return error.conflict;
    }
  }
}

async function nameOrConflict(tx: Transaction, username: string, peerId: number): Promise<void> {
  if (!(await claimName(tx, username, peerId))) throw new ConflictError(nameTaken(username));
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

/** A person without a username stays without one: plenty of real people have none, and a filter asks for it. */
export function createUser(context: Context, user: NewUser): Promise<Created<{ user_id: number }>> {
  return creating(user.user_id, () =>
    context.db.transaction(async (tx) => {
      const id = user.user_id ?? randomInt(500_000_000, 7_900_000_000);
      const username = user.username === undefined ? null : cleanName(user.username);
      const account: Account = {
        ...BLANK,
        id,
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
      if (!(await insertAccount(tx, account, context.clock.now()))) throw new ConflictError(idTaken(id));
      if (username !== null) await nameOrConflict(tx, username, id);
      return { user_id: id };
    }),
  );
}

export async function createChannel(context: Context, channel: NewChannel): Promise<Created<ChannelHandle>> {
  const made = await creating(undefined, () =>
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
      if (!(await insertChat(tx, room, now))) throw new ConflictError(idTaken(id));
      if (username !== null) await nameOrConflict(tx, username, id);
      if (channel.ownerId !== undefined) {
        await writeMembership(tx, id, channel.ownerId, { status: 'creator', isMember: true }, now);
      }
      const bot = channel.adminBotId === undefined ? undefined : await findBot(tx, channel.adminBotId);
      const updates = bot ? await announceAdmin(context, tx, room, bot, true, channel.ownerId) : undefined;
      const pushed =
        bot && updates && !channel.silent ? await queueUpdate(tx, announce, [bot.id], 'my_chat_member', updates) : [];
      return { handle: { chat_id: id, link: linkInto(username, inviteLink), username: username ?? '' }, pushed };
    }),
  );
  if (!made.ok) return made;
  await untilHandled(context, made.value.pushed);
  return { ok: true, value: made.value.handle };
}

/** A channel takes another public name, or gives its name up; whoever comes first may take the old one. */
export function renameChannel(
  context: Context,
  chatId: number,
  username: string | null,
): Promise<Created<{ chat_id: number; link: string }>> {
  return creating(chatId, () =>
    context.db.transaction(async (tx) => {
      const name = username === null ? null : cleanName(username);
      const inviteLink = name === null ? drawInviteLink() : null;
      await releaseName(tx, chatId);
      if (name !== null) await nameOrConflict(tx, name, chatId);
      await renameChat(tx, chatId, { username: name, inviteLink });
      return { chat_id: chatId, link: linkInto(name, inviteLink) };
    }),
  );
}

export function createBot(context: Context, bot: NewBot): Promise<Created<BotHandle>> {
  return creating(undefined, () =>
    context.db.transaction(async (tx) => {
      const id = randomInt(5_000_000_000, 7_900_000_000);
      const username = cleanName(bot.username ?? `sandbox_${randomBytes(5).toString('hex')}_bot`);
      const token = `${id}:${randomBytes(26).toString('base64url')}`;
      const account: Account = { ...BLANK, id, isBot: true, firstName: bot.title, username };
      if (!(await insertAccount(tx, account, context.clock.now()))) throw new ConflictError(idTaken(id));
      await nameOrConflict(tx, username, id);
      await insertBot(tx, id, token, false);
      return { chat_id: id, token, link: linkTo(username), username };
    }),
  );
}

/** Every process of the service registers its bot when it starts, so doing it again changes nothing. */
export function registerBot(context: Context, bot: RegisteredBot): Promise<Created<BotHandle>> {
  const id = bot.id ?? Number(bot.token.split(':', 1)[0]);
  if (!Number.isSafeInteger(id) || id <= 0) throw new Error('a bot token begins with the numeric id of the bot');
  return creating(id, () =>
    context.bus.transact(async (tx, announce) => {
      const username = cleanName(bot.username);
      const known: Bot | undefined = await findBot(tx, id);
      if (known) {
        await releaseName(tx, id);
        await renameAccount(tx, id, username, bot.title);
      } else {
        const account: Account = { ...BLANK, id, isBot: true, firstName: bot.title, username };
        await insertAccount(tx, account, context.clock.now());
        if ((await findAccount(tx, id))?.isBot !== true) throw new ConflictError(idTaken(id));
      }
      await nameOrConflict(tx, username, id);
      await insertBot(tx, id, bot.token, true);
      announce({ kind: 'bots' });
      return { chat_id: id, token: bot.token, link: linkTo(username), username };
    }),
  );
}
