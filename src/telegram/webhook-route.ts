import { timingSafeEqual } from 'node:crypto';
import type { FastifyPluginAsync } from 'fastify';
import type { Bot } from 'grammy';
import type { Update } from 'grammy/types';
import { ApiError } from '../core/errors.ts';
import { handleUpdate, type UpdatesLog } from './handle-update.ts';
import type { PersonLeases } from './person-lease.ts';
import { createSequencer, dialoguePersonIn, keysOf } from './update-queue.ts';

export const WEBHOOK_PATH = '/telegram/updates';

/**
 * The route to which Telegram posts updates in webhook mode. It replies after the update is handled; Telegram sends the
 * update again after any other status than 200.
 */
export const telegramWebhookRoute =
  ({
    bot,
    secret,
    leases,
    log,
  }: {
    bot: () => Bot;
    secret: string;
    leases: PersonLeases;
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
      const person = dialoguePersonIn(update);
      const handle = (): Promise<void> => handleUpdate(bot(), update, log);
      // Telegram posts several updates at once, also to several processes.
      await (person === undefined ? sequencer.run(keysOf(update), handle) : leases.run(person, handle));
      return reply.code(200).send();
    });
  };
