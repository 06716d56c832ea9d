/**
 * The service's use cases on a database of their own, with a clock that the simulation moves and a Telegram in memory
 * that answers membership checks.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Config, readConfig } from '../../src/config.ts';
import type { Clock } from '../../src/core/clock.ts';
import { createSecrets } from '../../src/core/secrets.ts';
import type { OpenDatabase } from '../../src/db/index.ts';
import { deposit, openAccount } from '../../src/modules/accounts/index.ts';
import { type Bot, registerBot } from '../../src/modules/bots/index.ts';
import { createConnectionBook, openCases } from '../../src/modules/cases/index.ts';
import { createDevices, type Devices } from '../../src/modules/devices/index.ts';
import { approvePayout } from '../../src/modules/operators/index.ts';
import { createOrder, createOrderBook, type OrderBook } from '../../src/modules/orders/index.ts';
import { requestPayout } from '../../src/modules/payouts/index.ts';
import { createQualityBook, scoreSources } from '../../src/modules/quality/index.ts';
import { createTaskFlow, type MembershipChecker, type TaskFlow } from '../../src/modules/tasks/index.ts';
import type { MarketPlan, PlannedAdvertiser, PlannedBot, PlannedOwner } from './market.ts';

export interface MarketOrder {
  readonly id: number;
  readonly chatId: number;
  readonly advertiser: PlannedAdvertiser;
}

export interface MarketBot {
  readonly bot: Bot;
  readonly plan: PlannedBot;
}

const OPERATOR_ID = 1;
/** The link of a task that leads to the human check. */
export const CHECK_LINK = 'https://t.me/market_bot?startapp=check';

export interface World {
  readonly db: OpenDatabase;
  readonly config: Config;
  readonly clock: Clock;
  readonly flow: TaskFlow;
  readonly devices: Devices;
  readonly book: OrderBook;
  readonly telegram: MemoryTelegram;
  readonly bots: readonly MarketBot[];
  /** By id. */
  readonly orders: ReadonlyMap<number, MarketOrder>;
  /** Milliseconds that each job took so far. */
  readonly jobMs: ReadonlyMap<string, number>;
  /** The destination of an account's payouts. */
  readonly paymentAddress: ReadonlyMap<number, string>;
  /** The jobs that run every hour or more often, at the world's time. */
  runJobs(): Promise<void>;
  /**
   * Asks for a payout, which an operator approves at once unless a case of the account waits. Returns `done` when the
   * money may leave.
   */
  requestPayout(accountId: number, amountKopecks: bigint): Promise<string>;
  setTime(at: number): void;
  /** Runs work at another time than the world's, such as one visit within a step. */
  at<T>(time: number, work: () => Promise<T>): Promise<T>;
}

/** Who is in which chat. */
interface MemoryTelegram {
  join(chatId: number, userId: number): void;
  leave(chatId: number, userId: number): void;
  isMember(chatId: number, userId: number): boolean;
  /** Whether the user is or was a member. */
  wasMember(chatId: number, userId: number): boolean;
}

function createTelegram(): MemoryTelegram {
  const members = new Map<number, Map<number, boolean>>();
  const of = (chatId: number): Map<number, boolean> => {
    const found = members.get(chatId) ?? new Map<number, boolean>();
    members.set(chatId, found);
    return found;
  };
  return {
    join: (chatId, userId) => void of(chatId).set(userId, true),
    leave: (chatId, userId) => void of(chatId).set(userId, false),
    isMember: (chatId, userId) => of(chatId).get(userId) === true,
    wasMember: (chatId, userId) => of(chatId).has(userId),
  };
}

function checkerOf(telegram: MemoryTelegram): MembershipChecker {
  const check: MembershipChecker['check'] = async ({ chatId }, userId) =>
    telegram.isMember(chatId, userId) ? 'member' : 'left';
  return { check, checkKnownMember: check, checkIfAffordable: check, checkInTurn: check };
}

