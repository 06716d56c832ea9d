import type { GateSponsor } from './client.ts';
import type { ExpiringSet } from './expiring-set.ts';
import { gateKeyboard, type Keyboard } from './keyboard.ts';
import { alertText, type GateTexts, type TextOverride, textsFor } from './texts.ts';
import type { GatedUser, TelegramUpdate } from './updates.ts';

/** Calls a method of the Bot API through the bot's framework. */
export type CallTelegram = (method: string, payload: Record<string, unknown>) => Promise<unknown>;

export interface MessageOptions {
  readonly update: TelegramUpdate;
  readonly gated: GatedUser;
  readonly call: CallTelegram;
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
    if (this.#options.gated.kind === 'inline_query') return this.#answerInline(this.#texts.subscribeFirst);
    await this.#answer(this.#texts.subscribeFirst);
    if (this.#isRecent()) return true;
    return this.#send(this.#texts.prompt, this.#keyboard(sponsors));
  }

  async showUnavailable(): Promise<void> {
    const { update, gated } = this.#options;
    if (gated.kind === 'inline_query') await this.#answerInline(this.#texts.unavailable);
    else if (update.callback_query !== undefined) await this.#answer(this.#texts.unavailable, true);
    else if (!this.#isRecent()) await this.#send(this.#texts.unavailable);
  }

  /** Shows the missing subscriptions in an alert and in the list. */
  async showMissing(sponsors: readonly GateSponsor[], checkLater: boolean): Promise<void> {
    const titles = sponsors.map((sponsor) => sponsor.title);
    await this.#answer(checkLater ? this.#texts.checkLater : alertText(this.#texts.missing, titles), true);
    await this.#changeList('editMessageReplyMarkup', { reply_markup: this.#keyboard(sponsors) });
  }

  async showNotYours(): Promise<void> {
    await this.#answer(this.#texts.notYours, true);
  }

  /** Replaces the list by a thank-you, or deletes it. */
  async showPassed({ isListRemoved }: { readonly isListRemoved: boolean }): Promise<void> {
    await this.#answer(this.#texts.passed);
    if (isListRemoved) await this.#changeList('deleteMessage', {});
    else await this.#changeList('editMessageText', { text: this.#texts.passed });
  }

  /** Another update of the same user gets the message; this one only stops the spinner of a button. */
  async stopSpinner(): Promise<void> {
    await this.#answer();
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

  #keyboard(sponsors: readonly GateSponsor[]): Keyboard {
    const { prefix, gated } = this.#options;
    return gateKeyboard(sponsors, { prefix, userId: gated.user.id, confirmButton: this.#texts.confirmButton });
  }

  #send(text: string, keyboard?: Keyboard): Promise<boolean> {
    const { update, gated } = this.#options;
    const replyTo = gated.isGroup ? (update.message ?? update.edited_message)?.message_id : undefined;
    return this.#call('sendMessage', {
      chat_id: gated.chatId,
      text: gated.isGroup ? `${gated.user.first_name}: ${text}` : text,
      link_preview_options: { is_disabled: true },
      ...(keyboard && { reply_markup: keyboard }),
      ...(replyTo !== undefined && { reply_parameters: { message_id: replyTo, allow_sending_without_reply: true } }),
    });
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

  async #answer(text?: string, show_alert = false): Promise<void> {
    const id = this.#options.update.callback_query?.id;
    if (id === undefined) return;
    const shown = text === undefined ? {} : { text: alertText(text), show_alert };
    await this.#call('answerCallbackQuery', { callback_query_id: id, ...shown });
  }

  /** An inline query gets no results, and a button that opens the chat with the bot, where the list is. */
  #answerInline(text: string): Promise<boolean> {
    const button = { text: text.slice(0, 64), start_parameter: 'subscribe' };
    const inline_query_id = this.#options.update.inline_query?.id;
    return this.#call('answerInlineQuery', { inline_query_id, results: [], cache_time: 0, is_personal: true, button });
  }

  /** Changes the message with the pressed button. */
  async #changeList(method: string, payload: Record<string, unknown>): Promise<void> {
    const message = this.#options.update.callback_query?.message;
    if (message === undefined) return;
    await this.#call(method, { chat_id: message.chat.id, message_id: message.message_id, ...payload });
  }

  async #call(method: string, payload: Record<string, unknown>): Promise<boolean> {
    try {
      await this.#options.call(method, payload);
      return true;
    } catch (error) {
      const { description } = (error ?? {}) as { readonly description?: unknown };
      const isSame = typeof description === 'string' && description.includes('message is not modified');
      if (!isSame) this.#options.report(error);
      return isSame;
    }
  }
}
