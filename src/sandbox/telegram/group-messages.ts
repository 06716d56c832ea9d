import type { Message, User } from 'grammy/types';
import type { Transaction } from '../../core/database.ts';
import type { ChatRoom, Context } from './context.ts';
import { findEntities } from './entities.ts';
import { listBotMembers } from './members-store.ts';
import { actorIn } from './membership.ts';
import { insertMessage } from './messages-store.ts';
import { findBot, findChat } from './peers-store.ts';
import { queueUpdate, untilHandled } from './queue-updates.ts';
import type { PushedUpdate } from './updates-store.ts';
import { GROUP_ANONYMOUS_BOT, wireChat, wireMessage } from './wire.ts';

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