/** Creates the accounts, bots and orders of a plan. The database has the schema and no rows. */
export async function openWorld(db: OpenDatabase, plan: MarketPlan, start: number): Promise<World> {
  const config = readConfig({});
  const times = new AsyncLocalStorage<number>();
  let time = start;
  const clock: Clock = { now: () => new Date(times.getStore() ?? time) };
  const secrets = createSecrets('market-simulation'.padEnd(64, '.'));
  const book = createOrderBook(db, clock);
  const telegram = createTelegram();
  const quality = createQualityBook(db, config.quality);
  const review = {
    isScoring: config.quality.isOn,
    db,
    clock,
    operatorIds: new Set<number>(),
    payoutReviewAboveKopecks: config.payoutReviewAboveKopecks,
  };
  const connections = createConnectionBook(db);
  const checkStrength = config.humanCheck?.strength ?? 60;
  const devices = createDevices({
    db,
    clock,
    secrets,
    storesMarks: true,
    checkStrength,
    initDataSeconds: 24 * 3600,
    onIgnored: (reason) => {
      throw new Error(`the service ignored a device of the market: ${reason}`);
    },
    onError: (error) => {
      throw error;
    },
  });
  const flow = createTaskFlow({
    db,
    clock,
    book,
    secrets,
    membershipChecker: checkerOf(telegram),
    reservationSeconds: config.reservationSeconds,
    reservationsOfNewBot: config.reservationsOfNewBot,
    operatorIds: new Set(),
    candidateCheckMs: config.candidateCheckMs,
    unknownCharge: config.unknownCharge,
    quality,
    connections,
    userLimits: config.userLimits,
    personalLink: () => 'https://example.org/l/1',
    humanCheck: { strength: checkStrength, link: () => CHECK_LINK },
  });

  const payouts = { db, clock, minimumKopecks: config.payoutMinimumKopecks, cryptoPay: undefined };

  const accounts = new Map<string, number>();
  const paymentAddress = new Map<number, string>();
  const openOwner = async (name: string): Promise<number> => {
    const known = accounts.get(name);
    if (known !== undefined) return known;
    const telegramUserId = 900_000_000 + accounts.size;
    const { id } = await db.transaction((tx) => openAccount(tx, { telegramUserId, name, at: clock.now() }));
    accounts.set(name, id);
    const { paymentAddress: address }: PlannedOwner = plan.owners.get(name) ?? {};
    paymentAddress.set(id, address ?? `card of ${name}`);
    return id;
  };

  const orders = new Map<number, MarketOrder>();
  for (const advertiser of plan.advertisers) {
    const accountId = await openOwner(advertiser.name);
    await db.transaction((tx) =>
      deposit(tx, { accountId, amountKopecks: 10_000_000_000n, key: `market:${accountId}`, at: clock.now() }),
    );
    for (const { priceRubles, dailyLimit, languages } of advertiser.orders) {
      const chatId = -1_008_000_000_000 - orders.size;
      const name = `Channel ${orders.size}`;
      const outcome = await db.transaction((tx) =>
        createOrder({ secrets, publisherSharePercent: config.publisherSharePercent }, tx, {
          accountId,
          resource: { type: 'channel', chatId },
          name,
          title: name,
          link: `https://t.me/channel_${orders.size}`,
          priceKopecks: BigInt(Math.round(priceRubles * 100)),
          quantity: 20_000,
          holdSeconds: 24 * 3600,
          refund: true,
          dailyLimit,
          ...(languages !== undefined && { filters: { languages: [...languages] } }),
          status: 'active',
          at: clock.now(),
        }),
      );
      if (outcome.kind !== 'created') throw new Error(`an order of ${advertiser.name} was refused: ${outcome.kind}`);
      orders.set(outcome.orderId, { id: outcome.orderId, chatId, advertiser });
    }
  }

  const bots: MarketBot[] = [];
  for (const planned of plan.bots) {
    const accountId = await openOwner(planned.owner);
    const username = `${planned.name.replaceAll('-', '_')}_bot`;
    const bot = await db.transaction((tx) => registerBot(tx, { accountId, username, at: clock.now() }));
    if (bot === undefined) throw new Error(`the username ${username} is taken`);
    bots.push({ bot, plan: planned });
  }
  await book.reloadAll();
  const jobMs = new Map<string, number>();
  const timed = async (job: string, work: () => Promise<unknown>): Promise<void> => {
    const begin = performance.now();
    await work();
    jobMs.set(job, (jobMs.get(job) ?? 0) + performance.now() - begin);
  };
  const world: World = {
    db,
    config,
    clock,
    flow,
    devices,
    book,
    telegram,
    bots,
    orders,
    jobMs,
    paymentAddress,
    async runJobs() {
      await timed('expire', () => flow.expireTasks());
      await timed('settle', () => flow.settleDue());
      await timed('check stays', () => flow.checkStays(config.quality.samplePercent));
      await timed('score', () => scoreSources({ db, clock, settings: config.quality, checkStrength }));
      await timed('reload', () => quality.reload());
      await timed('cases', () => openCases(review, new AbortController().signal));
      await timed('connections', () => connections.reload());
    },
    async requestPayout(accountId, amountKopecks) {
      const requested = await requestPayout(payouts, {
        accountId,
        key: `market:${clock.now().getTime()}`,
        amountKopecks,
        method: 'manual',
        destination: paymentAddress.get(accountId) ?? 'card',
      });
      if (requested.kind !== 'requested') return requested.kind;
      const outcome = await approvePayout(review, { payoutId: requested.payout.id, operatorId: OPERATOR_ID });
      return outcome.kind;
    },
    setTime: (at) => {
      time = at;
    },
    at: (moment, work) => times.run(moment, work),
  };
  // An advertiser shows a payment address only by a payout.
  for (const { name } of plan.advertisers) {
    const accountId = accounts.get(name);
    if (accountId === undefined || plan.owners.get(name)?.paymentAddress === undefined) continue;
    await world.requestPayout(accountId, config.payoutMinimumKopecks);
  }
  await connections.reload();
  return world;
}
