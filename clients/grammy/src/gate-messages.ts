import { type Context, GrammyError } from 'grammy';
import type { GateSponsor } from './client.ts';
import type { ExpiringSet } from './expiring-set.ts';
import type { GatedUser } from './gated-user.ts';
import { gateKeyboard } from './keyboard.ts';
import { alertText, type GateTexts, type TextOverride, textsFor } from './texts.ts';

export interface MessageOptions {
  readonly ctx: Context;
  readonly gated: GatedUser;
  readonly prefix: string;
  readonly texts: TextOverride | undefined;
  /** The members who got a message in a group a moment ago. */
  readonly recent: ExpiringSet;
  readonly report: (error: unknown) => void;
}

/** Sends the gate's messages to one user. Errors of Telegram are reported and not thrown. */
export class GateMessages {
  readonly #options: MessageOptions;
  readonly #texts: GateTexts;

  constructor(options: MessageOptions) {
    this.#options = options;
    this.#texts = this.#chooseTexts();
  }

  /** Shows the sponsors. Returns false when Telegram did not accept the message. */
  async showSponsors(sponsors: readonly GateSponsor[]): Promise<boolean> {
    const { ctx } = this.#options;
    if (ctx.callbackQuery !== undefined) await this.#answer(this.#texts.subscribeFirst);
    if (this.#isRecent()) return true;
    return this.#send(this.#texts.prompt, this.#keyboard(sponsors));
  }

  async showUnavailable(): Promise<void> {
    if (this.#options.ctx.callbackQuery !== undefined) await this.#answer(this.#texts.unavailable, true);
    else if (!this.#isRecent()) await this.#send(this.#texts.unavailable);
  }

  /** Shows the missing subscriptions in an alert and in the list. */
  async showMissing(sponsors: readonly GateSponsor[], checkLater: boolean): Promise<void> {
    const titles = sponsors.map((sponsor) => sponsor.title);
    await this.#answer(checkLater ? this.#texts.checkLater : alertText(this.#texts.missing, titles), true);
    const reply_markup = this.#keyboard(sponsors);
    await this.#try(() => this.#options.ctx.editMessageReplyMarkup({ reply_markup }));
  }

  async showNotYours(): Promise<void> {
    await this.#answer(this.#texts.notYours, true);
  }

  /** Replaces the list by a thank-you, or deletes it. */
  async showPassed({ isListRemoved }: { readonly isListRemoved: boolean }): Promise<void> {
    const { ctx } = this.#options;
    await this.#answer(this.#texts.passed);
    await this.#try(() => (isListRemoved ? ctx.deleteMessage() : ctx.editMessageText(this.#texts.passed)));
  }

  /** Another update of the same user gets the message; this one only stops the spinner of a button. */
  async stopSpinner(): Promise<void> {
    if (this.#options.ctx.callbackQuery !== undefined) await this.#answer();
  }

  /** Uses the default texts when the bot's own function throws. */
  #chooseTexts(): GateTexts {
    const { gated, texts, report } = this.#options;
    try {
      return textsFor(gated.user.language_code, texts);
    } catch (error) {
      report(error);
      return textsFor(gated.user.language_code);
    }
  }

  #keyboard(sponsors: readonly GateSponsor[]) {
    const { prefix, gated } = this.#options;
    return gateKeyboard(sponsors, { prefix, userId: gated.user.id, confirmButton: this.#texts.confirmButton });
  }

  #send(text: string, keyboard?: ReturnType<typeof gateKeyboard>): Promise<boolean> {
    const { ctx, gated } = this.#options;
    const replyTo = gated.isGroup ? ctx.message?.message_id : undefined;
    return this.#try(() =>
      ctx.reply(gated.isGroup ? `${gated.user.first_name}: ${text}` : text, {
        link_preview_options: { is_disabled: true },
        ...(keyboard && { reply_markup: keyboard }),
        ...(replyTo !== undefined && { reply_parameters: { message_id: replyTo, allow_sending_without_reply: true } }),
      }),
    );
  }

  /** In a group a member gets one message a minute. */
  #isRecent(): boolean {
    const { gated, recent } = this.#options;
    if (!gated.isGroup) return false;
    const key = `${gated.chatId}:${gated.user.id}`;
    if (recent.has(key)) return true;
    recent.add(key);
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
