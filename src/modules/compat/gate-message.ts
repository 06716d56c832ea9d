import { type Clock, MINUTE_MS } from '../../core/clock.ts';
import type { Database, Queryable } from '../../core/database.ts';
import { ApiError } from '../../core/errors.ts';
import type { Language } from '../../core/locale.ts';
import type { Secrets } from '../../core/secrets.ts';
import type { Bot } from '../bots/index.ts';
import type { ResourceType } from '../orders/index.ts';
import type { TaskWithOrder } from '../tasks/index.ts';
import {
  deleteMessageFailure,
  deleteTelegramToken,
  type MessageFailure,
  type MessageState,
  readMessageState,
  upsertMessageFailure,
  upsertTelegramToken,
} from './store.ts';

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
  }): Promise<'sent' | 'token_refused' | 'user_refused' | 'message_refused' | 'unreachable'>;
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

export type GiveTokenOutcome =
  | { readonly kind: 'saved' }
  /** Telegram knows no bot with this token. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'other_bot'; readonly username: string }
  | { readonly kind: 'unavailable' };

/** Stores the Telegram token of a publisher's bot, if the token belongs to that bot. */
export async function giveTelegramToken(
  { db, clock, secrets, messenger }: MessageDeps,
  bot: Pick<Bot, 'id' | 'username'>,
  botToken: string,
): Promise<GiveTokenOutcome> {
  const username = await messenger.usernameOf(botToken);
  if (username === 'unreachable') return { kind: 'unavailable' };
  if (username === undefined) return { kind: 'refused' };
  if (username.toLowerCase() !== bot.username.toLowerCase()) return { kind: 'other_bot', username };
  const sealed = secrets.encrypt(PURPOSE, botToken);
  await db.transaction(async (tx) => {
    await upsertTelegramToken(tx, { botId: bot.id, sealed, at: clock.now() });
    await deleteMessageFailure(tx, bot.id);
  });
  return { kind: 'saved' };
}

/** Stores the Telegram token of a publisher's bot. Throws unless the token belongs to that bot. */
export async function saveTelegramToken(
  deps: MessageDeps,
  bot: Pick<Bot, 'id' | 'username'>,
  botToken: string,
): Promise<void> {
  const outcome = await giveTelegramToken(deps, bot, botToken);
  if (outcome.kind === 'saved') return;
  if (outcome.kind === 'unavailable') {
    throw new ApiError('telegram_unavailable', 'Telegram could not be asked about the token right now: try again.');
  }
  const fields = [{ field: 'bot_token', message: `is not the token of @${bot.username}` }];
  throw new ApiError('validation_failed', `This is not the Telegram token of @${bot.username}.`, { fields });
}

export async function forgetTelegramToken(db: Queryable, botId: number): Promise<void> {
  await deleteTelegramToken(db, botId);
  await deleteMessageFailure(db, botId);
}

export interface MessageSettings {
  readonly hasToken: boolean;
  readonly failure: MessageState['failure'];
}

/** Returns whether the service can send gate messages for a bot, and why the last one was not sent. */
export async function readMessageSettings(db: Queryable, botId: number): Promise<MessageSettings> {
  const { sealed, failure } = await readMessageState(db, botId);
  return { hasToken: sealed !== undefined, failure };
}

/** The texts of the message. A publisher can replace them. */
interface MessageTexts {
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

/** What the bot is told, in the language of the API. The bot and the console have their own texts. */
const WARNINGS: Readonly<Record<MessageFailure, string>> = {
  no_token:
    'give the Telegram token of your bot first, in the management bot, the console or PUT /compat/telegram-token.',
  token_unreadable: 'the Telegram token of your bot must be given again.',
  token_refused: 'Telegram refuses the token of your bot. Give its new token.',
  user_refused: 'the user has not started your bot, or has blocked it.',
  message_refused: 'Telegram refused the message.',
  unreachable: 'Telegram could not be reached.',
};

/**
 * Sends the tasks to the user through the publisher's bot. Returns why it could not: the caller then lets the user in,
 * because a user without the message could not do the tasks.
 */
export async function sendGateMessage(deps: MessageDeps, message: GateMessage): Promise<string | undefined> {
  const { db, clock } = deps;
  const { bot } = message;
  const state = await readMessageState(db, bot.id);
  const reason = await trySending(deps, message, state.sealed);
  if (reason === undefined) {
    // A user who blocked the bot says nothing about the next one, so that note stays.
    if (state.failure !== undefined && state.failure.reason !== 'user_refused') await deleteMessageFailure(db, bot.id);
    return undefined;
  }
  const at = clock.now();
  const isNoted = state.failure?.reason === reason && at.getTime() - state.failure.failedAt.getTime() < MINUTE_MS;
  if (!isNoted) await upsertMessageFailure(db, { botId: bot.id, reason, at });
  return `The gate message was not sent: ${WARNINGS[reason]}`;
}

interface GateMessage {
  readonly bot: Bot;
  readonly userId: number;
  readonly tasks: readonly TaskWithOrder[];
  readonly language: Language;
  readonly texts?: MessageTexts;
}

async function trySending(
  { secrets, messenger }: MessageDeps,
  { userId, tasks, language, texts = {} }: GateMessage,
  sealed: Buffer | undefined,
): Promise<MessageFailure | undefined> {
  if (sealed === undefined) return 'no_token';
  let botToken: string;
  try {
    botToken = secrets.decrypt(PURPOSE, sealed);
  } catch {
    return 'token_unreadable';
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
  return sent === 'sent' ? undefined : sent;
}
