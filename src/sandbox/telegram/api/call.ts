import type { Chat, User } from 'grammy/types';
import { type Account, type Bot, type ChatRoom, type Context, isAdmin } from '../context.ts';
import { findMembership, hasMet } from '../members-store.ts';
import { findAccount, findChat, findPeerId } from '../peers-store.ts';
import { wireBot, wireChat, wirePrivateChat } from '../wire.ts';
import { badRequest, forbidden, upgraded } from './errors.ts';
import type { Params } from './params.ts';

/** One authenticated call of a Bot API method. */
export interface Call {
  readonly context: Context;
  readonly bot: Bot;
  readonly params: Params;
  /** Aborts when the caller disconnects. */
  readonly disconnected: AbortSignal;
}

export type Method = (call: Call) => Promise<unknown>;

/** Returns the numeric id of `chat_id`, which can also be `@username`. */
export async function chatIdOf({ context, params }: Call): Promise<number> {
  const given = params.text('chat_id');
  if (given === undefined || given === '') throw badRequest('chat_id is empty');
  if (/^-?\d{1,16}$/.test(given)) return Number(given);
  const id = given.startsWith('@') ? await findPeerId(context.db, given.slice(1)) : undefined;
  if (id === undefined) throw badRequest('chat not found');
  return id;
}

export function userIdOf({ params }: Call): number {
  const id = params.integer('user_id');
  if (id === undefined || id <= 0) throw badRequest('invalid user_id specified');
  return id;
}

export interface Recipient {
  readonly chatId: number;
  readonly chat: Chat;
  readonly from: User;
}

/** Returns the chat that the bot may write to, or throws Telegram's error. `neverStarted` is for people who never started the bot. */
export async function recipientOf(call: Call, neverStarted = cannotInitiate): Promise<Recipient> {
  const { context, bot } = call;
  const chatId = await chatIdOf(call);
  const membership = await findMembership(context.db, chatId < 0 ? chatId : bot.id, chatId < 0 ? bot.id : chatId);
  if (chatId < 0) {
    const room = await roomOf(call, chatId);
    if (!isAdmin(membership) && !(room.type !== 'channel' && membership?.isMember)) {
      throw forbidden(`bot is not a member of the ${room.type} chat`);
    }
    if (membership?.status === 'restricted') throw badRequest('not enough rights to send text messages to the chat');
    return { chatId, chat: wireChat(room), from: wireBot(bot) };
  }
  const person: Account | undefined = await findAccount(context.db, chatId);
  if (!person) throw badRequest('chat not found');
  if (person.isBot) throw forbidden("bots can't send messages to bots");
  if (membership?.status === 'kicked') throw forbidden('bot was blocked by the user');
  if (!membership?.isMember) throw neverStarted();
  return { chatId, chat: wirePrivateChat(person), from: wireBot(bot) };
}

const cannotInitiate = () => forbidden("bot can't initiate conversation with a user");

export async function roomOf({ context }: Call, chatId: number): Promise<ChatRoom> {
  const room = await findChat(context.db, chatId);
  if (!room) throw badRequest('chat not found');
  if (room.migratedTo !== null) throw upgraded(room.migratedTo);
  return room;
}

/** A bot can read only the people that it has met, and every other bot. */
export async function findMetAccount({ context, bot }: Call, userId: number, unknown = 'chat not found') {
  const account = await findAccount(context.db, userId);
  if (!account || !(account.isBot || (await hasMet(context.db, bot.id, userId)))) throw badRequest(unknown);
  return account;
}
