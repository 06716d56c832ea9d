import { type Context, GrammyError } from 'grammy';
import type { GateSponsor } from './client.ts';
import type { ExpiringSet } from './expiring-set.ts';
import { gateKeyboard } from './keyboard.ts';
import { alertText, type GateTexts, type TextOverride, textsFor } from './texts.ts';
import type { Visitor } from './visitor.ts';

export interface DeskOptions {
  readonly ctx: Context;
  readonly visitor: Visitor;
  readonly prefix: string;
  readonly texts: TextOverride | undefined;
  /** Who was spoken to in a group a moment ago. */
  readonly quiet: ExpiringSet;
  readonly report: (error: unknown) => void;
}

/** Everything that is said to one visitor. Telegram's refusals are reported and not thrown. */
export class Desk {
  readonly #options: DeskOptions;
  readonly #texts: GateTexts;

  constructor(options: DeskOptions) {
    this.#options = options;
    this.#texts = this.#chooseTexts();
  }

  /** Shows the sponsors. Answers false when that was not possible. */
  async showSponsors(sponsors: readonly GateSponsor[]): Promise<boolean> {
    const { ctx } = this.#options;
    if (ctx.callbackQuery !== undefined) await this.#answer(this.#texts.subscribeFirst);
    if (this.#isQuiet()) return true;
    return this.#send(this.#texts.prompt, this.#keyboard(sponsors));
  }

  async sayUnavailable(): Promise<void> {
    if (this.#options.ctx.callbackQuery !== undefined) await this.#answer(this.#texts.unavailable, true);
    else if (!this.#isQuiet()) await this.#send(this.#texts.unavailable);
  }

  /** To somebody who pressed too early: what is missing, in an alert and in the list. */
  async sayMissing(sponsors: readonly GateSponsor[], checkLater: boolean): Promise<void> {
    const titles = sponsors.map((sponsor) => sponsor.title);
    await this.#answer(checkLater ? this.#texts.checkLater : alertText(this.#texts.missing, titles), true);
    const reply_markup = this.#keyboard(sponsors);
    await this.#try(() => this.#options.ctx.editMessageReplyMarkup({ reply_markup }));
  }

  async sayNotYours(): Promise<void> {
    await this.#answer(this.#texts.notYours, true);
  }

  /** The list has done its work: a thank-you takes its place, or nothing does. */
  async sayPassed({ isListRemoved }: { readonly isListRemoved: boolean }): Promise<void> {
    const { ctx } = this.#options;
    await this.#answer(this.#texts.passed);
    await this.#try(() => (isListRemoved ? ctx.deleteMessage() : ctx.editMessageText(this.#texts.passed)));
  }

  /** Another update of the same person is being answered; only a button's spinner has to be stopped. */
  async wait(): Promise<void> {
    if (this.#options.ctx.callbackQuery !== undefined) await this.#answer();
  }

  /** The bot's own function may fail; ours do not depend on it. */
  #chooseTexts(): GateTexts {
    const { visitor, texts, report } = this.#options;
    try {
      return textsFor(visitor.user.language_code, texts);
    } catch (error) {
      report(error);
      return textsFor(visitor.user.language_code);
    }
  }

  #keyboard(sponsors: readonly GateSponsor[]) {
    const { prefix, visitor } = this.#options;
    return gateKeyboard(sponsors, { prefix, userId: visitor.user.id, confirmButton: this.#texts.confirmButton });
  }

  #send(text: string, keyboard?: ReturnType<typeof gateKeyboard>): Promise<boolean> {
    const { ctx, visitor } = this.#options;
    const replyTo = visitor.isGroup ? ctx.message?.message_id : undefined;
    return this.#try(() =>
      ctx.reply(visitor.isGroup ? `${visitor.user.first_name}: ${text}` : text, {
        link_preview_options: { is_disabled: true },
        ...(keyboard && { reply_markup: keyboard }),
        ...(replyTo !== undefined && { reply_parameters: { message_id: replyTo, allow_sending_without_reply: true } }),
      }),
    );
  }

  /** In a group one list a minute is enough for one person. */
  #isQuiet(): boolean {
    const { visitor, quiet } = this.#options;
    if (!visitor.isGroup) return false;
    const key = `${visitor.chatId}:${visitor.user.id}`;
    if (quiet.has(key)) return true;
    quiet.add(key);
    return false;
  }

  #answer(text?: string, show_alert = false): Promise<boolean> {
    const { ctx } = this.#options;
    return this.#try(() => ctx.answerCallbackQuery(text === undefined ? {} : { text: alertText(text), show_alert }));
  }

  async #try(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      const isSame = error instanceof GrammyError && error.description.includes('message is not modified');
      if (!isSame) this.#options.report(error);
      return isSame;
    }
  }
}
