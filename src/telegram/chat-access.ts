import type { ChatMemberUpdated } from 'grammy/types';
import type { Clock } from '../core/clock.ts';
import type { Queryable } from '../core/database.ts';
import { apiSignal, type BotApi, failureOf } from './bot-api.ts';
import { type BotChat, forgetBotChat, saveBotChat } from './chat-access-store.ts';

const TIMEOUT_MS = 5_000;
const signal = () => apiSignal(AbortSignal.timeout(TIMEOUT_MS));

/** The chat, when the update says that our bot is an administrator of it now. */
export function administeredChat({ chat, from, new_chat_member: bot }: ChatMemberUpdated): BotChat | undefined {
  if (chat.type === 'private' || bot.status !== 'administrator') return undefined;
  return {
    chatId: chat.id,
    addedBy: from.id,
    type: chat.type,
    title: chat.title,
    username: 'username' in chat ? (chat.username ?? null) : null,
    canInvite: bot.can_invite_users,
  };
}

/**
 * Keeps track of the chats that our bot may look into. A chat that it has lost pauses what is advertised there, at once
 * and not only when somebody subscribes.
 */
export async function recordChatAccess(
  deps: {
    readonly db: Queryable;
    readonly clock: Clock;
    readonly api: BotApi;
    readonly loseAccess: (chatId: number) => Promise<void>;
  },
  change: ChatMemberUpdated,
): Promise<void> {
  // A person who starts or blocks our bot is told of in the same way.
  if (change.chat.type === 'private') return;
  const chat = administeredChat(change);
  if (chat !== undefined) return saveBotChat(deps.db, chat, deps.clock.now());
  // A group that becomes a supergroup loses all its members as well. Asking about it follows the migration.
  if (change.chat.type === 'group' && (await isStillAdministrator(deps.api, change))) return;
  await forgetBotChat(deps.db, change.chat.id);
  await deps.loseAccess(change.chat.id);
}

/** Not by `getChatMember` of our bot: in a group that has become a supergroup Telegram answers "left" to that. */
async function isStillAdministrator(api: BotApi, { chat, new_chat_member: bot }: ChatMemberUpdated): Promise<boolean> {
  try {
    const administrators = await api.service.getChatAdministrators(chat.id, {}, signal());
    return administrators.some(({ user }) => user.id === bot.user.id);
  } catch (error) {
    failureOf(error);
    return false;
  }
}

/** What stands in the way of advertising a chat, or the chat. */
export type ChatInspection =
  | { readonly kind: 'ready'; readonly chat: Omit<BotChat, 'addedBy'> }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'not_a_chat' }
  /** Without a title when Telegram refuses to show the chat to our bot: it was removed, or never let in. */
  | { readonly kind: 'not_admin'; readonly title: string | undefined }
  | { readonly kind: 'not_yours'; readonly title: string }
  | { readonly kind: 'unavailable' };

/**
 * Asks Telegram whether our bot can check a chat and whether the person is an administrator of it, anonymous or not.
 * Otherwise rights that one advertiser gave us would serve any other. A chat without a single person among its
 * administrators (the sandbox has such) is nobody's.
 */
export async function inspectChat(
  { api }: { readonly api: BotApi },
  reference: number | `@${string}`,
  { personId, botId }: { readonly personId: number; readonly botId: number },
): Promise<ChatInspection> {
  try {
    const chat = await api.service.getChat(reference, signal());
    if (chat.type === 'private') return { kind: 'not_a_chat' };
    const { title } = chat;
    const administrators = await administratorsOf(api, chat.id);
    const us = administrators.find(({ user }) => user.id === botId);
    if (us === undefined) return { kind: 'not_admin', title };
    const people = administrators.filter(({ user }) => !user.is_bot);
    const isTheirs = people.length === 0 || people.some(({ user }) => user.id === personId);
    // The list can leave an anonymous administrator out; the question about one person does not.
    if (!isTheirs && !(await isAdministrator(api, chat.id, personId))) return { kind: 'not_yours', title };
    const username = 'username' in chat ? (chat.username ?? null) : null;
    const canInvite = us.status === 'creator' || us.can_invite_users;
    return { kind: 'ready', chat: { chatId: chat.id, type: chat.type, title, username, canInvite } };
  } catch (error) {
    const failure = failureOf(error);
    if (failure.kind !== 'refused') return { kind: 'unavailable' };
    return failure.errorCode === 403 ? { kind: 'not_admin', title: undefined } : { kind: 'not_found' };
  }
}

async function isAdministrator(api: BotApi, chatId: number, personId: number): Promise<boolean> {
  try {
    const { status } = await api.service.getChatMember(chatId, personId, signal());
    return status === 'administrator' || status === 'creator';
  } catch (error) {
    if (failureOf(error).kind === 'refused') return false; // Telegram does not know the person there
    throw error;
  }
}

/** None when Telegram does not tell: our bot is not one of them. */
async function administratorsOf(api: BotApi, chatId: number) {
  try {
    return await api.service.getChatAdministrators(chatId, {}, signal());
  } catch (error) {
    if (failureOf(error).kind === 'refused') return [];
    throw error;
  }
}

/** A link into the chat: its public one, or one that our bot makes. Nothing when it may not make any. */
export async function linkInto(
  api: BotApi,
  { chatId, username, canInvite }: Pick<BotChat, 'chatId' | 'username' | 'canInvite'>,
): Promise<string | undefined> {
  if (username !== null) return `https://t.me/${username}`;
  if (!canInvite) return undefined;
  try {
    return await makeInviteLink(api, chatId);
  } catch (error) {
    // The wizard asks for the right again; a fault of ours is thrown on.
    failureOf(error);
    return undefined;
  }
}

const LINK_NAME = 'Sponsorgate';

/** A new invite link of our bot's; nothing when it has no right to make one. */
export async function makeInviteLink(api: BotApi, chatId: number): Promise<string | undefined> {
  try {
    return (await api.service.createChatInviteLink(chatId, { name: LINK_NAME }, signal())).invite_link;
  } catch (error) {
    if (failureOf(error).kind === 'refused') return undefined;
    throw error;
  }
}

/**
 * Whether our bot made the invite link for this chat and it still works. The Bot API tells of no link where it leads, but
 * lets a bot edit only links that it made itself, in the chat for which it made them.
 */
export async function isOwnInviteLink(api: BotApi, chatId: number, link: string): Promise<boolean> {
  try {
    return !(await api.service.editChatInviteLink(chatId, link, { name: LINK_NAME }, signal())).is_revoked;
  } catch (error) {
    if (failureOf(error).kind === 'refused') return false;
    throw error;
  }
}

export type BotIdentity =
  | { readonly kind: 'known'; readonly username: string; readonly title: string }
  | { readonly kind: 'refused' }
  | { readonly kind: 'unavailable' };

/** Whose token it is. */
export async function identifyBot(api: BotApi, token: string): Promise<BotIdentity> {
  try {
    const bot = await api.as(token).getMe(signal());
    return { kind: 'known', username: bot.username, title: bot.first_name };
  } catch (error) {
    return failureOf(error).kind === 'refused' ? { kind: 'refused' } : { kind: 'unavailable' };
  }
}
