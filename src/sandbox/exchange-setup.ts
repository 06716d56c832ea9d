import { randomUUID } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import type { Database } from '../core/database.ts';
import { ApiError } from '../core/errors.ts';
import { formatRubles, type Kopecks } from '../core/money.ts';
import type { Secrets } from '../core/secrets.ts';
import { type Account, deposit, findAccount, openAccount } from '../modules/accounts/index.ts';
import { type Bot, issueToken, registerBot } from '../modules/bots/index.ts';
import { changeOrderStatus, createOrder } from '../modules/orders/index.ts';
import type { Filters } from '../modules/targeting/index.ts';
import type { Emulator } from './telegram/index.ts';

export interface WorldDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly emulator: Emulator;
  readonly publisherSharePercent: number;
}

interface NewAccount {
  readonly userId?: number | undefined;
  readonly name?: string | undefined;
  readonly depositKopecks: Kopecks;
}

interface NewPublisherBot {
  readonly accountId: number;
  readonly username?: string | undefined;
  readonly beta?: boolean | undefined;
  readonly maxSponsors?: number | undefined;
  readonly roundSeconds?: number | undefined;
}

interface NewSandboxOrder {
  readonly accountId: number;
  readonly chatId: number;
  readonly name?: string | undefined;
  readonly priceKopecks: Kopecks;
  readonly quantity: number;
  readonly holdSeconds?: number | undefined;
  readonly refund?: boolean | undefined;
  readonly dailyLimit?: number | undefined;
  readonly filters?: Filters | undefined;
}

/** Makes what people would make in the management bot, with the same use cases and without the talk. */
export interface World {
  addAccount(input: NewAccount): Promise<Account>;
  addBot(input: NewPublisherBot): Promise<{ bot: Bot; token: string }>;
  addOrder(input: NewSandboxOrder): Promise<number>;
  setOrderStatus(orderId: number, to: 'active' | 'paused'): Promise<void>;
  /** The token that `addBot` gave the bot. Made from the secret key each time, since only its hash is stored. */
  tokenOf(botId: number): string;
}

const DAY_SECONDS = 24 * 60 * 60;

/** The API token of a bot made through the sandbox: derived, so that it can be shown again though only its hash is kept. */
export function sandboxToken(secrets: Secrets, botId: number): string {
  return `at_${secrets.sign('sandbox-api-token', String(botId)).toString('base64url')}`;
}

export function createWorld(deps: WorldDeps): World {
  const { db, clock, secrets, emulator } = deps;
  const tokenOf = (botId: number): string => sandboxToken(secrets, botId);

  async function requireAccount(accountId: number): Promise<Account> {
    const account = await findAccount(db, accountId);
    if (account === undefined) throw new ApiError('account_not_found', `There is no account ${accountId}.`);
    return account;
  }

  return {
    tokenOf,

    async addAccount({ userId, name = 'Sandbox account', depositKopecks }) {
      const person = userId ?? (await newPerson(emulator, name));
      const at = clock.now();
      return db.transaction(async (tx) => {
        const account = await openAccount(tx, { telegramUserId: person, name, at });
        await deposit(tx, { accountId: account.id, amountKopecks: depositKopecks, key: `sandbox:${randomUUID()}`, at });
        return account;
      });
    },

    async addBot({ accountId, username, beta = false, maxSponsors, roundSeconds }) {
      await requireAccount(accountId);
      const at = clock.now();
      return db.transaction(async (tx) => {
        const scopes = beta ? (['beta'] as const) : [];
        const name = username ?? `publisher_${accountId}_${at.getTime().toString(36)}_bot`;
        const bot = await registerBot(tx, { accountId, username: name, maxSponsors, roundSeconds, at });
        if (bot === undefined) throw new ApiError('conflict', `A bot @${name} exists already.`);
        return { bot, token: await issueToken(tx, { botId: bot.id, scopes, at, token: tokenOf(bot.id) }) };
      });
    },

    async addOrder(input) {
      const account = await requireAccount(input.accountId);
      const chat = await emulator.findChat(input.chatId);
      if (chat === undefined) throw new ApiError('chat_not_found', `There is no chat ${input.chatId} in the sandbox.`);
      const type = chat.type === 'bot' ? 'bot' : 'channel';
      const botToken = type === 'bot' ? await emulator.botToken(chat.chat_id) : undefined;
      const outcome = await db.transaction((tx) =>
        createOrder(deps, tx, {
          accountId: account.id,
          resource: { type, chatId: chat.chat_id, botToken },
          name: input.name ?? chat.title,
          title: chat.title,
          link: chat.link,
          priceKopecks: input.priceKopecks,
          quantity: input.quantity,
          holdSeconds: input.holdSeconds ?? DAY_SECONDS,
          refund: input.refund ?? true,
          dailyLimit: input.dailyLimit ?? null,
          filters: input.filters ?? {},
          status: 'active',
          at: clock.now(),
        }),
      );
      if (outcome.kind === 'owner_banned') throw new ApiError('conflict', `Account ${account.id} is banned.`);
      if (outcome.kind === 'insufficient_funds') {
        throw new ApiError(
          'insufficient_funds',
          `The order costs ${formatRubles(outcome.neededKopecks)}, the account has ${formatRubles(outcome.availableKopecks)}: deposit more.`,
        );
      }
      return outcome.orderId;
    },

    async setOrderStatus(orderId, to) {
      const outcome = await db.transaction((tx) => changeOrderStatus(tx, { orderId, to, at: clock.now() }));
      if (outcome.kind === 'not_found') throw new ApiError('order_not_found', `There is no order ${orderId}.`);
      if (outcome.kind === 'not_allowed') {
        throw new ApiError('conflict', `Order ${orderId} is ${outcome.status}: it cannot become ${to}.`);
      }
    },
  };
}

async function newPerson(emulator: Emulator, name: string): Promise<number> {
  const created = await emulator.createUser({ first_name: name });
  if (!created.ok) throw new ApiError('conflict', created.message);
  return created.value.user_id;
}
