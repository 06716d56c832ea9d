import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { formatTimestamp } from '../../core/clock.ts';
import { callerOf } from '../../http/caller.ts';
import { forgetTelegramToken, type MessageDeps, readMessageSettings, saveTelegramToken } from './gate-message.ts';

const TokenBody = Type.Object({
  bot_token: Type.Union([Type.String({ minLength: 1, maxLength: 200 }), Type.Null()], {
    description: 'The token of your bot from @BotFather; null: forget it.',
  }),
});
const TokenAnswer = Type.Object({ has_telegram_token: Type.Boolean() });
const SettingsAnswer = Type.Object({
  has_telegram_token: Type.Boolean(),
  last_failure: Type.Union(
    [
      Type.Object({
        reason: Type.String({
          description:
            '`no_token`, `token_unreadable`, `token_refused`, `user_refused`, `message_refused` or `unreachable`.',
        }),
        at: Type.String(),
      }),
      Type.Null(),
    ],
    { description: 'The last gate message that was not sent.' },
  ),
});

/** The owner gives the Telegram token with which the service sends gate messages. Mounted behind the `Auth` header. */
export const telegramTokenRoutes =
  (deps: MessageDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/compat/telegram-token', { schema: { response: { 200: SettingsAnswer } } }, async (request) => {
      const { hasToken, failure } = await readMessageSettings(deps.db, callerOf(request).bot.id);
      const last_failure = failure && { reason: failure.reason, at: formatTimestamp(failure.failedAt) };
      return { has_telegram_token: hasToken, last_failure: last_failure ?? null };
    });

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
