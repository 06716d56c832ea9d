import { openDatabase } from '../../src/db/index.ts';
import { rotateToken } from '../../src/modules/bots/index.ts';
import { EVENT_TYPES } from '../../src/modules/events/index.ts';
import { createCryptoPay } from '../../src/modules/payouts/index.ts';
import { createMovableClock, type MovableClock } from '../../src/sandbox/index.ts';
import { CRYPTO_PAY_TOKEN, type CryptoPayDouble } from '../support/crypto-pay-double.ts';
import { bindPayouts, type Payouts } from '../support/money-use-cases.ts';
import type { Cluster } from './cluster.ts';
import { insist } from './outside.ts';
import type { createDraw } from './plan.ts';

export type Draw = ReturnType<typeof createDraw>;

export interface StagedBot {
  readonly botId: number;
  readonly accountId: number;
  readonly telegramUserId: number;
  /** The newest token that the campaign received. */
  token: string;
}

export interface StagedOrder {
  readonly orderId: number;
  readonly chatId: number;
  readonly owner: StagedBot;
  readonly quantity: number;
}

interface Terms {
  readonly price_per_sub: number;
  readonly quantity: number;
  readonly hold_hours?: number;
  readonly refund?: boolean;
}

/** The publishers, the advertisers and the orders of the campaign. */
export interface Stage {
  readonly publishers: readonly StagedBot[];
  readonly advertisers: readonly StagedBot[];
  /** All orders of the campaign, newest last. */
  readonly orders: readonly StagedOrder[];
  readonly payouts: Payouts;
  readonly clock: MovableClock;
  chatOf(orderId: number): number | undefined;
  freshUser(): number;
  /** Creates channels with orders, before the faults of a round begin. */
  openRound(draw: Draw): Promise<void>;
  /** Creates an order that every new user gets first. */
  openBest(): Promise<void>;
  /** Issues a new token, as an owner does in the management bot after a rotation whose reply was lost. */
  renewToken(bot: StagedBot): Promise<void>;
  close(): Promise<void>;
}

const PUBLISHERS = 3;
const ADVERTISERS = 3;
const DEPOSIT_RUBLES = 5_000_000;
/** A new order is ranked as if half of its shown tasks converted. At this price it still ranks above all others. */
const BEST_RUBLES = 60;

export async function openStage(cluster: Cluster, bank: CryptoPayDouble, receiverUrl: string): Promise<Stage> {
  const { apis } = cluster;
  const control = (path: string, body: unknown) => insist(apis, 'POST', `/sandbox${path}`, { body });
  // The campaign's own pool, behind the same proxy. It calls the use cases of the management bot directly.
  const db = openDatabase({ url: cluster.wire.url, poolSize: 4, onError: () => undefined });
  const clock = await createMovableClock(db);
  const client = createCryptoPay({ apiRoot: bank.url, token: CRYPTO_PAY_TOKEN });
  const cryptoPay = { client, asset: 'USDT' } as const;
  const payouts = bindPayouts({ db, clock, minimumKopecks: 100n, cryptoPay });

  async function newBot(deposit: number, index: number): Promise<StagedBot> {
    const account = await control('/accounts', { deposit });
    const bot = await control('/bots', {
      account_id: account.account_id,
      username: `campaign_${deposit}_${index}_bot`,
      beta: true,
      max_sponsors: 2,
      round_minutes: 5,
    });
    const token = String(bot.api_token);
    await insist(apis, 'POST', '/api/v1/webhooks', { token, body: { url: receiverUrl, events: EVENT_TYPES } });
    const [accountId, telegramUserId] = [Number(account.account_id), Number(account.user_id)];
    return { botId: Number(bot.bot_id), accountId, telegramUserId, token };
  }

  async function newOrder(owner: StagedBot, chatId: number, terms: Terms): Promise<void> {
    const { order_id } = await control('/orders', { account_id: owner.accountId, chat_id: chatId, ...terms });
    orders.push({ orderId: Number(order_id), chatId, owner, quantity: terms.quantity });
  }

  const orders: StagedOrder[] = [];
  const publishers: StagedBot[] = [];
  for (let index = 0; index < PUBLISHERS; index++) publishers.push(await newBot(0, index));
  const advertisers: StagedBot[] = [];
  for (let index = 0; index < ADVERTISERS; index++) advertisers.push(await newBot(DEPOSIT_RUBLES, index));
  await pauseDemoOrders(cluster);

  let lastUser = 6_000_000_000;

  return {
    publishers,
    advertisers,
    orders,
    payouts,
    clock,
    chatOf: (orderId) => orders.find((order) => order.orderId === orderId)?.chatId,
    freshUser: () => ++lastUser,

    async openRound(draw) {
      for (let channel = 0; channel < 3; channel++) {
        const type = channel === 2 ? 'bot' : 'channel';
        const { chat_id } = await control('/chats', { type, title: `A ${type}` });
        // Two advertisers buy for the same channel: a user may be counted once for both together.
        const owners = channel === 0 ? advertisers.slice(0, 2) : [draw.of(advertisers)];
        for (const owner of owners) {
          await newOrder(owner, Number(chat_id), {
            price_per_sub: draw.whole(200, 2_000) / 100,
            quantity: draw.whole(15, 120),
            hold_hours: draw.of([0, 1, 24]),
            refund: draw.chance(0.7),
          });
        }
      }
    },

    async openBest() {
      const [owner] = advertisers;
      if (owner === undefined) throw new Error('nobody advertises');
      const { chat_id } = await control('/chats', { type: 'channel', title: 'The best channel' });
      await newOrder(owner, Number(chat_id), { price_per_sub: BEST_RUBLES, quantity: 20 });
    },

    async renewToken(bot) {
      const renewed = await db.transaction((tx) =>
        rotateToken(tx, { botId: bot.botId, graceSeconds: 3600, at: clock.now() }),
      );
      if (renewed.kind !== 'rotated') throw new Error(`bot ${bot.botId} got no token: ${renewed.kind}`);
      bot.token = renewed.token;
    },

    async close() {
      await clock.close();
      await db.close();
    },
  };
}

async function pauseDemoOrders({ apis }: Cluster): Promise<void> {
  const state = await insist(apis, 'GET', '/sandbox/state');
  for (const order of state.orders as readonly { order_id: number; status: string }[]) {
    if (order.status === 'active') await insist(apis, 'POST', `/sandbox/orders/${order.order_id}/pause`);
  }
}
