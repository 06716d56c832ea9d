import type { FastifyPluginAsync } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { systemClock } from '../core/clock.ts';
import { clip } from '../core/html.ts';
import type { OpenDatabase } from '../db/index.ts';
import { type Gate, openApiRoutes, type RateLimiter } from '../http/index.ts';
import type { Job } from '../jobs/index.ts';
import { createLedgerWatch, createMetrics, type Metrics } from '../metrics/index.ts';
import { createTokenCache, type TokenCache } from '../modules/bots/index.ts';
import { tokenRoutes } from '../modules/bots/routes.ts';
import { sendBroadcasts } from '../modules/broadcasts/index.ts';
import { type ContestDeps, createLiveStandings, finishContests } from '../modules/contests/index.ts';
import { contestRoutes } from '../modules/contests/routes.ts';
import { forgetOldEvents } from '../modules/events/index.ts';
import { linkApiRoutes } from '../modules/links/api-routes.ts';
import { createSmartLinks, geoDatabases, openLocator, type SmartLinks } from '../modules/links/index.ts';
import { linkRoutes } from '../modules/links/routes.ts';
import { recordNotices } from '../modules/notices/index.ts';
import { createOrderBook, type OrderBook } from '../modules/orders/index.ts';
import { orderRoutes } from '../modules/orders/routes.ts';
import { createCryptoPay, type PayoutDeps, reconcileInvoices, sendApprovedPayouts } from '../modules/payouts/index.ts';
import { cryptoPayWebhook, payoutRoutes } from '../modules/payouts/routes.ts';
import { forgetSessions } from '../modules/sessions/index.ts';
import { closePlatformDays } from '../modules/statistics/index.ts';
import { balanceRoutes, platformStatsRoutes, statisticRoutes } from '../modules/statistics/routes.ts';
import { confirmRoutes } from '../modules/tasks/confirm/routes.ts';
import { createTaskFlow, postbackSecret, type TaskFlow } from '../modules/tasks/index.ts';
import { POSTBACK_PATH, postbackRoutes } from '../modules/tasks/settle/postback-routes.ts';
import { showRoutes } from '../modules/tasks/show/routes.ts';
import { createDeliverer, createSender, type Deliverer } from '../modules/webhooks/index.ts';
import { webhookRoutes } from '../modules/webhooks/routes.ts';
import {
  type ChatMigration,
  createBotApi,
  createBroadcastPost,
  createBudgetPerBot,
  createChatFollower,
  createCheckBudget,
  createFloodWaits,
  createMembershipChecker,
  createResourceResolver,
  createServiceBot,
  learnProfiles,
  managementBot,
  migrateChat,
  recordChatAccess,
  type ServiceBot,
  sendNotices,
} from '../telegram/index.ts';
import { consoleRoutes } from '../web/console/index.ts';
import { miniAppRoutes } from '../web/mini-app/index.ts';
import { forgetOldJob } from './forget-old.ts';
import type { Mode } from './mode.ts';
import { SERVICE_VERSION } from './version.ts';

export interface Ground {
  readonly config: Config;
  readonly db: OpenDatabase;
  readonly mode: Mode;
  readonly limiter: RateLimiter;
  /** Where limits are shared; absent when each process counts alone. */
  readonly redis: { readonly isUp: boolean } | undefined;
  readonly log: Logger;
  /** Where others reach us; known only once the server listens. */
  readonly publicUrl: () => string;
}

/** The service put together and not yet started. */
export interface Assembly {
  readonly gate: Gate;
  readonly tokens: TokenCache;
  readonly book: OrderBook;
  readonly flow: TaskFlow;
  readonly links: SmartLinks;
  readonly deliverer: Deliverer;
  readonly metrics: Metrics;
  /** What the role `bot` answers with. */
  readonly bot: ServiceBot;
  /** What the role `api` serves. */
  readonly routes: {
    readonly publicRoutes: readonly FastifyPluginAsync[];
    readonly tokenRoutes: readonly FastifyPluginAsync[];
    readonly queryTokenRoutes: readonly FastifyPluginAsync[];
    readonly unguardedRoutes: readonly FastifyPluginAsync[];
  };
  /** What the role `worker` does from time to time. */
  readonly jobs: readonly Job[];
  /** Timed work that has nothing to do with what is due: a moved clock does not call for it. */
  readonly watches: readonly Job[];
  /** All of that at once, for a clock that was moved. */
  runDueWork(): Promise<void>;
  drain(): Promise<void>;
}

