import type { GateMessenger } from '../modules/compat/index.ts';
import { type BotApi, callSignal, failureOf } from './bot-api.ts';

/** The press of this button reaches the publisher's bot as any other update, and the bot asks again. */
const CHECK_DATA = 'sponsorgate_check';

/** Writes to users as a publisher's bot, with the token that its owner gave. */
export function createGateMessenger(api: BotApi): GateMessenger {
  return {
    async send({ botToken, userId, text, rows }) {
      const inline_keyboard = rows.map((row) =>
        row.map(({ text: label, url }) =>
          url === undefined ? { text: label, callback_data: CHECK_DATA } : { text: label, url },
        ),
      );
      try {
        await api.as(botToken).sendMessage(userId, text, { reply_markup: { inline_keyboard } }, callSignal());
        return 'sent';
      } catch (error) {
        const failure = failureOf(error);
        return failure.kind === 'refused' ? refusalOf(failure) : 'unreachable';
      }
    },
    async usernameOf(botToken) {
      try {
        return (await api.as(botToken).getMe(callSignal())).username;
      } catch (error) {
        return failureOf(error).kind === 'refused' ? undefined : 'unreachable';
      }
    },
  };
}

/** Telegram refuses a revoked token with 401 and a malformed one with 404; 403 and "chat not found" are about the user. */
function refusalOf({ errorCode, description }: { readonly errorCode: number; readonly description: string }) {
  if (errorCode === 401 || errorCode === 404) return 'token_refused';
  return errorCode === 403 || /chat not found/i.test(description) ? 'user_refused' : 'message_refused';
}
