import { randomUUID } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import type { Database } from '../core/database.ts';
import { ApiError } from '../core/errors.ts';
import { formatRubles, type Kopecks } from '../core/money.ts';
import type { Secrets } from '../core/secrets.ts';
import { type Account, deposit, findAccount, openAccount } from '../modules/accounts/index.ts';
import { issueToken, registerBot } from '../modules/bots/index.ts';
import { changeOrderStatus, createOrder } from '../modules/orders/index.ts';
import type { Filters } from '../modules/targeting/index.ts';
import type { Emulator } from './telegram/index.ts';

export interface ExchangeSetupDeps {
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

const DAY_SECONDS = 24 * 60 * 60;

/** Returns the API token of a bot that the sandbox created. It is derived, because the database stores only its hash. */
export function sandboxToken(secrets: Secrets, botId: number): string {
  return `at_${secrets.sign('sandbox-api-token', String(botId)).toString('base64url')}`;
}

export type ExchangeSetup = ReturnType<typeof createExchangeSetup>;

/** Creates accounts, bots and orders with the use cases that the management bot calls. */
export function createExchangeSetup(deps: ExchangeSetupDeps) {
  const { db, clock, secrets, emulator } = deps;
  const tokenOf = (botId: number): string => sandboxToken(secrets, botId);

  async function requireAccount(accountId: number): Promise<Account> {
    const account = await findAccount(db, accountId);
    if (account === undefined) throw new ApiError('account_not_found', `There is no account ${accountId}.`);
    return account;
  }

  return {
    tokenOf,

    async addAccount({ userId, name = 'Sandbox account', depositKopecks }: NewAccount) {
      const telegramUserId = userId ?? (await emulator.createUser({ first_name: name })).user_id;
      const at = clock.now();
      return db.transaction(async (tx) => {
        const account = await openAccount(tx, { telegramUserId, name, at });
        await deposit(tx, { accountId: account.id, amountKopecks: depositKopecks, key: `sandbox:${randomUUID()}`, at });
        return account;
      });
    },

    async addBot({ accountId, username, beta = false, maxSponsors, roundSeconds }: NewPublisherBot) {
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

    async addOrder(input: NewSandboxOrder) {
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

    async setOrderStatus(orderId: number, to: 'active' | 'paused') {
      const outcome = await db.transaction((tx) => changeOrderStatus(tx, { orderId, to, at: clock.now() }));
      if (outcome.kind === 'not_found') throw new ApiError('order_not_found', `There is no order ${orderId}.`);
      if (outcome.kind === 'not_allowed') {
        throw new ApiError('conflict', `Order ${orderId} is ${outcome.status}: it cannot become ${to}.`);
      }
    },
  };
}
