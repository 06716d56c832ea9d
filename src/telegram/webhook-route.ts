import { timingSafeEqual } from 'node:crypto';
import type { FastifyPluginAsync } from 'fastify';
import type { Bot } from 'grammy';
import type { Update } from 'grammy/types';
import { ApiError } from '../core/errors.ts';
import { handleUpdate, type UpdatesLog } from './handle-update.ts';
import type { Turns } from './person-lease.ts';
import { createSequencer } from './sequencer.ts';
import { keysOf, talkerIn } from './update-queue.ts';

export const WEBHOOK_PATH = '/telegram/updates';

/**
 * Where Telegram sends updates when it is not polled. Answered only after the update is handled: anything but success
 * makes Telegram send it again.
 */
export const telegramWebhookRoute =
  ({
    bot,
    secret,
    turns,
    log,
  }: {
    bot: () => Bot;
    secret: string;
    turns: Turns;
    log: UpdatesLog;
  }): FastifyPluginAsync =>
  async (app) => {
    const sequencer = createSequencer();
    const expected = Buffer.from(secret);
    app.post(WEBHOOK_PATH, { bodyLimit: 1024 * 1024 }, async (request, reply) => {
      const given = Buffer.from(String(request.headers['x-telegram-bot-api-secret-token'] ?? ''));
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
        throw new ApiError('invalid_token', 'This address is for Telegram only.');
      }
      if (!bot().isInited()) bot().botInfo = await bot().api.getMe();
      const update = request.body as Update;
      const person = talkerIn(update);
      const handle = (): Promise<void> => handleUpdate(bot(), update, log);
      // Telegram sends several at once, and to several processes. It waits with a chat's next for the answer to the last.
      await (person === undefined ? sequencer.run(keysOf(update), handle) : turns.inTurn(person, handle));
      return reply.code(200).send();
    });
  };
