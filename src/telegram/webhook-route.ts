import { timingSafeEqual } from 'node:crypto';
import type { FastifyPluginAsync } from 'fastify';
import type { Bot } from 'grammy';
import type { Update } from 'grammy/types';
import { ApiError } from '../core/errors.ts';
import { handleUpdate, type UpdatesLog } from './handle-update.ts';
import type { PersonLeases } from './person-lease.ts';
import { dialoguePersonIn, keysOf, type Sequencer } from './update-queue.ts';

export const WEBHOOK_PATH = '/telegram/updates';

/** A bot that receives updates by webhook, and the secret that proves that Telegram sent them. */
interface Receiver {
  readonly bot: Bot;
  readonly secret: string;
  readonly log: UpdatesLog;
}

/**
 * The routes to which Telegram posts updates in webhook mode: one for the management bot, and one for each checker bot.
 * They reply after the update is handled; Telegram sends the update again after any other status than 200.
 */
export const telegramWebhookRoute =
  ({
    management,
    checker,
    leases,
    sequencer,
  }: {
    management: () => Receiver;
    checker: (botId: number) => Receiver | undefined;
    leases: PersonLeases;
    sequencer: Sequencer;
  }): FastifyPluginAsync =>
  async (app) => {
    async function receive(
      receiver: Receiver | undefined,
      given: string | string[] | undefined,
      update: Update,
    ): Promise<void> {
      const expected = Buffer.from(receiver?.secret ?? '');
      const sent = Buffer.from(typeof given === 'string' ? given : '');
      if (receiver === undefined || sent.length !== expected.length || !timingSafeEqual(sent, expected)) {
        throw new ApiError('invalid_token', 'This address is for Telegram only.');
      }
      const { bot, log } = receiver;
      if (!bot.isInited()) bot.botInfo = await bot.api.getMe();
      const person = dialoguePersonIn(update);
      const handle = (): Promise<void> => handleUpdate(bot, update, log);
      // Telegram posts several updates at once, also to several processes.
      await (person === undefined ? sequencer.run(keysOf(update), handle) : leases.run(person, handle));
    }

    const SECRET = 'x-telegram-bot-api-secret-token';
    app.post(WEBHOOK_PATH, { bodyLimit: 1024 * 1024 }, async (request, reply) => {
      await receive(management(), request.headers[SECRET], request.body as Update);
      return reply.code(200).send();
    });
    app.post<{ Params: { bot_id: string } }>(
      `${WEBHOOK_PATH}/:bot_id`,
      { bodyLimit: 1024 * 1024 },
      async (request, reply) => {
        await receive(checker(Number(request.params.bot_id)), request.headers[SECRET], request.body as Update);
        return reply.code(200).send();
      },
    );
  };
