import type { Message, User } from 'grammy/types';
import type { Transaction } from '../../core/database.ts';
import { type ChatRoom, type Context, type Membership, OUTSIDE } from './context.ts';
import { drawSupergroupId } from './create-peers.ts';
import { findEntities } from './entities.ts';
import type { Announce } from './events.ts';
import { findMembership, listBotMembers, moveMembers } from './members-store.ts';
import { actorIn, ownerOf } from './membership.ts';
import { insertMessage } from './messages-store.ts';
import { findBot, findChat, insertChat, markMigrated } from './peers-store.ts';
import { queueUpdate, untilHandled } from './queue-updates.ts';
import type { PushedUpdate } from './updates-store.ts';
import { GROUP_ANONYMOUS_BOT, unixTime, wireBot, wireChat, wireMemberChange, wireMessage } from './wire.ts';

export interface GroupMessage {
  /** Absent for a message without an author, such as one sent on behalf of a chat. */
  readonly userId?: number | undefined;
  readonly text: string;
}

/** Sends a person's message to a group. Resolves when the bots that read it have handled it. */
export async function writeInGroup(
  context: Context,
  chatId: number,
  { userId, text }: GroupMessage,
): Promise<'sent' | 'chat_not_found'> {
  const pushed = await context.bus.transact(async (tx, announce) => {
    const chat = await findChat(tx, chatId);
    if (chat === undefined || chat.type === 'channel') return undefined;
    const author = userId === undefined ? undefined : await actorIn(tx, chat, userId, context.clock.now());
    const sent: PushedUpdate[] = [];
    for (const botId of await readersOf(tx, chat, text)) {
      const message = await storeFor(context, tx, botId, chat, author, text);
      sent.push(...(await queueUpdate(tx, announce, [botId], 'message', message)));
    }
    return sent;
  });
  if (pushed === undefined) return 'chat_not_found';
  await untilHandled(context, pushed);
  return 'sent';
}

/** A bot that is an administrator reads every message. Another bot reads only commands, except those for other bots. */
async function readersOf(tx: Transaction, chat: ChatRoom, text: string): Promise<number[]> {
  const [, isCommand, named] = /^(\/\w+)(?:@(\w+))?/.exec(text) ?? [];
  const bots = await listBotMembers(tx, chat.id);
  const readers: number[] = [];
  for (const { botId, isAdmin } of bots) {
    const isAddressed =
      named === undefined || (await findBot(tx, botId))?.username.toLowerCase() === named.toLowerCase();
    if (isAdmin || (isCommand !== undefined && isAddressed)) readers.push(botId);
  }
  return readers;
}

async function storeFor(
  context: Context,
  tx: Transaction,
  botId: number,
  chat: ChatRoom,
  author: User | undefined,
  text: string,
): Promise<Omit<Message, 'from'>> {
  const content = { text, entities: findEntities(text), markup: null, photo: null };
  const stored = await insertMessage(tx, { botId, chatId: chat.id, fromPerson: true, ...content }, context.clock.now());
  const room = wireChat(chat);
  const { from: _, ...message } = wireMessage(stored, room, author ?? { id: 0, is_bot: false, first_name: '' });
  const isSignedByGroup = author === undefined || author.id === GROUP_ANONYMOUS_BOT.id;
  return { ...message, ...(isSignedByGroup && { sender_chat: room }), ...(author !== undefined && { from: author }) };
}

/**
 * Upgrades a basic group to a supergroup: another id, the same members. Bots in it get the same updates as at Telegram:
 * the service messages of both chats and their own new status in both. `silent` sends none of them.
 */
export async function migrateGroup(
  context: Context,
  chatId: number,
  { silent = false }: { silent?: boolean | undefined } = {},
): Promise<number | 'chat_not_found'> {
  const done = await context.bus.transact(async (tx, announce) => {
    const group = await findChat(tx, chatId);
    if (group === undefined || group.type !== 'group' || group.migratedTo) return undefined;
    const supergroup: ChatRoom = { ...group, id: drawSupergroupId(), type: 'supergroup' };
    await insertChat(tx, supergroup, context.clock.now());
    const bots = await listBotMembers(tx, group.id);
    await moveMembers(tx, group.id, supergroup.id);
    await markMigrated(tx, group.id, supergroup.id);
    const pushed: PushedUpdate[] = [];
    for (const { botId } of silent ? [] : bots) {
      pushed.push(...(await queueMigrationUpdates(context, tx, announce, botId, group, supergroup)));
    }
    return { id: supergroup.id, pushed };
  });
  if (done === undefined) return 'chat_not_found';
  await untilHandled(context, done.pushed);
  return done.id;
}

async function queueMigrationUpdates(
  context: Context,
  tx: Transaction,
  announce: Announce,
  botId: number,
  group: ChatRoom,
  supergroup: ChatRoom,
): Promise<PushedUpdate[]> {
  const bot = await findBot(tx, botId);
  if (bot === undefined) return [];
  const at = context.clock.now();
  const from = await ownerOf(tx, supergroup);
  const status: Membership = (await findMembership(tx, supergroup.id, botId)) ?? OUTSIDE;
  const change = (chat: ChatRoom, before: Membership, after: Membership) =>
    wireMemberChange({ chat: wireChat(chat), from, who: wireBot(bot), before, after, at });
  const serviceMessage = async (chat: ChatRoom, content: object) => {
    const blank = { text: '', entities: [], markup: null, photo: null };
    const { id } = await insertMessage(tx, { botId, chatId: chat.id, fromPerson: true, ...blank }, at);
    return { message_id: id, date: unixTime(at), chat: wireChat(chat), from, ...content };
  };
  const send = (type: 'message' | 'my_chat_member', body: object) => queueUpdate(tx, announce, [botId], type, body);
  return [
    // Telegram sends these before the service messages. The service must not take them for a loss of rights.
    ...(await send('my_chat_member', change(group, status, OUTSIDE))),
    ...(await send('my_chat_member', change(supergroup, OUTSIDE, status))),
    ...(await send('message', await serviceMessage(group, { migrate_to_chat_id: supergroup.id }))),
    ...(await send('message', await serviceMessage(supergroup, { migrate_from_chat_id: group.id }))),
  ];
}
