import { timingSafeEqual } from 'node:crypto';
import type { FastifyPluginAsync } from 'fastify';
import type { Bot } from 'grammy';
import type { Update } from 'grammy/types';
import { ApiError } from '../core/errors.ts';
import type { Turns } from './turns.ts';

export const WEBHOOK_PATH = '/telegram/updates';

/**
 * Where Telegram sends updates when it is not polled. Answered only after the update is handled: anything but success
 * makes Telegram send it again.
 */
export const telegramWebhookRoute =
  (bot: () => Bot, secret: string, turns: Turns): FastifyPluginAsync =>
  async (app) => {
    const expected = Buffer.from(secret);
    app.post(WEBHOOK_PATH, { bodyLimit: 1024 * 1024 }, async (request, reply) => {
      const given = Buffer.from(String(request.headers['x-telegram-bot-api-secret-token'] ?? ''));
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
        throw new ApiError('invalid_token', 'This address is for Telegram only.');
      }
      if (!bot().isInited()) bot().botInfo = await bot().api.getMe();
      const update = request.body as Update;
      const person = talkerIn(update);
      // Telegram sends several at once, and to several processes. Polling hands them out one after another anyway.
      if (person === undefined) await bot().handleUpdate(update);
      else await turns.inTurn(person, () => bot().handleUpdate(update));
      return reply.code(200).send();
    });
  };

/**
 * Whose dialogue with our bot the update goes on with, if it is anybody's. What is said in groups is not: where our bot is an
 * administrator it hears everything, and that must stay cheap.
 */
function talkerIn({ message, callback_query: press, my_chat_member: access }: Update): number | undefined {
  if (message !== undefined) return message.chat.type === 'private' ? message.from?.id : undefined;
  return press?.from.id ?? access?.from.id;
}
