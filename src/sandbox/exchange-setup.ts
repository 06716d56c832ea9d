import { randomUUID } from 'node:crypto';
import type { Static } from 'typebox';
import type { Clock } from '../core/clock.ts';
import type { Database } from '../core/database.ts';
import { ApiError } from '../core/errors.ts';
import { formatRubles, type Kopecks, parseRubles } from '../core/money.ts';
import type { Secrets } from '../core/secrets.ts';
import { type Account, deposit, findAccount, openAccount } from '../modules/accounts/index.ts';
import { issueToken, registerBot } from '../modules/bots/index.ts';
import { changeOrderStatus, createOrder } from '../modules/orders/index.ts';
import type { Filters } from '../modules/targeting/index.ts';
import type { NewAccountBody, NewBotBody, NewOrderBody } from './exchange-schemas.ts';
import type { Emulator } from './telegram/index.ts';

export interface ExchangeSetupDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly emulator: Emulator;
  readonly publisherSharePercent: number;
}

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

    async addAccount({ user_id, name = 'Sandbox account', deposit: rubles = 0 }: Static<typeof NewAccountBody>) {
      const amountKopecks = kopecksOf('deposit', rubles);
      const telegramUserId = user_id ?? (await emulator.createUser({ first_name: name })).user_id;
      const at = clock.now();
      return db.transaction(async (tx) => {
        const account = await openAccount(tx, { telegramUserId, name, at });
        await deposit(tx, { accountId: account.id, amountKopecks, key: `sandbox:${randomUUID()}`, at });
        return account;
      });
    },

    async addBot({ account_id: accountId, username, beta, max_sponsors, round_minutes }: Static<typeof NewBotBody>) {
      await requireAccount(accountId);
      const at = clock.now();
      const settings = {
        maxSponsors: max_sponsors,
        roundSeconds: round_minutes === undefined ? undefined : round_minutes * 60,
      };
      return db.transaction(async (tx) => {
        const scopes = beta ? (['beta'] as const) : [];
        const name = username ?? `publisher_${accountId}_${at.getTime().toString(36)}_bot`;
        const bot = await registerBot(tx, { accountId, username: name, ...settings, at });
        if (bot === undefined) throw new ApiError('conflict', `A bot @${name} exists already.`);
        return { bot, token: await issueToken(tx, { botId: bot.id, scopes, at, token: tokenOf(bot.id) }) };
      });
    },

    async addOrder(input: Static<typeof NewOrderBody>) {
      const priceKopecks = kopecksOf('price_per_sub', input.price_per_sub);
      const account = await requireAccount(input.account_id);
      const chat = await emulator.findChat(input.chat_id);
      if (chat === undefined) throw new ApiError('chat_not_found', `There is no chat ${input.chat_id} in the sandbox.`);
      const type = chat.type === 'bot' ? 'bot' : 'channel';
      const botToken = type === 'bot' ? await emulator.botToken(chat.chat_id) : undefined;
      const outcome = await db.transaction((tx) =>
        createOrder(deps, tx, {
          accountId: account.id,
          resource: { type, chatId: chat.chat_id, botToken },
          name: input.name ?? chat.title,
          title: chat.title,
          link: chat.link,
          priceKopecks,
          quantity: input.quantity,
          holdSeconds: Math.round((input.hold_hours ?? 24) * 3600),
          refund: input.refund ?? true,
          dailyLimit: input.daily_limit ?? null,
          filters: (input.filters ?? {}) as Filters,
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

function kopecksOf(field: string, rubles: number): Kopecks {
  const amount = parseRubles(rubles);
  if (amount !== undefined) return amount;
  const message = 'must be rubles with at most two decimals';
  throw new ApiError('validation_failed', `${field} ${message}.`, { fields: [{ field, message }] });
}
