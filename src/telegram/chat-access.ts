import type { ChatMemberUpdated } from 'grammy/types';
import type { Clock } from '../core/clock.ts';
import type { Queryable } from '../core/database.ts';
import { type BotApi, callSignal, failureOf, unlessRefused } from './bot-api.ts';
import { type BotChat, forgetBotChat, listBotChats, saveBotChat } from './chat-access-store.ts';

/** Returns the chat when the update makes the service bot an administrator of it. */
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
 * Stores the chats in which the bot is an administrator. Losing a chat pauses its orders at once, not only when the
 * next membership check fails.
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
  // Telegram sends the same update when a person starts or blocks the bot.
  if (change.chat.type === 'private') return;
  const chat = administeredChat(change);
  if (chat !== undefined) return saveBotChat(deps.db, chat, deps.clock.now());
  // A group that becomes a supergroup loses all its members too. The call below follows the migration.
  if (change.chat.type === 'group' && (await isStillAdministrator(deps.api, change))) return;
  await forgetBotChat(deps.db, change.chat.id);
  await deps.loseAccess(change.chat.id);
}

/** Does not use `getChatMember` of the bot: Telegram returns "left" in a group that has become a supergroup. */
async function isStillAdministrator(api: BotApi, { chat, new_chat_member: bot }: ChatMemberUpdated): Promise<boolean> {
  try {
    const administrators = await api.service.getChatAdministrators(chat.id, {}, callSignal());
    return administrators.some(({ user }) => user.id === bot.user.id);
  } catch (error) {
    failureOf(error);
    return false;
  }
}

/** The chat, or the reason why it cannot be advertised. */
export type ChatInspection =
  | { readonly kind: 'ready'; readonly chat: Omit<BotChat, 'addedBy'> }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'not_a_chat' }
  /** The title is undefined when Telegram does not show the chat to the bot: it was removed, or never added. */
  | { readonly kind: 'not_admin'; readonly title: string | undefined }
  | { readonly kind: 'not_yours'; readonly title: string }
  | { readonly kind: 'unavailable' };

/**
 * Checks that the bot can check members of a chat and that the person is an administrator of it, anonymous or not.
 * Otherwise the rights that one advertiser granted would serve every other. A chat whose administrators are all bots
 * (the sandbox has such chats) is open to everyone.
 */
export async function inspectChat(
  { api }: { readonly api: BotApi },
  reference: number | `@${string}`,
  { personId, botId }: { readonly personId: number; readonly botId: number },
): Promise<ChatInspection> {
  try {
    const chat = await api.service.getChat(reference, callSignal());
    if (chat.type === 'private') return { kind: 'not_a_chat' };
    const { title } = chat;
    const administrators = await administratorsOf(api, chat.id);
    const us = administrators.find(({ user }) => user.id === botId);
    if (us === undefined) return { kind: 'not_admin', title };
    const people = administrators.filter(({ user }) => !user.is_bot);
    const isTheirs = people.length === 0 || people.some(({ user }) => user.id === personId);
    // The list can omit an anonymous administrator; getChatMember does not.
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
  // Telegram refuses to name a person who is not in the chat.
  const member = await unlessRefused(api.service.getChatMember(chatId, personId, callSignal()), undefined);
  return member?.status === 'administrator' || member?.status === 'creator';
}

/** Returns no administrators when Telegram refuses: the bot is not one of them. */
const administratorsOf = (api: BotApi, chatId: number) =>
  unlessRefused(api.service.getChatAdministrators(chatId, {}, callSignal()), []);

/** Returns the public link of the chat or a new invite link, or undefined when the bot may not create one. */
export async function linkInto(
  api: BotApi,
  { chatId, username, canInvite }: Pick<BotChat, 'chatId' | 'username' | 'canInvite'>,
): Promise<string | undefined> {
  if (username !== null) return `https://t.me/${username}`;
  if (!canInvite) return undefined;
  try {
    return await makeInviteLink(api, chatId);
  } catch (error) {
    // Rethrows our own faults. After any other failure the wizard asks for the right again.
    failureOf(error);
    return undefined;
  }
}

const LINK_NAME = 'Sponsorgate';

/** Creates an invite link. Returns undefined when the bot has no right to. */
export async function makeInviteLink(api: BotApi, chatId: number): Promise<string | undefined> {
  const created = api.service.createChatInviteLink(chatId, { name: LINK_NAME }, callSignal());
  return (await unlessRefused(created, undefined))?.invite_link;
}

/**
 * Returns whether the bot created the invite link for this chat and it still works. The Bot API does not say where a
 * link leads, but a bot can edit only the links that it created, in their chat.
 */
export async function isOwnInviteLink(api: BotApi, chatId: number, link: string): Promise<boolean> {
  const edit = api.service.editChatInviteLink(chatId, link, { name: LINK_NAME }, callSignal());
  const edited = await unlessRefused(edit, undefined);
  return edited !== undefined && !edited.is_revoked;
}

export type BotIdentity =
  | { readonly kind: 'known'; readonly username: string; readonly title: string }
  | { readonly kind: 'refused' }
  | { readonly kind: 'unavailable' };

/** Returns the bot that the token belongs to. */
export async function identifyBot(api: BotApi, token: string): Promise<BotIdentity> {
  try {
    const bot = await api.as(token).getMe(callSignal());
    return { kind: 'known', username: bot.username, title: bot.first_name };
  } catch (error) {
    return failureOf(error).kind === 'refused' ? { kind: 'refused' } : { kind: 'unavailable' };
  }
}

const CHOICE = 20;
/** After a failed call the next one waits, so that an outage of Telegram does not slow down every page. */
const RETRY_MS = 30_000;

/** Returns what the web console asks Telegram on behalf of an owner. `urlOf` returns the link that opens the bot. */
export function createOwnerTelegram(
  { api, db }: { readonly api: BotApi; readonly db: Queryable },
  urlOf: (username: string) => string,
) {
  let me: { readonly id: number; readonly username: string } | undefined;
  let failedAt = Number.NEGATIVE_INFINITY;

  async function identifySelf() {
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
    async managementBot() {
      const bot = await identifySelf();
      return bot && { username: bot.username, url: urlOf(bot.username) };
    },
    identifyBot: (token: string) => identifyBot(api, token),
    async inspectChat(reference: number | `@${string}`, personId: number) {
      const bot = await identifySelf();
      if (bot === undefined) return { kind: 'unavailable' } as const;
      const found = await inspectChat({ api }, reference, { personId, botId: bot.id });
      if (found.kind !== 'ready') return found;
      const { chatId, title } = found.chat;
      return { kind: 'ready', chatId, title, link: await linkInto(api, found.chat) } as const;
    },
    listChats: (personId: number) => listBotChats(db, personId, CHOICE),
  };
}
