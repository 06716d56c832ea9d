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

/** Somebody who talks to a bot of the sandbox: writes, presses buttons by their label, and reads what is there. */
export class Person {
  readonly id: number;
  readonly #sandbox: Sandbox;
  readonly #bot: string;

  constructor(sandbox: Sandbox, id: number, bot: string) {
    this.id = id;
    this.#sandbox = sandbox;
    this.#bot = bot;
  }

  /** A new person who talks to the management bot. */
  static async arrive(
    sandbox: Sandbox,
    profile: { user_id?: number; first_name?: string; language_code?: string } = {},
  ): Promise<Person> {
    const { user_id: id } = await sandbox.control('POST', '/users', { first_name: 'Ivan', ...profile });
    const { management_bot: bot } = await sandbox.control('GET', '/state');
    return new Person(sandbox, id, bot);
  }

  /** Writes to the bot; answers when the bot has handled it. */
  async say(text: string): Promise<SeenMessage> {
    await this.#sandbox.control('POST', `/persons/${this.id}/messages`, { bot: this.#bot, text });
    return this.menu();
  }

  /** Presses the newest button whose label contains the text; one that asks for a chat is given one. */
  async press(button: string, chatId?: number): Promise<SeenMessage> {
    const path = `/sandbox/persons/${this.id}/presses`;
    const chat = chatId === undefined ? {} : { chat_id: chatId };
    const answer = await this.#sandbox.call('POST', path, { bot: this.#bot, button, ...chat });
    if (answer.status !== 204) {
      const { text, buttons } = await this.menu();
      assert.fail(`no button “${button}” under “${text}” (${answer.status}): ${JSON.stringify(buttons)}`);
    }
    return this.menu();
  }

  /** What a client that was tampered with can do: sends any data as if a button of the newest menu had it. */
  async forge(data: string): Promise<SeenMessage> {
    await this.#sandbox.control('POST', `/persons/${this.id}/presses`, { bot: this.#bot, data });
    return this.menu();
  }

  /** Whether the last press was answered: until then the person sees a spinner. */
  async isWaiting(): Promise<boolean> {
    return (await this.#seen()).is_waiting;
  }

  /** Presses one button after the other; answers what is there at the end. */
  async go(...buttons: readonly string[]): Promise<SeenMessage> {
    for (const button of buttons) await this.press(button);
    return this.menu();
  }

  /** The labels below the input field, with the chats that a button asks for. */
  async below(): Promise<{ text: string; chats?: { chat_id: number; title: string }[] }[]> {
    return (await this.#seen()).reply_keyboard.flat();
  }

  async messages(): Promise<SeenMessage[]> {
    return (await this.#seen()).messages;
  }

  /** What flew over the chat in answer to the last press. */
  async notice(): Promise<{ text: string; show_alert: boolean } | null> {
    return (await this.#seen()).notice;
  }

  /** The newest message of the bot. A notice is none: it may come at any moment, between a press and its answer. */
  async menu(): Promise<SeenMessage> {
    const menu = (await this.messages()).filter((message) => message.from === 'bot' && !isNotice(message)).at(-1);
    assert.ok(menu !== undefined, 'the bot has said nothing');
    return menu;
  }

  /** Forwards what another one wrote: a bot by its username, a person by their id, or a name when they show no more. */
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

/** Spaces that do not break look like spaces to people, and so they do to the tests. */
export const plain = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ');
