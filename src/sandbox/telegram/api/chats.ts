import type { ChatFullInfo, ChatInviteLink, ChatMember, UserFromGetMe } from 'grammy/types';
import { type Account, isAdmin, OUTSIDE } from '../context.ts';
import { drawInviteLink } from '../create-peers.ts';
import {
  countMembers,
  findInviteLink,
  findMembership,
  insertInviteLink,
  listAdmins,
  rewriteInviteLink,
  takeJoinRequest,
  viewMembership,
} from '../members-store.ts';
import { join } from '../membership.ts';
import { findChat } from '../peers-store.ts';
import { wireBot, wireChat, wireMember, wirePrivateChat, wireUser } from '../wire.ts';
import { type Call, chatIdOf, findMetAccount, roomOf, userIdOf } from './call.ts';
import { badRequest, forbidden, upgraded } from './errors.ts';

const FULL_INFO = {
  accent_color_id: 0,
  max_reaction_count: 11,
  accepted_gift_types: {
    unlimited_gifts: true,
    limited_gifts: true,
    unique_gifts: true,
    premium_subscription: true,
    gifts_from_channels: true,
  },
} as const;

export async function getMe({ bot }: Call): Promise<UserFromGetMe> {
  return {
    ...wireBot(bot),
    is_bot: true,
    username: bot.username,
    can_join_groups: true,
    can_read_all_group_messages: false,
    supports_inline_queries: false,
    can_connect_to_business: false,
    has_main_web_app: false,
    has_topics_enabled: false,
    allows_users_to_create_topics: false,
    can_manage_bots: false,
    supports_join_request_queries: false,
  };
}

export async function getChat(call: Call): Promise<ChatFullInfo> {
  const chatId = await chatIdOf(call);
  if (chatId < 0) return describeRoom(call, chatId);
  return describePerson(await findMetAccount(call, chatId));
}

/** Only members can read a chat without a public name. */
async function describeRoom({ context, bot }: Call, chatId: number): Promise<ChatFullInfo> {
  const room = await findChat(context.db, chatId);
  if (!room) throw badRequest('chat not found');
  const { status, isMember } = (await findMembership(context.db, chatId, bot.id)) ?? OUTSIDE;
  if (status === 'kicked') throw forbidden(`bot was kicked from the ${room.type} chat`);
  // A bot can read a basic group that it has left, even one that became a supergroup.
  if (!isMember && room.username === null && room.type !== 'group') {
    throw forbidden(`bot is not a member of the ${room.type} chat`);
  }
  const invite = isAdmin({ status, isMember }) && room.inviteLink !== null ? { invite_link: room.inviteLink } : {};
  return { ...wireChat(room), ...FULL_INFO, ...invite } as ChatFullInfo;
}

function describePerson(account: Account): ChatFullInfo.PrivateChat {
  const { bio, birthdate, rating, photos } = account;
  const photo = `photo${account.id}`;
  return {
    ...wirePrivateChat(account),
    ...FULL_INFO,
    ...(account.username === null ? {} : { active_usernames: [account.username] }),
    // Telegram returns a bio for people, not for bots.
    ...(account.isBot || bio === null || bio === '' ? {} : { bio }),
    ...(birthdate === null ? {} : { birthdate }),
    ...(rating === null ? {} : { rating: { level: rating, rating: rating * 100, current_level_rating: rating * 100 } }),
    ...(photos === 0
      ? {}
      : {
          photo: {
            small_file_id: `${photo}s`,
            small_file_unique_id: `${photo}s`,
            big_file_id: `${photo}b`,
            big_file_unique_id: `${photo}b`,
          },
        }),
  };
}

export async function getChatMember(call: Call): Promise<ChatMember> {
  const chatId = await chatIdOf(call);
  const userId = userIdOf(call);
  const view = await viewMembership(call.context.db, chatId, userId, call.bot.id);
  if (!view?.chat) throw badRequest('chat not found');
  // Telegram still reports a bot's own status in a group that became a supergroup: it has left.
  if (view.chat.migratedTo !== null && userId === call.bot.id) return wireMember(wireBot(call.bot), OUTSIDE);
  if (view.chat.migratedTo !== null) throw upgraded(view.chat.migratedTo);
  if (!isAdmin(view.caller ?? undefined)) throw badRequest('member list is inaccessible');
  if (!view.user) throw badRequest('user not found');
  return wireMember(wireUser(view.user), view.member ?? OUTSIDE);
}

