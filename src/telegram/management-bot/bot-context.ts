import { randomBytes } from 'node:crypto';
import { Composer, type Context, type Filter } from 'grammy';
import { FORMATS, type Formats, type Language } from '../../core/locale.ts';
import type { Conversation } from './conversation.ts';
import { TEXTS, type Texts } from './texts/index.ts';

/** The person who talks to the bot. */
interface Person {
  readonly accountId: number;
  readonly telegramUserId: number;
  readonly name: string;
  readonly language: Language;
  readonly isOperator: boolean;
  /** A banned person can only read and answer the cases of the account. */
  readonly isBanned: boolean;
  readonly mutedNotices: ReadonlySet<string>;
}

/** The context of every handler. */
export interface BotContext extends Context {
  person: Person;
  talk: Conversation;
  texts: Texts;
  formats: Formats;
  /** The sentence that names the support contact, if there is one. */
  support: string | undefined;
  /** Idempotency key of this update: Telegram may deliver it again. */
  updateKey: string;
}

/** Switches this context to another language. */
export function switchLanguage(ctx: BotContext, language: Language): void {
  ctx.person = { ...ctx.person, language };
  ctx.texts = TEXTS[language];
  ctx.formats = FORMATS[language];
}

/** Returns the text followed by the support contact, if there is one. */
export const withSupport = ({ support }: BotContext, text: string): string =>
  support === undefined ? text : `${text} ${support}`;

type PressHandler = (ctx: BotContext, ...args: readonly string[]) => Promise<unknown>;
type TextHandler = (ctx: BotContext, text: string, ...args: readonly string[]) => Promise<unknown>;
type MessageHandler = (ctx: Filter<BotContext, 'message'>, ...args: readonly string[]) => Promise<unknown>;

/** The commands. Except for `start`, which shows the menu, each does the same as the button of its name. */
export const COMMANDS = ['start', 'bots', 'orders', 'balance', 'notices', 'console', 'language'] as const;

/** Returns the command of a message, such as `balance`. A forwarded message has none. */
export function commandIn({ message }: BotContext): string | undefined {
  if (message?.forward_origin !== undefined) return undefined;
  return message?.text?.startsWith('/') ? (/^\/(\w{1,32})/.exec(message.text)?.[1] ?? '') : undefined;
}

/** One area of the bot: handlers for its buttons and for typed replies to its questions. */
export class Area extends Composer<BotContext> {
  /** Handles buttons made by `press(label, name, ...args)`, whose data is `name:arg:arg`, and the command of that name. */
  onPress(name: string, handler: PressHandler): void {
    const isMeant = (ctx: BotContext): boolean => ctx.callbackQuery?.data?.split(':', 1)[0] === name;
    this.on('callback_query:data').filter(isMeant, async (ctx) => {
      const [, ...args] = ctx.callbackQuery.data.split(':');
      await handler(ctx, ...args);
    });
    if (!COMMANDS.some((command) => command === name)) return;
    this.on('message:text').filter(
      (ctx) => commandIn(ctx) === name,
      async (ctx) => {
        await handler(ctx);
      },
    );
  }

  /** Handles the reply to a question asked with `talk.ask(input, …)`. */
  onText(input: string, handler: TextHandler): void {
    this.filter((ctx) => ctx.talk.expects?.input === input).on('message:text', async (ctx) => {
      await handler(ctx, ctx.message.text, ...(ctx.talk.expects?.args ?? []));
    });
  }

  /** Handles a reply of any kind, such as a forwarded picture. */
  onMessage(input: string, handler: MessageHandler): void {
    this.filter((ctx) => ctx.talk.expects?.input === input).on('message', async (ctx) => {
      await handler(ctx, ...(ctx.talk.expects?.args ?? []));
    });
  }
}

/** Thrown for a button of an older version or forged data. The person sees the first screen. */
export class StaleButton extends Error {
  override readonly name = 'StaleButton';
}

/** Reads an id from a button's data. Data can be forged, so the use case checks the owner. */
export function idIn(text: string | undefined): number {
  if (text !== undefined && /^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new StaleButton('a button without its id');
}

export function pageIn(text: string | undefined): number {
  return text !== undefined && /^\d{1,4}$/.test(text) ? Number(text) : 0;
}

/** Reads one of a closed set of choices from a button's data. */
export function choiceIn<T extends string>(text: string | undefined, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === text);
  if (found === undefined) throw new StaleButton('a button without its choice');
  return found;
}

/** Returns an idempotency key for a button: pressing it twice does the work once. */
export const newNonce = (): string => randomBytes(6).toString('base64url');

export function nonceIn(text: string | undefined): string {
  if (text !== undefined && /^[\w-]{8}$/.test(text)) return text;
  throw new StaleButton('a button without its nonce');
}
