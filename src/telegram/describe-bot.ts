import type { Api } from 'grammy';
import { callSignal, failureOf } from './bot-api.ts';
import type { UpdatesLog } from './handle-update.ts';
import { COMMANDS } from './management-bot/bot-context.ts';
import { TEXTS } from './management-bot/texts/index.ts';

/** Telegram shows the texts without a language to everybody whose language has none of its own. */
const VARIANTS = [
  { texts: TEXTS.en.profile, options: {} },
  { texts: TEXTS.ru.profile, options: { language_code: 'ru' } },
] as const;

/**
 * Sets the bot's commands and descriptions in both languages. A failure is only logged: the bot works without them, and
 * the next start tries again.
 */
export async function describeBot(api: Api, log: UpdatesLog): Promise<void> {
  const calls = VARIANTS.flatMap(({ texts, options }) => [
    api.setMyCommands(
      COMMANDS.map((command) => ({ command, description: texts.commands[command] })),
      options,
      callSignal(),
    ),
    api.setMyDescription(texts.description, options, callSignal()),
    api.setMyShortDescription(texts.shortDescription, options, callSignal()),
  ]);
  for (const outcome of await Promise.allSettled(calls)) {
    if (outcome.status === 'rejected') {
      log.warn({ failure: failureOf(outcome.reason) }, 'commands or description of the bot not set');
    }
  }
}
