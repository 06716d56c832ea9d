import { isDeepStrictEqual } from 'node:util';
import type { Message } from 'grammy/types';
import {
  findMessage,
  type MessageContent,
  removeMessage,
  rewriteMessage,
  type StoredMessage,
} from '../messages-store.ts';
import { isInline, wireMessage } from '../wire.ts';
import { type Call, chatIdOf, recipientOf } from './call.ts';
import { readCaption, readMedia, readText } from './content.ts';
import { badRequest } from './errors.ts';
import { readMarkup } from './markup.ts';
import { storePicture } from './pictures.ts';

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
  const photo = await storePicture(call.context, picture);
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
