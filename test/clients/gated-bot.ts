import assert from 'node:assert/strict';
import { Bot, type Context } from 'grammy';
import type { InlineKeyboardButton } from 'grammy/types';
import { type GateClient, type SponsorGateOptions, sponsorGate } from '../../clients/grammy/src/index.ts';
import { createClient } from '../../clients/typescript/src/index.ts';
import { eventually } from '../support/eventually.ts';
import { freshUser, type Sandbox } from '../support/sandbox.ts';

/** The real client, with a record of its calls. */
export interface CountingClient extends GateClient {
  readonly asked: number[];
  readonly confirmed: number[][];
}

export function countingClient(baseUrl: string, token: string): CountingClient {
  const client = createClient({ baseUrl, token });
  const asked: number[] = [];
  const confirmed: number[][] = [];
  return {
    asked,
    confirmed,
    getSponsors(body, options) {
      asked.push(body.user_id);
      return client.getSponsors(body, options);
    },
    confirmSubscriptions(body, options) {
      confirmed.push(body.ads_ids);
      return client.confirmSubscriptions(body, options);
    },
  };
}

/** Returns a client whose calls all fail. */
export function deadClient(error: Error = new Error('nobody is there')): CountingClient {
  const asked: number[] = [];
  return {
    asked,
    confirmed: [],
    getSponsors(body) {
      asked.push(body.user_id);
      return Promise.reject(error);
    },
    confirmSubscriptions: () => Promise.reject(error),
  };
}

export interface Seen {
  readonly messages: readonly {
    readonly from: 'person' | 'bot';
    readonly text: string;
    readonly buttons: readonly (readonly string[])[];
    readonly keyboard: readonly (readonly (InlineKeyboardButton & { url?: string })[])[];
  }[];
  readonly notice: { readonly text: string; readonly show_alert: boolean } | null;
}

/** A person who talks to one bot of the emulated Telegram. */
export class Person {
  readonly id: number;
  readonly #sandbox: Sandbox;
  readonly #bot: string;

  constructor(sandbox: Sandbox, bot: string, id: number) {
    this.#sandbox = sandbox;
    this.#bot = bot;
    this.id = id;
  }

  /** Sends a message and returns when the bot has handled it. */
  write(text: string): Promise<void> {
    return this.#sandbox.control('POST', `/persons/${this.id}/messages`, { bot: this.#bot, text });
  }

  press(button: string): Promise<void> {
    return this.#sandbox.control('POST', `/persons/${this.id}/presses`, { bot: this.#bot, button });
  }

  see(): Promise<Seen> {
    return this.#sandbox.control('GET', `/persons/${this.id}/messages?bot=${this.#bot}`);
  }

  /** Returns the bot's last message. */
  async lastMessage(): Promise<Seen['messages'][number]> {
    const last = (await this.see()).messages.filter((message) => message.from === 'bot').at(-1);
    assert.ok(last, 'the bot has written something');
    return last;
  }
}

export interface GatedBot {
  readonly token: string;
  person(user?: { language_code?: string; first_name?: string }): Promise<Person>;
  stop(): Promise<void>;
}

/**
 * Starts a real grammY bot that polls the emulator, with the gate in front of its handlers. The bot repeats each
 * message, shows a menu at /menu, and reports each press that reaches it.
 */
export async function startGatedBot(
  sandbox: Sandbox,
  options: SponsorGateOptions<Context>,
  { token, caught }: { token?: string; caught?: unknown[] } = {},
): Promise<GatedBot> {
  const created = token === undefined ? await sandbox.control('POST', '/chats', { type: 'bot', title: 'Gated' }) : {};
  const bot = new Bot(token ?? created.token, { client: { apiRoot: `${sandbox.url}/sandbox/telegram` } });
  bot.command('warmup', (ctx) => ctx.reply('warm'));
  bot.command('menu', (ctx) => ctx.reply('Menu', { reply_markup: { inline_keyboard: [[MENU_BUTTON]] } }));
  bot.use(sponsorGate(options));
  bot.command('fail', () => {
    throw new Error('a fault of the bot itself');
  });
  bot.on('message:text', (ctx) => ctx.reply(`You said: ${ctx.message.text}`));
  bot.on('callback_query:data', (ctx) => ctx.reply(`You pressed: ${ctx.callbackQuery.data}`));
  bot.catch(({ error }) => void caught?.push(error));
  await bot.init();
  const running = bot.start({ drop_pending_updates: true });
  const { username } = bot.botInfo;
  const person = (id: number): Person => new Person(sandbox, username, id);
  // Once the bot polls, the emulator returns from a write only when the bot has handled the update.
  const tester = person(freshUser());
  await eventually('the bot is polling', async () => {
    await tester.write('/warmup');
    return (await tester.see()).messages.some((message) => message.text === 'warm');
  });
  return {
    token: bot.token,
    async person(user = {}) {
      const { user_id: id } = await sandbox.control('POST', '/users', { language_code: 'en', ...user });
      return person(id);
    },
    async stop() {
      await bot.stop();
      await running;
    },
  };
}

export const MENU_BUTTON = { text: 'Order a pizza', callback_data: 'pizza' };
