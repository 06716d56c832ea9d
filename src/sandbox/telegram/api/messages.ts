import { isDeepStrictEqual } from 'node:util';
import type { Message } from 'grammy/types';
import { storePicture } from '../files-store.ts';
import {
  findMessage,
  insertMessage,
  type MessageContent,
  removeMessage,
  rewriteMessage,
  type StoredMessage,
  answerCallbackQuery as storeAnswer,
} from '../messages-store.ts';
import { isInline, wireMessage } from '../wire.ts';
import { type Call, chatIdOf, recipientOf } from './call.ts';
import { readCaption, readMedia, readPhoto, readText } from './content.ts';
import { badRequest } from './errors.ts';
import { readMarkup } from './markup.ts';

export async function sendMessage(call: Call): Promise<Message> {
  const content = { ...readText(call.params), markup: readMarkup(call.params), photo: null };
  return send(call, content);
}

export async function sendPhoto(call: Call): Promise<Message> {
  const [picture, caption, markup] = [readPhoto(call.params), readCaption(call.params), readMarkup(call.params)];
  return send(call, { ...caption, markup, photo: await storePicture(call.context.db, picture) });
}

async function send(call: Call, content: MessageContent): Promise<Message> {
  const { context, bot } = call;
  const { chatId, chat, from } = await recipientOf(call);
  const message = { botId: bot.id, chatId, fromPerson: false, ...content };
  return wireMessage(await insertMessage(context.db, message, context.clock.now()), chat, from);
}

/** Sends nothing visible. The service calls it to learn whether a person has started a bot. */
export async function sendChatAction(call: Call): Promise<true> {
  if (!call.params.text('action')) throw badRequest('wrong parameter action in request');
  await recipientOf(call, () => badRequest('chat not found'));
  return true;
}

export async function answerCallbackQuery({ context, bot, params }: Call): Promise<true> {
  const id = params.text('callback_query_id') ?? '';
  const text = params.text('text') ?? null;
  if (text !== null && text.length > 200) throw badRequest('MESSAGE_TOO_LONG');
  const answer = { text, showAlert: params.flag('show_alert') };
  const isStored =
    /^\d{1,18}$/.test(id) && (await storeAnswer(context.db, bot.id, BigInt(id), answer, context.clock.now()));
  if (!isStored) throw badRequest('query is too old and response timeout expired or query ID is invalid');
  return true;
}

const NOT_MODIFIED =
  'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message';

/** An edit without a keyboard removes the old keyboard, as at Telegram. */
export function editMessageText(call: Call): Promise<Message> {
  return edit(call, (message) => {
    if (message.photo !== null) throw badRequest('there is no text in the message to edit');
    return { ...readText(call.params), markup: readMarkup(call.params), photo: null };
  });
}

export function editMessageCaption(call: Call): Promise<Message> {
  return edit(call, (message) => {
    if (message.photo === null) throw badRequest('there is no caption in the message to edit');
    return { ...readCaption(call.params), markup: readMarkup(call.params), photo: message.photo };
  });
}

/** Every new picture counts as a change; the bytes are not compared. */
export async function editMessageMedia(call: Call): Promise<Message> {
  const { photo: picture, caption } = readMedia(call.params);
  const photo = await storePicture(call.context.db, picture);
  return edit(call, () => ({ ...caption, markup: readMarkup(call.params), photo }), true);
}

export function editMessageReplyMarkup(call: Call): Promise<Message> {
  return edit(call, ({ text, entities, photo }) => ({ text, entities, photo, markup: readMarkup(call.params) }));
}

async function edit(
  call: Call,
  change: (message: StoredMessage) => MessageContent,
  alwaysModified = false,
): Promise<Message> {
  const { context, bot } = call;
  const { chatId, chat, from } = await recipientOf(call, () => badRequest('chat not found'));
  const message = await findMessage(context.db, bot.id, chatId, messageIdOf(call));
  if (!message) throw badRequest('message to edit not found');
  if (message.fromPerson) throw badRequest("message can't be edited");
  if (message.markup !== null && !isInline(message.markup)) throw badRequest("message can't be edited");
  const content = change(message);
  if (content.markup !== null && !isInline(content.markup)) throw badRequest('inline keyboard expected');
  if (!alwaysModified && isSame(message, content)) throw badRequest(NOT_MODIFIED);
  const edited = await rewriteMessage(context.db, bot.id, message.id, content, context.clock.now());
  if (!edited) throw badRequest('message to edit not found');
  return wireMessage(edited, chat, from);
}

function isSame(message: StoredMessage, content: MessageContent): boolean {
  return (
    message.text === content.text &&
    message.photo === content.photo &&
    isDeepStrictEqual(message.entities, content.entities) &&
    isDeepStrictEqual(message.markup, content.markup)
  );
}

/** A bot can delete only messages of the last 48 hours. */
const MAX_AGE_MS = 48 * 60 * 60 * 1_000;

export async function deleteMessage(call: Call): Promise<true> {
  const chatId = await chatIdOf(call);
  const message = await findMessage(call.context.db, call.bot.id, chatId, messageIdOf(call));
  if (message && call.context.clock.now().getTime() - message.sentAt.getTime() >= MAX_AGE_MS) {
    throw badRequest("message can't be deleted for everyone");
  }
  const removed = await removeMessage(call.context.db, call.bot.id, chatId, messageIdOf(call));
  if (!removed) throw badRequest('message to delete not found');
  return true;
}

function messageIdOf({ params }: Call): number {
  const id = params.integer('message_id');
  if (id === undefined) throw badRequest('message identifier is not specified');
  return id;
}
