import type { Api } from 'grammy';
import type { ChatMemberUpdated } from 'grammy/types';
import type { Clock } from '../core/clock.ts';
import type { Queryable } from '../core/database.ts';
import { findResourceByChat } from '../modules/orders/index.ts';
import { type BotApi, callSignal, failureOf, unlessRefused } from './bot-api.ts';
import { type BotChat, forgetBotChat, listBotChats, listBotsIn, saveBotChat } from './chat-access-store.ts';
import type { CheckerBots } from './checker-bots.ts';

/** Returns the chat when the update makes one of our bots an administrator of it. */
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
    readonly api: Api;
    /** The checker bot that received the update; null: the management bot. */
    readonly checkerId: number | null;
    readonly gainAccess: (chatId: number, checkerId: number | null) => Promise<void>;
    readonly loseAccess: (chatId: number, checkerId: number | null) => Promise<void>;
  },
  change: ChatMemberUpdated,
): Promise<void> {
  const { checkerId } = deps;
  // Telegram sends the same update when a person starts or blocks the bot.
  if (change.chat.type === 'private') return;
  const chat = administeredChat(change);
  if (chat !== undefined) {
    await saveBotChat(deps.db, chat, deps.clock.now(), checkerId);
    return deps.gainAccess(chat.chatId, checkerId);
  }
  // A group that becomes a supergroup loses all its members too. The call below follows the migration.
  if (change.chat.type === 'group' && (await isStillAdministrator(deps.api, change))) return;
  await forgetBotChat(deps.db, change.chat.id, checkerId);
  await deps.loseAccess(change.chat.id, checkerId);
}

/** Does not use `getChatMember` of the bot: Telegram returns "left" in a group that has become a supergroup. */
async function isStillAdministrator(api: Api, { chat, new_chat_member: bot }: ChatMemberUpdated): Promise<boolean> {
  try {
    const administrators = await api.getChatAdministrators(chat.id, {}, callSignal());
    return administrators.some(({ user }) => user.id === bot.user.id);
  } catch (error) {
    failureOf(error);
    return false;
  }
}

/** The chat, or the reason why it cannot be advertised. */
export type ChatInspection =
  | {
      readonly kind: 'ready';
      readonly chat: Omit<BotChat, 'addedBy'>;
      /** The checker bot that is an administrator of the chat; null: the management bot. */
      readonly checkerId: number | null;
    }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'not_a_chat' }
  /** The title is undefined when Telegram does not show the chat to the bot: it was removed, or never added. */
  | { readonly kind: 'not_admin'; readonly title: string | undefined }
  | { readonly kind: 'not_yours'; readonly title: string }
  | { readonly kind: 'unavailable' };

export interface BotsDeps {
  readonly bots: CheckerBots;
  readonly db: Queryable;
}

/** With more checker bots, a bot that no update reported in the chat is not asked. */
const MOST_ASKED = 5;

/**
 * Returns our bots that may be administrators of a chat, in the order in which to ask them: the one that serves it,
 * those that an update reported there, the one that a wizard names, the management bot.
 */
export async function botsToAsk(
  { bots, db }: BotsDeps,
  reference: number | `@${string}`,
): Promise<readonly (number | null)[]> {
  if (bots.active().length === 0) return [null];
  const suggested = await bots.leastLoaded();
  const first = suggested?.checkerId ?? null;
  const chatId = typeof reference === 'number' ? reference : await idOfPublicChat(bots.apiOf(first), reference);
  const known =
    chatId === undefined ? [] : [(await findResourceByChat(db, chatId))?.checkerId, ...(await listBotsIn(db, chatId))];
  const all = bots.active().map(({ botId }) => botId);
  const order = [...known, first, null, ...(all.length <= MOST_ASKED ? all : [])];
  return [...new Set(order.filter((id) => id !== undefined))].filter((id) => bots.apiOf(id) !== undefined);
}

/** Every bot can read the id of a public channel. */
async function idOfPublicChat(api: Api | undefined, name: `@${string}`): Promise<number | undefined> {
  try {
    return (await api?.getChat(name, callSignal()))?.id;
  } catch (error) {
    failureOf(error);
    return undefined;
  }
}

/** How much a refusal tells the person. */
const TELLS = ['not_found', 'unavailable', 'not_admin', 'not_a_chat', 'not_yours', 'ready'] as const;

