import type { InlineKeyboardButton, MessageEntity, MessageOrigin } from 'grammy/types';
import type { Transaction } from '../../core/database.ts';
import { BOT_FATHER, writeToBotFather } from './bot-father/bot-father.ts';
import type { Account, Bot, Context, Membership } from './context.ts';
import { findEntities } from './entities.ts';
import type { Announce } from './events.ts';
import { storedPicture } from './files-store.ts';
import { lockMembership, writeMembership } from './members-store.ts';
import { insertMessage, latestMessages, latestNotice, type StoredMessage } from './messages-store.ts';
import { ensureAccount, findAccount, findBotByUsername, findPeerId } from './peers-store.ts';
import { queueUpdate, untilHandled } from './queue-updates.ts';
import { type ShownReplyButton, showReplyKeyboard } from './reply-keyboard.ts';
import { readShownSettings, type ShownSettings } from './settings-store.ts';
import type { PushedUpdate } from './updates-store.ts';
import { isInline, unixTime, wireBot, wireMemberChange, wireMessage, wirePrivateChat, wireUser } from './wire.ts';

/** The number of messages that a person sees and whose buttons can be pressed. */
export const VISIBLE_MESSAGES = 100;

/** The transaction in which a person writes to a bot. */
interface PersonAction {
  readonly context: Context;
  readonly tx: Transaction;
  readonly announce: Announce;
  readonly bot: Bot;
  readonly person: Account;
}

/** Presses the start button of a bot. A person who has started the bot has no such button. */
export async function startBot(action: PersonAction, silent: boolean): Promise<PushedUpdate[] | 'unchanged'> {
  const before = await openConversation(action);
  if (before.isMember) return 'unchanged';
  return silent ? [] : [...(await queueUnblocked(action, before)), ...(await writeToBot(action, '/start'))];
}

/** Marks the bot as started and returns the membership before. */
async function openConversation({ context, tx, bot, person }: PersonAction): Promise<Membership> {
  const before = await lockMembership(tx, bot.id, person.id);
  if (!before.isMember) await writeMembership(tx, bot.id, person.id, STARTED, context.clock.now());
  return before;
}

const STARTED: Membership = { status: 'member', isMember: true };

async function queueUnblocked(action: PersonAction, before: Membership): Promise<PushedUpdate[]> {
  if (before.status !== 'kicked') return [];
  const { context, tx, announce, bot, person } = action;
  const change = wireMemberChange({
    chat: wirePrivateChat(person),
    from: wireUser(person),
    who: wireBot(bot),
    before,
    after: STARTED,
    at: context.clock.now(),
  });
  return queueUpdate(tx, announce, [bot.id], 'my_chat_member', change);
}

async function writeToBot(action: PersonAction, text: string, origin?: MessageOrigin): Promise<PushedUpdate[]> {
  const { context, tx, announce, bot, person } = action;
  const content = { text, entities: findEntities(text), markup: null, photo: null };
  const message = { botId: bot.id, chatId: person.id, fromPerson: true, ...content };
  const stored = await insertMessage(tx, message, context.clock.now());
  if (bot.id === BOT_FATHER.id) {
    await writeToBotFather(action, text);
    return [];
  }
  const body = wireMessage(stored, wirePrivateChat(person), wireUser(person));
  const forwarded = origin === undefined ? body : { ...body, forward_origin: origin };
  return queueUpdate(tx, announce, [bot.id], 'message', forwarded);
}

/** The author of a forwarded message. Both fields absent: the message is not forwarded. */
export interface Forwarded {
  /** A username or an id. */
  readonly from?: string | number | undefined;
  /** The name of an author who hides the account in forwarded messages. */
  readonly fromName?: string | undefined;
}

