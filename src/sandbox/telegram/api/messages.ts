import type { Message } from 'grammy/types';
import { insertMessage, type MessageContent, answerCallbackQuery as storeAnswer } from '../messages-store.ts';
import { wireMessage } from '../wire.ts';
import { type Call, recipientOf } from './call.ts';
import { readCaption, readPhoto, readText } from './content.ts';
import { badRequest } from './errors.ts';
import { readMarkup } from './markup.ts';
import { storePicture } from './pictures.ts';

export async function sendMessage(call: Call): Promise<Message> {
  const content = { ...readText(call.params), markup: readMarkup(call.params), photo: null };
  return send(call, content);
}

export async function sendPhoto(call: Call): Promise<Message> {
  const [picture, caption, markup] = [readPhoto(call.params), readCaption(call.params), readMarkup(call.params)];
  return send(call, { ...caption, markup, photo: await storePicture(call.context, picture) });
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