const INIT_DATA_SECONDS = 24 * 60 * 60;
const PERSONAL_LINK_SECONDS = 72 * 60 * 60;
/** How long a moved clock waits for receivers of webhooks. */
const DELIVER_WITHIN_MS = 10_000;

export async function assemble({ config, db, mode, limiter, redis, log, publicUrl }: Ground): Promise<Assembly> {
  const { clock, secrets } = mode;
  const tokens = createTokenCache(db, clock);
  const book = createOrderBook(db, clock);
  const floods = createFloodWaits(clock);
  mode.onFaultsCleared?.(floods.forgetAll);
  const metrics = createMetrics({
    version: SERVICE_VERSION,
    machineClock: systemClock,
    db,
    clock,
    book,
    floods,
    redis,
  });
  const recordMigration = (migration: ChatMigration): Promise<void> => migrateChat({ db, clock, log }, migration);
  const api = createBotApi({
    apiRoot: mode.apiRoot,
    token: mode.botToken,
    onCall: metrics.telegramCalled,
    onMigration: recordMigration,
  });
  const budget = createCheckBudget(config.checksPerSecond);
  const turns =
    mode.settlementChecksPerSecond === undefined ? budget : createCheckBudget(mode.settlementChecksPerSecond);

  const hasCityData = geoDatabases().some(({ name, isPresent }) => name === 'city' && isPresent);
  const links = createSmartLinks({
    db,
    clock,
    secrets,
    locator: await openLocator(),
    botToken: mode.botToken,
    initDataSeconds: INIT_DATA_SECONDS,
    personalLinkSeconds: PERSONAL_LINK_SECONDS,
    resolveOrderUrl: async (orderId) => (await book.lookup([orderId])).get(orderId)?.link,
    onError: (err) => log.warn({ err }, 'smart link'),
  });
  const flow = createTaskFlow({
    db,
    clock,
    book,
    secrets,
    membershipChecker: createMembershipChecker({
      api,
      secrets,
      budget,
      budgetOfBot: createBudgetPerBot(config.checksPerSecond),
      turns,
      floods,
    }),
    reservationSeconds: config.reservationSeconds,
    reservationsOfNewBot: config.reservationsOfNewBot,
    operatorIds: new Set(config.operatorIds),
    candidateCheckMs: config.candidateCheckMs,
    unknownCharge: config.unknownCharge,
    personalLink: (task) => `${publicUrl()}${links.personalTaskPath(task)}`,
    onFlush: metrics.flushed,
  });
  const payouts: PayoutDeps = {
    db,
    clock,
    minimumKopecks: config.payoutMinimumKopecks,
    cryptoPay: config.cryptoPay && { client: createCryptoPay(config.cryptoPay), asset: config.cryptoPay.asset },
  };
  const scoring = { minimumPriceKopecks: config.contestMinimumPriceKopecks };
  const contests: ContestDeps = {
    db,
    clock,
    ...scoring,
    needsApproval: config.approvesContests,
    liveStandings: createLiveStandings({ db, clock, ...scoring }),
  };
  const sender = createSender({ allowLoopback: mode.allowsLoopback });
  const deliverer = createDeliverer({
    db,
    clock,
    secrets,
    send: sender.send,
    onDisabled: ({ id, accountId, url }) =>
      db.transaction((tx) =>
        recordNotices(
          tx,
          [{ accountId, kind: 'webhook_disabled', data: { webhook_id: id, url: clip(url, 500) } }],
          clock.now(),
        ),
      ),
    onError: (err) => log.warn({ err }, 'webhooks'),
    onAttempt: metrics.webhookAttempted,
  });

  const resolver = createResourceResolver(api);
  const postbackOf = (orderId: number) => ({
    url: `${publicUrl()}${POSTBACK_PATH}`,
    secret: postbackSecret(secrets, orderId),
  });
  const follower = createChatFollower({ db, clock, api, budget: turns, log, loseAccess: flow.loseAccess });
  const bot = createServiceBot({
    token: mode.botToken,
    apiRoot: mode.apiRoot,
    clock,
    recordMembership: flow.recordMembership,
    onCall: metrics.telegramCalled,
    recordChatAccess: (change) => recordChatAccess({ db, clock, api, loseAccess: flow.loseAccess }, change),
    recordMigration,
    noticeChat: follower.noticed,
    management: managementBot({
      db,
      clock,
      secrets,
      log,
      api,
      tokens,
      flow,
      payouts,
      contests,
      resolver,
      operatorIds: new Set(config.operatorIds),
      publisherSharePercent: config.publisherSharePercent,
      isModerated: config.moderatesOrders,
      hasCityData,
      unknownCharge: config.unknownCharge,
      publicUrl,
      postbackOf,
      sandbox: mode.sandbox,
    }),
  });

  const gate: Gate = {
    tokens,
    limiter,
    perToken: { name: 'token', ...config.rateLimit },
    perAddress: { name: 'address', ...config.addressRateLimit },
  };
  const jobs: readonly Job[] = [
    { name: 'expire-tasks', everySeconds: 60, run: flow.expireTasks },
    // Before the settlement: what it confirms decides how that goes.
    { name: 'verify-access', everySeconds: 30, run: flow.verifyAccess },
    { name: 'settle-tasks', everySeconds: 10, run: flow.settleDue },
    { name: 'finish-contests', everySeconds: 15, run: (signal) => finishContests(contests, signal) },
    { name: 'send-payouts', everySeconds: 15, run: (signal) => sendApprovedPayouts(payouts, signal) },
    { name: 'reconcile-invoices', everySeconds: 60, run: (signal) => reconcileInvoices(payouts, signal) },
    {
      name: 'learn-profiles',
      everySeconds: 60,
      run: (signal) => learnProfiles({ db, clock, api, budget: turns }, signal),
    },
    { name: 'follow-chats', everySeconds: 600, run: follower.followDue },
    {
      name: 'send-notices',
      everySeconds: 5,
      run: (signal) => sendNotices({ db, clock, api, log }, signal),
    },
    {
      name: 'send-broadcasts',
      everySeconds: 5,
      run: (signal) => sendBroadcasts({ db, clock, post: createBroadcastPost(api) }, signal),
    },
    { name: 'close-platform-days', everySeconds: 3600, run: (signal) => closePlatformDays({ db, clock }, signal) },
    forgetOldJob({ db, clock, log }),
    { name: 'forget-events', everySeconds: 3600, run: (signal) => forgetOldEvents({ db, clock }, signal) },
    {
      name: 'forget-sessions',
      everySeconds: 3600,
      run: (signal) => forgetSessions({ db, clock: systemClock }, signal),
    },
  ];

  return {
    gate,
    tokens,
    book,
    flow,
    links,
    deliverer,
    bot,
    metrics,
    jobs,
    watches: [createLedgerWatch({ db, onVerified: metrics.ledgerVerified, log })],
    routes: {
      publicRoutes: [postbackRoutes(flow), miniAppRoutes(links), openApiRoutes],
      tokenRoutes: [
        showRoutes(flow),
        confirmRoutes(flow),
        balanceRoutes(db),
        tokenRoutes({ db, clock }),
        orderRoutes({
          db,
          clock,
          secrets,
          resolver,
          publisherSharePercent: config.publisherSharePercent,
          isModerated: config.moderatesOrders,
          postbackOf,
        }),
        linkApiRoutes({ db, clock, publicUrl }),
        payoutRoutes(payouts),
        contestRoutes(contests),
        webhookRoutes({ db, clock, secrets, allowLoopback: mode.allowsLoopback }),
        platformStatsRoutes({ db, clock }),
      ],
      queryTokenRoutes: [statisticRoutes(db)],
      unguardedRoutes: [
        linkRoutes(links, gate),
        consoleRoutes({
          db,
          clock,
          hasCityData,
          unknownCharge: config.unknownCharge,
          sessionClock: systemClock,
          secrets,
          gate,
          flow,
          payouts,
          contests,
          resolver,
          postbackOf,
          operatorIds: new Set(config.operatorIds),
          publicUrl,
          botToken: mode.botToken,
          isSandbox: mode.sandbox !== undefined,
        }),
        ...(config.cryptoPay === undefined ? [] : [cryptoPayWebhook(payouts, config.cryptoPay.token)]),
      ],
    },
    async runDueWork() {
      const { signal } = new AbortController();
      for (const job of jobs) await job.run(signal);
      await deliverer.deliverDue({ withinMs: DELIVER_WITHIN_MS });
      await book.reloadAll();
    },
    async drain() {
      await flow.drain();
      await links.drain();
      sender.close();
    },
  };
}
