import { randomBytes, randomInt } from 'node:crypto';
import type { Static } from 'typebox';
import type { Account, ChatRoom, ChatType, Context } from './context.ts';
import { type NewUserBody, parseBirthdate } from './control-schemas.ts';
import { claimNameOrThrow, cleanName, IdTaken, linkTo } from './create-bots.ts';
import { writeMembership } from './members-store.ts';
import { announceAdmin } from './membership.ts';
import {
  editAccount,
  ensureAccount,
  findBot,
  insertAccount,
  insertChat,
  releaseName,
  renameChat,
} from './peers-store.ts';
import { queueUpdate, untilHandled } from './queue-updates.ts';

export type NewUser = Static<typeof NewUserBody>;

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

/** Enough for ids drawn at random from billions. */
const MAX_DRAWS = 5;

/** Ids of channels and supergroups are negative and begin with -100. */
export const drawSupergroupId = (): number => -(1_000_000_000_000 + randomInt(1_100_000_000, 2_900_000_000));

export const drawInviteLink = (): string => `https://t.me/+${randomBytes(12).toString('base64url')}`;

export const linkInto = (username: string | null, inviteLink: string | null): string =>
  username === null && inviteLink !== null ? inviteLink : linkTo(username ?? '');

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
        birthdate: parseBirthdate(user.birthdate) ?? null,
        photos: Number(user.photos ?? 0),
        rating: user.rating ?? null,
        gifts: Number(user.gifts ?? 0),
        audios: Number(user.audios ?? 0),
      };
      if (!(await insertAccount(tx, account, clock.now()))) throw new IdTaken(id);
      if (username !== null) await claimNameOrThrow(tx, username, id);
      return { user_id: id };
    });
  return user.user_id === undefined ? withDrawnId(create) : create();
}

export type UserChanges = Pick<NewUser, 'first_name' | 'language_code' | 'is_premium' | 'bio'>;

/** Changes only the given fields. */
export const editUser = ({ db, clock }: Context, userId: number, changes: UserChanges): Promise<void> =>
  db.transaction(async (tx) => {
    const person = await ensureAccount(tx, userId, clock.now());
    await editAccount(tx, {
      ...person,
      firstName: changes.first_name ?? person.firstName,
      languageCode: changes.language_code ?? person.languageCode,
      isPremium: changes.is_premium ?? person.isPremium,
      bio: changes.bio ?? person.bio,
    });
  });

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
        await ensureAccount(tx, channel.ownerId, now);
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