/** Returns the origin with the author's current name, as Telegram does, not the name at the time of writing. */
async function originOf(
  { db, clock }: Context,
  { from, fromName }: Forwarded,
): Promise<MessageOrigin | 'author_not_found' | undefined> {
  const date = unixTime(clock.now());
  if (from === undefined) {
    return fromName === undefined ? undefined : { type: 'hidden_user', sender_user_name: fromName, date };
  }
  const id = typeof from === 'number' ? from : await findPeerId(db, from.replace(/^@/, ''));
  const author = id === undefined ? undefined : await findAccount(db, id);
  return author === undefined ? 'author_not_found' : { type: 'user', sender_user: wireUser(author), date };
}

/** Sends a person's message to a bot. Resolves when the bot has handled it. */
export async function personSends(
  context: Context,
  userId: number,
  botUsername: string,
  text: string,
  forwarded: Forwarded = {},
): Promise<'sent' | 'bot_not_found' | 'author_not_found'> {
  const bot = await findBotByUsername(context.db, botUsername);
  if (!bot) return 'bot_not_found';
  const origin = await originOf(context, forwarded);
  if (origin === 'author_not_found') return origin;
  const pushed = await context.bus.transact(async (tx, announce) => {
    const person = await ensureAccount(tx, userId, context.clock.now());
    const action = { context, tx, announce, bot, person };
    const before = await openConversation(action);
    return [...(await queueUnblocked(action, before)), ...(await writeToBot(action, text, origin))];
  });
  await untilHandled(context, pushed);
  return 'sent';
}

interface SeenMessage {
  readonly message_id: number;
  readonly from: 'person' | 'bot';
  readonly date: number;
  readonly text: string;
  readonly entities: readonly MessageEntity[];
  /** The labels of the inline buttons, row by row. */
  readonly buttons: readonly (readonly string[])[];
  /** The same buttons with their actions. */
  readonly keyboard: readonly (readonly InlineKeyboardButton[])[];
  readonly photo?: true;
  /** The address of the picture, if it is stored. */
  readonly picture?: string;
}

export interface Conversation extends ShownSettings {
  readonly messages: readonly SeenMessage[];
  /** The buttons below the input field, row by row. */
  readonly reply_keyboard: readonly (readonly ShownReplyButton[])[];
  /** The notice that the bot showed after the last press. */
  readonly notice: { readonly text: string; readonly show_alert: boolean } | null;
  /** Whether the bot has not answered the last press yet. The page then shows a spinner. */
  readonly is_waiting: boolean;
}

/** Returns the conversation as the person sees it, oldest message first; `undefined` when there is no such bot. */
export async function messagesSeenBy(
  context: Context,
  userId: number,
  botUsername: string,
): Promise<Conversation | undefined> {
  const bot = await findBotByUsername(context.db, botUsername);
  if (!bot) return undefined;
  const messages = await latestMessages(context.db, bot.id, userId, VISIBLE_MESSAGES);
  const notice = await latestNotice(context.db, bot.id, userId);
  const language = (await findAccount(context.db, userId))?.languageCode?.slice(0, 2).toLowerCase() ?? '';
  return {
    ...(await readShownSettings(context.db, bot.id, { userId, language })),
    messages: messages.map(toSeen).reverse(),
    reply_keyboard: await showReplyKeyboard(context.db, userId, messages),
    notice: notice?.text ? { text: notice.text, show_alert: notice.showAlert } : null,
    is_waiting: notice !== undefined && !notice.isAnswered,
  };
}

function toSeen(message: StoredMessage): SeenMessage {
  const picture = storedPicture(message.photo);
  const keyboard = isInline(message.markup) ? message.markup.inline_keyboard : [];
  return {
    message_id: message.id,
    from: message.fromPerson ? 'person' : 'bot',
    date: unixTime(message.sentAt),
    text: message.text,
    entities: message.entities,
    buttons: keyboard.map((row) => row.map((button) => button.text)),
    keyboard,
    ...(message.photo === null ? {} : { photo: true as const }),
    ...(picture === undefined ? {} : { picture: `/sandbox/files/${picture}` }),
  };
}