export async function getChatAdministrators(call: Call): Promise<ChatMember[]> {
  const room = await roomOf(call, await chatIdOf(call));
  const admins = await listAdmins(call.context.db, room.id);
  if (!admins.some((admin) => admin.user.id === call.bot.id)) throw badRequest('member list is inaccessible');
  return admins.map((admin) => wireMember(wireUser(admin.user), admin));
}

export async function getChatMemberCount(call: Call): Promise<number> {
  const room = await roomOf(call, await chatIdOf(call));
  const own = await findMembership(call.context.db, room.id, call.bot.id);
  if (room.type === 'group' && own?.isMember !== true) throw forbidden('bot is not a member of the group chat');
  return countMembers(call.context.db, room.id);
}

export async function createChatInviteLink(call: Call): Promise<ChatInviteLink> {
  const { context, bot, params } = call;
  const chatId = await administeredChat(call);
  const name = params.text('name');
  const expires = params.integer('expire_date');
  const limit = params.integer('member_limit');
  const link: ChatInviteLink = {
    invite_link: drawInviteLink(),
    creator: wireBot(bot),
    creates_join_request: params.flag('creates_join_request'),
    is_primary: false,
    is_revoked: false,
    ...(name === undefined ? {} : { name: name.slice(0, 32) }),
    ...(expires === undefined ? {} : { expire_date: expires }),
    ...(limit === undefined ? {} : { member_limit: limit }),
  };
  await insertInviteLink(context.db, link.invite_link, chatId, link);
  return link;
}

/** Edits a link. Only the bot that created the link can edit it, and only while the link works. */
export async function editChatInviteLink(call: Call): Promise<ChatInviteLink> {
  const link = await ownLink(call);
  if (link.is_revoked) throw badRequest('INVITE_HASH_EXPIRED');
  const name = call.params.text('name');
  const edited: ChatInviteLink = { ...link, ...(name === undefined ? {} : { name: name.slice(0, 32) }) };
  await rewriteInviteLink(call.context.db, edited.invite_link, edited);
  return edited;
}

export async function revokeChatInviteLink(call: Call): Promise<ChatInviteLink> {
  const revoked: ChatInviteLink = { ...(await ownLink(call)), is_revoked: true };
  await rewriteInviteLink(call.context.db, revoked.invite_link, revoked);
  return revoked;
}

async function ownLink(call: Call): Promise<ChatInviteLink> {
  const chatId = await administeredChat(call);
  const link = await findInviteLink<ChatInviteLink>(call.context.db, call.params.text('invite_link') ?? '', chatId);
  if (link === undefined || link.creator.id !== call.bot.id) throw badRequest('INVITE_HASH_INVALID');
  return link;
}

export async function approveChatJoinRequest(call: Call): Promise<true> {
  const chatId = await administeredChat(call);
  const userId = userIdOf(call);
  await takeRequest(call, chatId, userId);
  await join(call.context, chatId, userId, { skipWait: true });
  return true;
}

export async function declineChatJoinRequest(call: Call): Promise<true> {
  await takeRequest(call, await administeredChat(call), userIdOf(call));
  return true;
}

async function takeRequest({ context }: Call, chatId: number, userId: number): Promise<void> {
  const taken = await context.db.transaction((tx) => takeJoinRequest(tx, chatId, userId));
  if (!taken) throw badRequest('HIDE_REQUESTER_MISSING');
}

async function administeredChat(call: Call): Promise<number> {
  const room = await roomOf(call, await chatIdOf(call));
  const admins = await listAdmins(call.context.db, room.id);
  if (!admins.some((admin) => admin.user.id === call.bot.id)) {
    throw badRequest('not enough rights to manage chat invite link');
  }
  return room.id;
}
