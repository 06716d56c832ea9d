import { formatTimestamp } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import { toRubles } from '../../core/money.ts';
import { readFunds } from '../accounts/index.ts';
import { listBotsOfAccount } from '../bots/index.ts';
import { hold, readBalances } from '../ledger/index.ts';
import { conversionPercent, findOrders, listOrdersOfAccount, readProgress, subscribersOf } from '../orders/index.ts';
import { taskStatus } from '../tasks/index.ts';
import { botTotals, latestOfBot, latestOfOrder, type SubscriptionRecord } from './store.ts';

/** How many of the latest subscriptions a report shows. */
const LATEST = 100;

export async function reportBalance(db: Queryable, accountId: number) {
  const [funds, balanceOf, bots] = await Promise.all([
    readFunds(db, accountId),
    readBalances(db, [hold(accountId)]),
    listBotsOfAccount(db, accountId),
  ]);
  return {
    balance: toRubles(funds.availableKopecks),
    hold_balance: toRubles(balanceOf(hold(accountId))),
    withdrawable: toRubles(funds.withdrawableKopecks),
    bots_info: bots.map((bot) => ({ bot_id: bot.id, bot_username: bot.username, is_active: bot.isActive })),
  };
}

export async function reportBots(db: Queryable, accountId: number) {
  const bots = await botTotals(db, accountId);
  return {
    bots: bots.map((bot) => ({
      bot_id: bot.botId,
      bot_username: bot.username,
      is_active: bot.isActive,
      total_subscribers: bot.subscribers,
      revenue: toRubles(bot.revenueKopecks),
    })),
  };
}

/** Returns the report of a bot, or undefined if the account has no such bot. */
export async function reportBot(db: Queryable, accountId: number, botId: number) {
  const bot = (await listBotsOfAccount(db, accountId)).find(({ id }) => id === botId);
  if (bot === undefined) return undefined;
  return { bot: bot.username, subscriptions: (await latestOfBot(db, botId, LATEST)).map(presentRecord) };
}

export async function reportOrders(db: Queryable, accountId: number) {
  const orders = await listOrdersOfAccount(db, accountId);
  const ids = orders.map((order) => order.id);
  const progress = await readProgress(db, ids);
  return {
    orders: orders.flatMap((order) => {
      const counters = progress.get(order.id);
      if (counters === undefined) return [];
      return {
        order_id: order.id,
        name: order.name,
        status: order.status,
        price_per_sub: toRubles(order.priceKopecks),
        subscribers: subscribersOf(counters),
        cr_pct: conversionPercent(counters),
        spent: toRubles(counters.spentKopecks),
      };
    }),
  };
}

/** Returns the report of an order, or undefined if the account has no such order, even if another account has it. */
export async function reportOrder(db: Queryable, accountId: number, orderId: number) {
  const [order] = await findOrders(db, [orderId]);
  if (order === undefined || order.accountId !== accountId) return undefined;
  return { order: order.name, subscriptions: (await latestOfOrder(db, orderId, LATEST)).map(presentRecord) };
}

function presentRecord(record: SubscriptionRecord) {
  const status = taskStatus(record.state);
  return {
    user_id: record.userId,
    order_id: record.orderId,
    status,
    amount: status === 'notgetted' ? 0 : toRubles(record.rewardKopecks),
    created_at: formatTimestamp(record.confirmedAt),
  };
}
