import type { KeyboardButtonRequestChat } from 'grammy/types';
import { languageFor } from '../../core/locale.ts';
import { BOT_FATHER, pressBotFather } from './bot-father/bot-father.ts';
import { type Bot, type Context, isAdmin } from './context.ts';
import { findMembership } from './members-store.ts';
import { announceAdmin } from './membership.ts';
import {
  answerCallbackQuery,
  insertCallbackQuery,
  insertMessage,
  latestMessages,
  type StoredMessage,
} from './messages-store.ts';
import { ensureAccount, findBotByUsername, findChat } from './peers-store.ts';
import { personSends, VISIBLE_MESSAGES } from './person-messages.ts';
import { queueUpdate, untilHandled } from './queue-updates.ts';
import { isSuitable, type ReplyButton, replyKeyboardIn } from './reply-keyboard.ts';
import { isInline, wireBot, wireMessage, wirePrivateChat, wireUser } from './wire.ts';

export type Press =
  | { readonly button: string; readonly chat_id?: number }
  | { readonly data: string; readonly message_id?: number };

export type PressOutcome = 'pressed' | 'bot_not_found' | 'button_not_found' | 'chat_not_suitable';

/**
 * Presses the newest callback button whose label contains the text; links and Mini Apps never reach the bot. If there is
 * none, searches the buttons below the input field.
 */
export async function personPresses(
  context: Context,
  userId: number,
  botUsername: string,
  press: Press,
): Promise<PressOutcome> {
  const bot = await findBotByUsername(context.db, botUsername);
  if (!bot) return 'bot_not_found';
  const messages = await latestMessages(context.db, bot.id, userId, VISIBLE_MESSAGES);
  const found = findButton(messages, press);
  if (found) {
    await pressInline(context, bot, userId, found);
    return 'pressed';
  }
  const below = 'button' in press ? findReplyButton(messages, press.button) : undefined;
  if (below === undefined || !('button' in press)) return 'button_not_found';
  if (below.request_chat !== undefined) return shareChat(context, bot, userId, below.request_chat, press.chat_id);
  await personSends(context, userId, bot.username, below.text);
  return 'pressed';
}

interface FoundButton {
  readonly message: StoredMessage;
  readonly data: string;
}

async function pressInline(context: Context, bot: Bot, userId: number, { message, data }: FoundButton): Promise<void> {
  const pushed = await context.bus.transact(async (tx, announce) => {
    const now = context.clock.now();
    const person = await ensureAccount(tx, userId, now);
    const id = await insertCallbackQuery(tx, bot.id, userId, now);
    if (bot.id === BOT_FATHER.id) {
      await answerCallbackQuery(tx, bot.id, BigInt(id), { text: null, showAlert: false }, now);
      await pressBotFather({ context, tx, announce, person }, message, data);
      return [];
    }
    return queueUpdate(tx, announce, [bot.id], 'callback_query', {
      id,
      from: wireUser(person),
      message: wireMessage(message, wirePrivateChat(person), wireBot(bot)),
      chat_instance: String(userId),
      data,
    });
  });
  await untilHandled(context, pushed);
}

/**
 * Shares a chat through a button. When the button requires rights, Telegram's client makes the bot an administrator
 * first, and the bot gets an update about each.
 */
async function shareChat(
  context: Context,
  bot: Bot,
  userId: number,
  request: KeyboardButtonRequestChat,
  chatId: number | undefined,
): Promise<PressOutcome> {
  const pushed = await context.bus.transact(async (tx, announce) => {
    const now = context.clock.now();
    const person = await ensureAccount(tx, userId, now);
    const chat = chatId === undefined ? undefined : await findChat(tx, chatId);
    if (!chat || !isSuitable(request, chat, await findMembership(tx, chat.id, userId))) return 'chat_not_suitable';
    const needsRights = request.bot_administrator_rights !== undefined;
    const before = await findMembership(tx, chat.id, bot.id);
    const change =
      needsRights && !isAdmin(before) ? await announceAdmin(context, tx, chat, bot, true, userId) : undefined;
    const adminUpdates = change ? await queueUpdate(tx, announce, [bot.id], 'my_chat_member', change) : [];
    const isRussian = languageFor(person.languageCode ?? undefined) === 'ru';
    const text = isRussian ? `Вы поделились чатом «${chat.title}»` : `You shared “${chat.title}” with the bot`;
    const content = { text, entities: [], markup: null, photo: null };
    const stored = await insertMessage(tx, { botId: bot.id, chatId: userId, fromPerson: true, ...content }, now);
    const { text: _, ...body } = wireMessage(stored, wirePrivateChat(person), wireUser(person));
    const chat_shared = {
      request_id: request.request_id,
      chat_id: chat.id,
      ...(request.request_title === true && { title: chat.title }),
      ...(request.request_username === true && chat.username !== null && { username: chat.username }),
    };
    return [...adminUpdates, ...(await queueUpdate(tx, announce, [bot.id], 'message', { ...body, chat_shared }))];
  });
  if (pushed === 'chat_not_suitable') return pushed;
  await untilHandled(context, pushed);
  return 'pressed';
}

function findButton(newestFirst: readonly StoredMessage[], press: Press): FoundButton | undefined {
  for (const message of newestFirst) {
    if (message.fromPerson || !isInline(message.markup)) continue;
    if ('data' in press) {
      if (press.message_id === undefined || press.message_id === message.id) return { message, data: press.data };
      continue;
    }
    for (const button of message.markup.inline_keyboard.flat()) {
      if (button.text.includes(press.button) && 'callback_data' in button)
        return { message, data: button.callback_data };
    }
  }
  return undefined;
}

function findReplyButton(newestFirst: readonly StoredMessage[], label: string): ReplyButton | undefined {
  return replyKeyboardIn(newestFirst)
    .flat()
    .find(({ text }) => text.includes(label));
}
