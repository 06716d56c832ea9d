import { Composer, type Context } from 'grammy';
import { FORMATS, type Formats, type Language } from '../../core/locale.ts';
import type { Conversation } from './conversation.ts';
import { TEXTS, type Texts } from './texts/index.ts';

/** Who is talking to the bot. */
interface Person {
  readonly accountId: number;
  readonly telegramUserId: number;
  readonly name: string;
  readonly language: Language;
  readonly isOperator: boolean;
  readonly mutedNotices: ReadonlySet<string>;
}

/** What every handler is given beside grammY's own. */
export interface BotContext extends Context {
  person: Person;
  talk: Conversation;
  /** The bot's texts in the person's language. */
  texts: Texts;
  /** Numbers, money and times in the person's language. */
  formats: Formats;
  /** Names this update: work done under this key is done once, also when Telegram delivers the update again. */
  updateKey: string;
}

/** The person reads another language from now on. */
export function speak(ctx: BotContext, language: Language): void {
  ctx.person = { ...ctx.person, language };
  ctx.texts = TEXTS[language];
  ctx.formats = FORMATS[language];
}

export type PressHandler = (ctx: BotContext, ...args: readonly string[]) => Promise<unknown>;
export type TextHandler = (ctx: BotContext, text: string, ...args: readonly string[]) => Promise<unknown>;

/** One area of the bot: the buttons it answers to and the questions whose answers it takes. */
export class Area extends Composer<BotContext> {
  /** `name:arg:arg` is what `press(label, name, ...args)` puts behind a button. */
  onPress(name: string, handler: PressHandler): void {
    const isMeant = (ctx: BotContext): boolean => ctx.callbackQuery?.data?.split(':', 1)[0] === name;
    this.on('callback_query:data').filter(isMeant, async (ctx) => {
      const [, ...args] = ctx.callbackQuery.data.split(':');
      await handler(ctx, ...args);
    });
  }

  /** The answer to a question asked with `talk.ask(input, …)`. */
  onText(input: string, handler: TextHandler): void {
    this.filter((ctx) => ctx.talk.expects?.input === input).on('message:text', async (ctx) => {
      await handler(ctx, ctx.message.text, ...(ctx.talk.expects?.args ?? []));
    });
  }
}

/** A button of an older version, or data that no button of ours has. The person is taken to the start. */
export class StaleButton extends Error {
  override readonly name = 'StaleButton';
}

/** An id in the data of a button: data can be forged, so whether it is the person's is for the use case to say. */
export function idIn(text: string | undefined): number {
  if (text !== undefined && /^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new StaleButton('a button without its id');
}

export function pageIn(text: string | undefined): number {
  return text !== undefined && /^\d{1,4}$/.test(text) ? Number(text) : 0;
}

/** One of a closed set in the data of a button. */
export function choiceIn<T extends string>(text: string | undefined, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === text);
  if (found === undefined) throw new StaleButton('a button without its choice');
  return found;
}
