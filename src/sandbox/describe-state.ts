import { type Clock, formatTimestamp } from '../core/clock.ts';
import type { Database } from '../core/database.ts';
import { toRubles } from '../core/money.ts';
import { listAccounts } from '../modules/accounts/index.ts';
import { createTokenCache, listBots } from '../modules/bots/index.ts';
import { available, escrow, hold, readBalances } from '../modules/ledger/index.ts';
import { listOrders, readProgress } from '../modules/orders/index.ts';
import type { ExchangeSetup } from './exchange-setup.ts';
import type { Emulator } from './telegram/index.ts';

/** A person reads the result, and a load test creates a million rows, so it is limited. */
const SHOWN = 1_000;

export interface DescribeDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly emulator: Emulator;
  readonly setup: ExchangeSetup;
  readonly managementBot: string;
}

/** Returns the body of `GET /sandbox/state`. */
export async function describeState(deps: DescribeDeps) {
  const { db, emulator } = deps;
  const [accounts, bots, orders, { users, chats }] = await Promise.all([
    describeAccounts(db, SHOWN),
    describeBots(deps),
    describeOrders(db, SHOWN),
    emulator.snapshot(),
  ]);
  const now = formatTimestamp(deps.clock.now());
  return { now, management_bot: deps.managementBot, accounts, bots, orders, users, chats };
}

export async function describeAccounts(db: Database, limit: number) {
  const accounts = await listAccounts(db, limit);
  const balanceOf = await readBalances(
    db,
    accounts.flatMap(({ id }) => [available(id), hold(id)]),
  );
  return accounts.map(({ id, telegramUserId, name }) => ({
    account_id: id,
    user_id: telegramUserId,
    name,
    balance: toRubles(balanceOf(available(id))),
    hold_balance: toRubles(balanceOf(hold(id))),
  }));
}

/** Shows a token only while it works. After a rotation the sandbox cannot derive the new one. */
async function describeBots({ db, clock, setup }: DescribeDeps) {
  const directory = createTokenCache(db, clock);
  const bots = await listBots(db, SHOWN);
  return Promise.all(
    bots.map(async (bot) => {
      const token = setup.tokenOf(bot.id);
      const holder = await directory.find(token);
      return {
        bot_id: bot.id,
        bot_username: bot.username,
        account_id: bot.accountId,
        is_active: bot.isActive,
        api_token: holder?.bot.id === bot.id ? token : null,
      };
    }),
  );
}

export async function describeOrders(db: Database, limit: number) {
  const orders = await listOrders(db, limit);
  const ids = orders.map((order) => order.id);
  const [progress, escrowOf] = await Promise.all([readProgress(db, ids), readBalances(db, ids.map(escrow))]);
  return orders.map((order) => {
    const counters = progress.get(order.id);
    return {
      order_id: order.id,
      account_id: order.accountId,
      chat_id: order.resource.chatId,
      name: order.name,
      status: order.status,
      resource_type: order.resource.type,
      price_per_sub: toRubles(order.priceKopecks),
      charge_per_sub: toRubles(order.chargeKopecks),
      reward_per_sub: toRubles(order.rewardKopecks),
      quantity: order.quantity,
      subscribers: counters?.countedCount ?? 0,
      reserved: counters?.reservedCount ?? 0,
      escrow: toRubles(escrowOf(escrow(order.id))),
    };
  });
}
