import type { Clock } from '../../core/clock.ts';
import type { Database, Queryable } from '../../core/database.ts';
import { ApiError } from '../../core/errors.ts';
import type { Language } from '../../core/locale.ts';
import type { Secrets } from '../../core/secrets.ts';
import type { Bot } from '../bots/index.ts';
import type { ResourceType } from '../orders/index.ts';
import type { TaskWithOrder } from '../tasks/index.ts';
import { deleteTelegramToken, findTelegramToken, upsertTelegramToken } from './store.ts';

interface GateButton {
  readonly text: string;
  /** Absent for the button that asks the bot to check again. */
  readonly url?: string;
}

/** Writes to users as a publisher's bot. Every call has a time limit. */
export interface GateMessenger {
  send(message: {
    readonly botToken: string;
    readonly userId: number;
    readonly text: string;
    readonly rows: readonly (readonly GateButton[])[];
  }): Promise<'sent' | 'refused' | 'unreachable'>;
  /** Returns the username of the bot with this token; undefined when Telegram refuses the token. */
  usernameOf(botToken: string): Promise<string | undefined | 'unreachable'>;
}

export interface MessageDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly messenger: GateMessenger;
}

/** The purpose that the encryption of a token is bound to. */
const PURPOSE = 'publisher-bot-token';

/** Stores the Telegram token of a publisher's bot. Throws unless the token belongs to that bot. */
export async function saveTelegramToken(
  { db, clock, secrets, messenger }: MessageDeps,
  bot: Pick<Bot, 'id' | 'username'>,
  botToken: string,
): Promise<void> {
  const username = await messenger.usernameOf(botToken);
  if (username === 'unreachable') {
    throw new ApiError('telegram_unavailable', 'Telegram could not be asked about the token right now: try again.');
  }
  if (username?.toLowerCase() !== bot.username.toLowerCase()) {
    const fields = [{ field: 'bot_token', message: `is not the token of @${bot.username}` }];
    throw new ApiError('validation_failed', `This is not the Telegram token of @${bot.username}.`, { fields });
  }
  const sealed = secrets.encrypt(PURPOSE, botToken);
  await db.transaction((tx) => upsertTelegramToken(tx, { botId: bot.id, sealed, at: clock.now() }));
}

export const forgetTelegramToken = (db: Queryable, botId: number): Promise<void> => deleteTelegramToken(db, botId);

export async function hasTelegramToken(db: Queryable, botId: number): Promise<boolean> {
  return (await findTelegramToken(db, botId)) !== undefined;
}

/** The texts of the message. A publisher can replace them. */
export interface MessageTexts {
  readonly text?: string | null | undefined;
  readonly buttonChannel?: string | null | undefined;
  readonly buttonBot?: string | null | undefined;
  /** Buttons in a row. */
  readonly perRow?: number | null | undefined;
}

const TEXTS = {
  ru: {
    text: 'Чтобы продолжить, подпишитесь на спонсоров и нажмите кнопку ниже:',
    channel: '➕ Подписаться',
    bot: '➕ Запустить бота',
    check: '✅ Я подписался',
  },
  en: {
    text: 'To continue, subscribe to the sponsors and press the button below:',
    channel: '➕ Subscribe',
    bot: '➕ Start the bot',
    check: '✅ I subscribed',
  },
} as const satisfies Record<Language, Record<ResourceType | 'text' | 'check', string>>;

export const buttonText = (type: ResourceType, language: Language): string => TEXTS[language][type];

const MAX_TEXT = 4_096;
const MAX_BUTTON = 64;
const MAX_PER_ROW = 8;

/**
 * Sends the tasks to the user through the publisher's bot. Returns why it could not: the caller then lets the user in,
 * because a user without the message could not do the tasks.
 */
export async function sendGateMessage(
  { db, secrets, messenger }: MessageDeps,
  {
    bot,
    userId,
    tasks,
    language,
    texts = {},
  }: { bot: Bot; userId: number; tasks: readonly TaskWithOrder[]; language: Language; texts?: MessageTexts },
): Promise<string | undefined> {
  const sealed = await findTelegramToken(db, bot.id);
  if (sealed === undefined) {
    return 'The gate message was not sent: give the Telegram token of your bot first (PUT /compat/telegram-token).';
  }
  let botToken: string;
  try {
    botToken = secrets.decrypt(PURPOSE, sealed);
  } catch {
    return 'The gate message was not sent: the Telegram token of your bot must be given again.';
  }
  const own = TEXTS[language];
  const labels = { channel: texts.buttonChannel || own.channel, bot: texts.buttonBot || own.bot };
  const buttons = tasks.map(({ order, link }) => ({
    text: labels[order.resource.type].slice(0, MAX_BUTTON),
    url: link,
  }));
  const perRow = Math.min(Math.max(texts.perRow ?? 1, 1), MAX_PER_ROW);
  const rows: GateButton[][] = [];
  for (let i = 0; i < buttons.length; i += perRow) rows.push(buttons.slice(i, i + perRow));
  rows.push([{ text: own.check }]);
  const sent = await messenger.send({ botToken, userId, text: (texts.text || own.text).slice(0, MAX_TEXT), rows });
  if (sent === 'sent') return undefined;
  return sent === 'refused'
    ? 'The gate message was not sent: Telegram refused it. The user may have blocked your bot, or its token has changed.'
    : 'The gate message was not sent: Telegram could not be reached.';
}
