import assert from 'node:assert/strict';
import type { Sandbox } from './sandbox.ts';

export interface SeenMessage {
  readonly message_id: number;
  readonly from: 'person' | 'bot';
  readonly text: string;
  readonly buttons: readonly (readonly string[])[];
  readonly keyboard: readonly (readonly Record<string, unknown>[])[];
  readonly photo?: true;
}

/** A person who writes to a bot of the sandbox, presses buttons by their label, and reads the messages. */
export class Person {
  readonly id: number;
  readonly #sandbox: Sandbox;
  readonly #bot: string;

  constructor(sandbox: Sandbox, id: number, bot: string) {
    this.id = id;
    this.#sandbox = sandbox;
    this.#bot = bot;
  }

  /** Creates a person who talks to the management bot. */
  static async arrive(
    sandbox: Sandbox,
    profile: { user_id?: number; first_name?: string; language_code?: string } = {},
  ): Promise<Person> {
    const { user_id: id } = await sandbox.control('POST', '/users', { first_name: 'Ivan', ...profile });
    const { management_bot: bot } = await sandbox.control('GET', '/state');
    return new Person(sandbox, id, bot);
  }

  /** Sends a message and returns when the bot has handled it. */
  async say(text: string): Promise<SeenMessage> {
    await this.#sandbox.control('POST', `/persons/${this.id}/messages`, { bot: this.#bot, text });
    return this.menu();
  }

  /** Presses the newest button whose label contains the text. `chatId` is for a button that requests a chat. */
  async press(button: string, chatId?: number): Promise<SeenMessage> {
    await this.#press(button, chatId);
    return this.menu();
  }

  async #press(button: string, chatId?: number): Promise<void> {
    const path = `/sandbox/persons/${this.id}/presses`;
    const chat = chatId === undefined ? {} : { chat_id: chatId };
    const answer = await this.#sandbox.call('POST', path, { bot: this.#bot, button, ...chat });
    if (answer.status !== 204) {
      const { text, buttons } = await this.menu();
      assert.fail(`no button “${button}” under “${text}” (${answer.status}): ${JSON.stringify(buttons)}`);
    }
  }

  /** Sends any callback data as if a button of the newest menu had it, as a modified client can. */
  async forge(data: string): Promise<SeenMessage> {
    await this.#sandbox.control('POST', `/persons/${this.id}/presses`, { bot: this.#bot, data });
    return this.menu();
  }

  /** Returns whether the person still sees the spinner of the last press. */
  async isWaiting(): Promise<boolean> {
    return (await this.#seen()).is_waiting;
  }

  /** Presses the buttons one after the other and returns the last menu. */
  async go(...buttons: readonly string[]): Promise<SeenMessage> {
    for (const button of buttons) await this.#press(button);
    return this.menu();
  }

  /** Returns the buttons of the reply keyboard, with the chats that a button requests. */
  async below(): Promise<{ text: string; chats?: { chat_id: number; title: string }[] }[]> {
    return (await this.#seen()).reply_keyboard.flat();
  }

  async messages(): Promise<SeenMessage[]> {
    return (await this.#seen()).messages;
  }

  /** Returns the toast or alert for the last press. */
  async notice(): Promise<{ text: string; show_alert: boolean } | null> {
    return (await this.#seen()).notice;
  }

  /** Returns the newest message of the bot. Skips notices, because one can arrive between a press and its response. */
  async menu(): Promise<SeenMessage> {
    const menu = (await this.messages()).filter((message) => message.from === 'bot' && !isNotice(message)).at(-1);
    assert.ok(menu !== undefined, 'the bot has said nothing');
    return menu;
  }

  /**
   * Forwards a message of another sender: a bot by its username, a person by id, or only a name for a hidden account.
   */
  async forward(text: string, from: string | number | { name: string }): Promise<SeenMessage> {
    const origin = typeof from === 'object' ? { forward_from_name: from.name } : { forward_from: from };
    await this.#sandbox.control('POST', `/persons/${this.id}/messages`, { bot: this.#bot, text, ...origin });
    return this.menu();
  }

  async #seen(): Promise<{
    messages: SeenMessage[];
    reply_keyboard: { text: string; chats?: { chat_id: number; title: string }[] }[][];
    notice: { text: string; show_alert: boolean } | null;
    is_waiting: boolean;
  }> {
    return this.#sandbox.control('GET', `/persons/${this.id}/messages?bot=${this.#bot}`);
  }
}

const isNotice = ({ buttons }: SeenMessage): boolean =>
  buttons.flat().some((label) => label === '🔕 Не сообщать об этом' || label === '🔕 Do not tell me about this');

/** Replaces non-breaking spaces, so that tests can compare texts that contain ordinary spaces. */
export const plain = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ');
