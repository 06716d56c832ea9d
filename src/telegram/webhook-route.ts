import { timingSafeEqual } from 'node:crypto';
import type { FastifyPluginAsync } from 'fastify';
import type { Bot } from 'grammy';
import type { Update } from 'grammy/types';
import { ApiError } from '../core/errors.ts';

export const WEBHOOK_PATH = '/telegram/updates';

/**
 * Where Telegram sends updates when it is not polled. Answered only after the update is handled: anything but success
 * makes Telegram send it again.
 */
export const telegramWebhookRoute =
  (bot: () => Bot, secret: string): FastifyPluginAsync =>
  async (app) => {
    const expected = Buffer.from(secret);
    app.post(WEBHOOK_PATH, { bodyLimit: 1024 * 1024 }, async (request, reply) => {
      const given = Buffer.from(String(request.headers['x-telegram-bot-api-secret-token'] ?? ''));
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
        throw new ApiError('invalid_token', 'This address is for Telegram only.');
      }
      if (!bot().isInited()) bot().botInfo = await bot().api.getMe();
      await bot().handleUpdate(request.body as Update);
      return reply.code(200).send();
    });
  };
