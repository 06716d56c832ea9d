import { type Api, type Context, GrammyError, InputFile } from 'grammy';
import type { Clock } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import { type Dialogue, readDialogue, saveDialogue } from './dialogue-store.ts';
import { keyboardBelow, keyboardOf, type Screen, tame } from './screen.ts';

/**
 * The dialogue with one person while one update is handled. There is one menu message, which is edited from screen to
 * screen. When that is not possible (a picture after a text) or the menu is out of sight (the person has written
 * since), a new menu is sent and the old one removed.
 */
export class Conversation {
  readonly #db: Queryable;
  readonly #clock: Clock;
  readonly #context: Context;
  readonly #userId: number;
  /** The message was handled before: handling it again would take it for a reply to the next question. */
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
    // Telegram repeats an update when the process was killed while handling it. It is a reply to the question that was
    // open then, not to the one that it led to.
    const isRepeat = dialogue.lastUpdate?.id === context.update.update_id;
    const expects = isRepeat ? (dialogue.lastUpdate?.expectedBefore ?? null) : dialogue.expects;
    return new Conversation(deps, context, userId, { ...dialogue, expects });
  }

  get expects(): Dialogue['expects'] {
    return this.#dialogue.expects;
  }

  /** Returns the draft of a wizard. */
  draftOf(wizard: string): unknown {
    return this.#dialogue.drafts[wizard];
  }

  /** Stores the draft. Call this before showing the next screen, so that a restart in between loses nothing. */
  async keepDraft(wizard: string, draft: unknown): Promise<void> {
    await this.#change({ drafts: { ...this.#dialogue.drafts, [wizard]: draft } });
  }

  async dropDraft(wizard: string): Promise<void> {
    const { [wizard]: dropped, ...drafts } = this.#dialogue.drafts;
    if (dropped !== undefined) await this.#change({ drafts });
  }

  /** Closes the open question. */
  async expectNothing(): Promise<void> {
    if (this.#dialogue.expects !== null) await this.#change({ expects: null });
  }

  /** Shows a question. The person's next message goes to the `onText` handler of that input, with these arguments. */
  async ask(input: string, args: readonly (string | number)[], screen: Screen): Promise<void> {
    await this.#change({ expects: { input, args: args.map(String) } });
    await this.show(screen);
  }

  /** Sets the toast text for the pressed button. An alert stays until the person closes it. */
  toast(text: string, { alert = false }: { alert?: boolean } = {}): void {
    this.#toast = toToast(text, { alert });
  }

  /** The toast for the pressed button, sent after everything else is done. */
  get toastShown(): Toast | undefined {
    return this.#toast;
  }

  async show(screen: Screen): Promise<void> {
    if (await this.#edit(screen)) return;
    const old = this.#dialogue.menu;
    const messageId = await sendScreen(this.#context.api, this.#userId, screen);
    await this.#change({ menu: { messageId, isPhoto: screen.photo !== undefined } });
    if (old !== null) await this.#retire(old.messageId);
  }

  /** Deletes the old menu. Telegram deletes no message older than 48 hours, so such a menu only loses its buttons. */
  async #retire(messageId: number): Promise<void> {
    const { api } = this.#context;
    try {
      await api.deleteMessage(this.#userId, messageId);
    } catch (error) {
      ignoreRefusal(error);
      await api.editMessageReplyMarkup(this.#userId, messageId).catch(ignoreRefusal);
    }
  }

  /** Deletes the person's message from the chat because it contains a secret. */
  async forgetMessage(): Promise<void> {
    await this.#context.deleteMessage().catch(ignoreRefusal);
  }

  /** Returns whether the menu message was edited into the screen. */
  async #edit(screen: Screen): Promise<boolean> {
    const pressed = this.#context.callbackQuery?.message?.message_id;
    const { menu } = this.#dialogue;
    if (pressed === undefined || menu === null || pressed !== menu.messageId) return false;
    if (menu.isPhoto !== (screen.photo !== undefined) || screen.below !== undefined) return false;
    const reply_markup = keyboardOf(screen);
    try {
      if (screen.photo === undefined) {
        const options = { ...TEXT_OPTIONS, reply_markup };
        await this.#context.api.editMessageText(this.#userId, pressed, tame(screen.text.source), options);
      } else {
        const caption = { caption: tame(screen.text.source), parse_mode: 'HTML' } as const;
        const media = { type: 'photo', media: picture(screen.photo), ...caption } as const;
        await this.#context.api.editMessageMedia(this.#userId, pressed, media, { reply_markup });
      }
      return true;
    } catch (error) {
      if (!(error instanceof GrammyError) || error.error_code !== 400) throw error;
      // The screen is already shown: the button was pressed twice, or nothing changed.
      return error.description.includes('message is not modified');
    }
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

/** Cuts the text to the 200 characters that Telegram allows. */
export const toToast = (text: string, { alert = false }: { alert?: boolean } = {}): Toast => ({
  text: [...tame(text)].slice(0, 200).join(''),
  show_alert: alert,
});

/** How far our clock may be behind Telegram's. */
const CLOCK_SLACK_MS = 60_000;

/**
 * Messages arrive in order, so one with a lower number than the last handled one is a repeat. Telegram restarts the
 * numbers at random after a week without updates, so a repeat must also not be newer than the last change.
 */
function isHandledAlready({ message, update }: Context, { lastMessageUpdateId, updatedAt }: Dialogue): boolean {
  if (message === undefined || lastMessageUpdateId === null || updatedAt === null) return false;
  return update.update_id < lastMessageUpdateId && message.date * 1000 <= updatedAt.getTime() + CLOCK_SLACK_MS;
}

/** Sends the screen as a new message. Returns the id of the message. */
export async function sendScreen(api: Api, userId: number, screen: Screen): Promise<number> {
  const { photo, below } = screen;
  const text = tame(screen.text.source);
  const reply_markup = below === undefined ? keyboardOf(screen) : keyboardBelow(below);
  const { message_id } = await (photo === undefined
    ? api.sendMessage(userId, text, { ...TEXT_OPTIONS, reply_markup })
    : api.sendPhoto(userId, picture(photo), { caption: text, parse_mode: 'HTML', reply_markup }));
  return message_id;
}

const TEXT_OPTIONS = { parse_mode: 'HTML', link_preview_options: { is_disabled: true } } as const;

const picture = (png: Buffer): InputFile => new InputFile(png, 'chart.png');

/** Ignores a refusal of Telegram (message deleted, too old). Rethrows when Telegram cannot be reached. */
export function ignoreRefusal(error: unknown): void {
  if (!(error instanceof GrammyError)) throw error;
}
