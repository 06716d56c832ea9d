import { type Context, GrammyError, InputFile } from 'grammy';
import type { Clock } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import { type Dialogue, readDialogue, saveDialogue } from './dialogue-store.ts';
import { keyboardBelow, keyboardOf, type Screen } from './screen.ts';

/**
 * The talk with one person while one update is handled. There is one menu, and it is edited from screen to screen; only
 * when that is not possible (a picture after a text) or would be out of sight (the person has written since) a new one
 * is sent and the old one removed.
 */
export class Conversation {
  readonly #db: Queryable;
  readonly #clock: Clock;
  readonly #context: Context;
  readonly #userId: number;
  /** Telegram delivered a message again that was answered before: doing so once more would answer the next question. */
  readonly isHandledAlready: boolean;
  #dialogue: Dialogue;
  #toast: Toast | undefined;

  private constructor(deps: { db: Queryable; clock: Clock }, context: Context, userId: number, dialogue: Dialogue) {
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#context = context;
    this.#userId = userId;
    const id = context.update.update_id;
    this.isHandledAlready = isHandledAlready(context, dialogue);
    this.#dialogue = {
      ...dialogue,
      lastUpdate: { id, expectedBefore: dialogue.expects },
      lastMessageUpdateId: context.message === undefined ? dialogue.lastMessageUpdateId : id,
    };
  }

  static async open(deps: { db: Queryable; clock: Clock }, context: Context, userId: number): Promise<Conversation> {
    const dialogue = await readDialogue(deps.db, userId);
    // Telegram delivers an update again when we died over it. It is an answer to what was asked then, not to the question
    // that it had led to.
    const isRepeat = dialogue.lastUpdate?.id === context.update.update_id;
    const expects = isRepeat ? (dialogue.lastUpdate?.expectedBefore ?? null) : dialogue.expects;
    return new Conversation(deps, context, userId, { ...dialogue, expects });
  }

  get expects(): Dialogue['expects'] {
    return this.#dialogue.expects;
  }

  /** What a wizard has gathered; each has a draft of its own. */
  draftOf(wizard: string): unknown {
    return this.#dialogue.drafts[wizard];
  }

  /** Kept before anything is shown: a restart in between finds it. */
  async keepDraft<Draft extends { readonly wizard: string }>(draft: Draft): Promise<void> {
    await this.#change({ drafts: { ...this.#dialogue.drafts, [draft.wizard]: draft } });
  }

  async dropDraft(wizard: string): Promise<void> {
    const { [wizard]: dropped, ...drafts } = this.#dialogue.drafts;
    if (dropped !== undefined) await this.#change({ drafts });
  }

  /** Whatever the person does next, it is no answer to an earlier question. */
  async expectNothing(): Promise<void> {
    if (this.#dialogue.expects !== null) await this.#change({ expects: null });
  }

  /** Shows a question; the person's next message goes to the input of that name, with these arguments. */
  async ask(input: string, args: readonly (string | number)[], screen: Screen): Promise<void> {
    await this.#change({ expects: { input, args: args.map(String) } });
    await this.show(screen);
  }

  /** A short word over the chat, in answer to a press; as an alert it has to be dismissed. */
  toast(text: string, { alert = false }: { alert?: boolean } = {}): void {
    this.#toast = toToast(text, { alert });
  }

  /** What the press is answered with, once everything else is done. */
  get toastShown(): Toast | undefined {
    return this.#toast;
  }

  async show(screen: Screen): Promise<void> {
    if (await this.#edit(screen)) return;
    const old = this.#dialogue.menu;
    const messageId = await this.#send(screen);
    await this.#change({ menu: { messageId, isPhoto: screen.photo !== undefined } });
    if (old !== null) await this.#retire(old.messageId);
  }

  /** Removes the old menu. Telegram deletes nothing older than 48 hours: such a menu only loses its buttons. */
  async #retire(messageId: number): Promise<void> {
    const { api } = this.#context;
    try {
      await api.deleteMessage(this.#userId, messageId);
    } catch (error) {
      ignoreRefusal(error);
      await api.editMessageReplyMarkup(this.#userId, messageId).catch(ignoreRefusal);
    }
  }

  /** Removes a message of the person's from the chat: it held a secret. */
  async forgetMessage(): Promise<void> {
    await this.#context.deleteMessage().catch(ignoreRefusal);
  }

  /** Whether the menu could be turned into the screen. */
  async #edit(screen: Screen): Promise<boolean> {
    const pressed = this.#context.callbackQuery?.message?.message_id;
    const { menu } = this.#dialogue;
    if (pressed === undefined || menu === null || pressed !== menu.messageId) return false;
    if (menu.isPhoto !== (screen.photo !== undefined) || screen.below !== undefined) return false;
    const reply_markup = keyboardOf(screen);
    try {
      if (screen.photo === undefined) {
        await this.#context.api.editMessageText(this.#userId, pressed, screen.text.source, {
          ...TEXT_OPTIONS,
          reply_markup,
        });
      } else {
        const media = { type: 'photo', media: picture(screen.photo), caption: screen.text.source } as const;
        await this.#context.api.editMessageMedia(
          this.#userId,
          pressed,
          { ...media, parse_mode: 'HTML' },
          { reply_markup },
        );
      }
      return true;
    } catch (error) {
      if (!(error instanceof GrammyError) || error.error_code !== 400) throw error;
      // Pressed twice, or nothing has changed since: the screen is there already.
      return error.description.includes('message is not modified');
    }
  }

  async #send(screen: Screen): Promise<number> {
    const reply_markup = screen.below === undefined ? keyboardOf(screen) : keyboardBelow(screen.below);
    if (screen.photo === undefined) {
      const { message_id } = await this.#context.api.sendMessage(this.#userId, screen.text.source, {
        ...TEXT_OPTIONS,
        reply_markup,
      });
      return message_id;
    }
    const { message_id } = await this.#context.api.sendPhoto(this.#userId, picture(screen.photo), {
      caption: screen.text.source,
      parse_mode: 'HTML',
      reply_markup,
    });
    return message_id;
  }

  async #change(change: Partial<Dialogue>): Promise<void> {
    this.#dialogue = { ...this.#dialogue, ...change };
    await saveDialogue(this.#db, this.#userId, this.#dialogue, this.#clock.now());
  }
}

export interface Toast {
  readonly text: string;
  readonly show_alert: boolean;
}

/** Telegram refuses an answer of more than 200 characters. */
export const toToast = (text: string, { alert = false }: { alert?: boolean } = {}): Toast => ({
  text: [...text].slice(0, 200).join(''),
  show_alert: alert,
});

/** By how much our clock may be behind Telegram's. */
const CLOCK_SLACK_MS = 60_000;

/**
 * Messages come in their order, so one before the last that was handled is a repeat. Their numbers start anew, at random,
 * when a bot got no update for a week: a repeat is also not newer than the last change.
 */
function isHandledAlready({ message, update }: Context, { lastMessageUpdateId, updatedAt }: Dialogue): boolean {
  if (message === undefined || lastMessageUpdateId === null || updatedAt === null) return false;
  return update.update_id < lastMessageUpdateId && message.date * 1000 <= updatedAt.getTime() + CLOCK_SLACK_MS;
}

const TEXT_OPTIONS = { parse_mode: 'HTML', link_preview_options: { is_disabled: true } } as const;

const picture = (png: Buffer): InputFile => new InputFile(png, 'chart.png');

/** Telegram says no (already gone, too old): not worth failing for. Not reaching Telegram is another matter. */
export function ignoreRefusal(error: unknown): void {
  if (!(error instanceof GrammyError)) throw error;
}