/**
 * Checks that one of our bots can check members of a chat and that the person is an administrator of it, anonymous or
 * not. Otherwise the rights that one advertiser granted would serve every other. A chat whose administrators are all
 * bots (the sandbox has such chats) is open to everyone.
 */
export async function inspectChat(
  deps: BotsDeps,
  reference: number | `@${string}`,
  personId: number,
): Promise<ChatInspection> {
  let best: ChatInspection = { kind: 'not_found' };
  for (const checkerId of await botsToAsk(deps, reference)) {
    const api = deps.bots.apiOf(checkerId);
    if (api === undefined) continue;
    const found = await inspectAs(api, reference, { personId, botId: deps.bots.idOf(checkerId), checkerId });
    if (found.kind === 'ready' || found.kind === 'not_yours' || found.kind === 'not_a_chat') return found;
    const isClearer = TELLS.indexOf(found.kind) > TELLS.indexOf(best.kind);
    const isNamed = found.kind === 'not_admin' && best.kind === 'not_admin' && best.title === undefined;
    if (isClearer || isNamed) best = found;
  }
  return best;
}

async function inspectAs(
  api: Api,
  reference: number | `@${string}`,
  {
    personId,
    botId,
    checkerId,
  }: { readonly personId: number; readonly botId: number; readonly checkerId: number | null },
): Promise<ChatInspection> {
  try {
    const chat = await api.getChat(reference, callSignal());
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
    return { kind: 'ready', chat: { chatId: chat.id, type: chat.type, title, username, canInvite }, checkerId };
  } catch (error) {
    const failure = failureOf(error);
    if (failure.kind !== 'refused') return { kind: 'unavailable' };
    return failure.errorCode === 403 ? { kind: 'not_admin', title: undefined } : { kind: 'not_found' };
  }
}

async function isAdministrator(api: Api, chatId: number, personId: number): Promise<boolean> {
  // Telegram refuses to name a person who is not in the chat.
  const member = await unlessRefused(api.getChatMember(chatId, personId, callSignal()), undefined);
  return member?.status === 'administrator' || member?.status === 'creator';
}

/** Returns no administrators when Telegram refuses: the bot is not one of them. */
const administratorsOf = (api: Api, chatId: number) =>
  unlessRefused(api.getChatAdministrators(chatId, {}, callSignal()), []);

/** Returns the public link of the chat or a new invite link, or undefined when the bot may not create one. */
export async function linkInto(
  api: Api | undefined,
  { chatId, username, canInvite }: Pick<BotChat, 'chatId' | 'username' | 'canInvite'>,
): Promise<string | undefined> {
  if (username !== null) return `https://t.me/${username}`;
  if (!canInvite || api === undefined) return undefined;
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
export async function makeInviteLink(api: Api, chatId: number): Promise<string | undefined> {
  const created = api.createChatInviteLink(chatId, { name: LINK_NAME }, callSignal());
  return (await unlessRefused(created, undefined))?.invite_link;
}

/**
 * Returns whether the bot created the invite link for this chat and it still works. The Bot API does not say where a
 * link leads, but a bot can edit only the links that it created, in their chat.
 */
export async function isOwnInviteLink(api: Api, chatId: number, link: string): Promise<boolean> {
  const edit = api.editChatInviteLink(chatId, link, { name: LINK_NAME }, callSignal());
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

/** Returns what the web console asks Telegram on behalf of an owner. `urlOf` returns the link that opens the bot. */
export function createOwnerTelegram(
  { api, bots, db }: BotsDeps & { readonly api: BotApi },
  urlOf: (username: string) => string,
) {
  return {
    async managementBot() {
      const bot = await bots.managementBot();
      return bot && { username: bot.username, url: urlOf(bot.username) };
    },
    /** Returns the name of the bot to add to a new channel. */
    botToAdd: async () => (await bots.leastLoaded())?.username,
    identifyBot: (token: string) => identifyBot(api, token),
    async inspectChat(reference: number | `@${string}`, personId: number) {
      const found = await inspectChat({ bots, db }, reference, personId);
      if (found.kind !== 'ready') return found;
      const { chatId, title } = found.chat;
      return { kind: 'ready', chatId, title, link: await linkInto(bots.apiOf(found.checkerId), found.chat) } as const;
    },
    listChats: (personId: number) => listBotChats(db, personId, CHOICE),
  };
}
