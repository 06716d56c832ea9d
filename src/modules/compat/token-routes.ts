import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/caller.ts';
import { forgetTelegramToken, hasTelegramToken, type MessageDeps, saveTelegramToken } from './gate-message.ts';

const TokenBody = Type.Object({
  bot_token: Type.Union([Type.String({ minLength: 1, maxLength: 200 }), Type.Null()], {
    description: 'The token of your bot from @BotFather; null: forget it.',
  }),
});
const TokenAnswer = Type.Object({ has_telegram_token: Type.Boolean() });

/** The owner gives the Telegram token with which the service sends gate messages. Mounted behind the `Auth` header. */
export const telegramTokenRoutes =
  (deps: MessageDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/compat/telegram-token', { schema: { response: { 200: TokenAnswer } } }, async (request) => ({
      has_telegram_token: await hasTelegramToken(deps.db, callerOf(request).bot.id),
    }));

    app.put(
      '/compat/telegram-token',
      { schema: { body: TokenBody, response: { 200: TokenAnswer } } },
      async (request) => {
        const { bot } = callerOf(request);
        const { bot_token: botToken } = request.body;
        if (botToken === null) await forgetTelegramToken(deps.db, bot.id);
        else await saveTelegramToken(deps, bot, botToken);
        return { has_telegram_token: botToken !== null };
      },
    );
  };
