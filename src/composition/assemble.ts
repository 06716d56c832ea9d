import { systemClock } from '../core/clock.ts';
import { type Gate, openApiRoutes, startPage } from '../http/index.ts';
import type { Job } from '../jobs/index.ts';
import { createLedgerWatch, createMetrics, type Metrics } from '../metrics/index.ts';
import { createTokenCache, type TokenCache } from '../modules/bots/index.ts';
import { tokenRoutes } from '../modules/bots/routes.ts';
import { type ConnectionBook, createConnectionBook } from '../modules/cases/index.ts';
import { EVENT_DATA } from '../modules/events/index.ts';
import type { SmartLinks } from '../modules/links/index.ts';
import { createOrderBook, type OrderBook } from '../modules/orders/index.ts';
import { createQualityBook, type QualityBook } from '../modules/quality/index.ts';
import type { TaskFlow } from '../modules/tasks/index.ts';
import type { Deliverer } from '../modules/webhooks/index.ts';
import {
  type CheckerBots,
  type CheckerIntake,
  createFloodWaits,
  type ServiceBot,
  tellFloods,
} from '../telegram/index.ts';
import type { Area, Base, Ground, Routes } from './areas/area.ts';
import { registerCompat } from './areas/compat.ts';
import { openDevices, registerMiniApp } from './areas/devices.ts';
import { registerLinks } from './areas/links.ts';
import { registerCases, registerContests, registerOrders, registerPayouts, registerStatistics } from './areas/money.ts';
import { createBot, registerConsole } from './areas/people.ts';
import { registerQuality } from './areas/quality.ts';
import { registerRetention } from './areas/retention.ts';
import { registerTasks } from './areas/tasks.ts';
import { openCheckerIntake, openTelegram, registerTelegramJobs } from './areas/telegram.ts';
import { registerWebhooks } from './areas/webhooks.ts';
import { SERVICE_VERSION } from './version.ts';

/** The assembled service before it starts. */
export interface Assembly {
  readonly gate: Gate;
  readonly tokens: TokenCache;
  readonly book: OrderBook;
  readonly quality: QualityBook;
  readonly connections: ConnectionBook;
  readonly flow: TaskFlow;
  readonly links: SmartLinks;
  readonly deliverer: Deliverer;
  readonly metrics: Metrics;
  /** Handles the updates of the role `bot`. */
  readonly bot: ServiceBot;
  readonly checkers: CheckerIntake;
  readonly checkerBots: CheckerBots;
  /** Starts to share budgets and flood waits with the other processes. */
  startSharing(): Promise<{ close(): Promise<void> }>;
  /** Served by the role `api`. */
  readonly routes: Routes;
  /** Run by the role `worker`. */
  readonly jobs: readonly Job[];
  /** Jobs that do not depend on the clock. `runDueWork` does not run them. */
  readonly watches: readonly Job[];
  /** Runs every job once. A sandbox calls it after it moves its clock. */
  runDueWork(): Promise<void>;
  drain(): Promise<void>;
}

/** How long `runDueWork` waits for webhook endpoints. */
const DELIVER_WITHIN_MS = 10_000;

export async function assemble(ground: Ground): Promise<Assembly> {
  const { config, db, reports, mode, redis, log, limiter } = ground;
  const { clock, secrets } = mode;
  const tokens = createTokenCache(db, clock);
  const book = createOrderBook(db, clock);
  const quality = createQualityBook(db, config.quality);
  const connections = createConnectionBook(db);
  const floods = createFloodWaits(clock, { tell: tellFloods(db, log) });
  mode.onFaultsCleared?.(floods.forgetAll);
  const version = SERVICE_VERSION;
  const metrics = createMetrics({ version, machineClock: systemClock, db, clock, book, floods, redis });
  const base: Base = { ...ground, clock, secrets, metrics };
  const gate: Gate = {
    tokens,
    limiter,
    perToken: { name: 'token', ...config.rateLimit },
    perAddress: { name: 'address', ...config.addressRateLimit },
  };

  const telegram = openTelegram(base, floods);
  const devices = openDevices(base);
  const links = await registerLinks(base, { book, devices, gate });
  const tasks = registerTasks(base, { book, connections, quality, links: links.links, telegram });
  const orders = registerOrders(base, telegram);
  const contests = registerContests(base);
  const payouts = registerPayouts(base);
  const webhooks = registerWebhooks(base);
  const chats = registerTelegramJobs(base, telegram, tasks.flow);
  const { flow } = tasks;
  const parts = {
    telegram,
    flow,
    payouts: payouts.payouts,
    contests: contests.contests,
    postbackOf: orders.postbackOf,
  };
  const noticeChat = chats.follower.noticed;
  const bot = createBot(base, { ...parts, tokens, noticeChat });

  // `runDueWork` runs the jobs in this order.
  const areas: readonly Area[] = [
    {
      publicRoutes: [
        openApiRoutes({ publicUrl: ground.publicUrl, events: EVENT_DATA }),
        ...(mode.sandbox === undefined ? [startPage] : []),
      ],
      tokenRoutes: [tokenRoutes({ db, clock })],
    },
    tasks,
    orders,
    links,
    registerMiniApp(base, { links: links.links, flow }),
    contests,
    payouts,
    webhooks,
    registerCases(base),
    chats,
    registerQuality(base),
    registerCompat(base, { flow, telegram, access: gate }),
    registerStatistics(base),
    registerRetention(base),
    registerConsole(base, { ...parts, gate }),
  ];
  const jobs = areas.flatMap((area) => area.jobs ?? []);

  return {
    gate,
    tokens,
    book,
    quality,
    connections,
    flow,
    links: links.links,
    deliverer: webhooks.deliverer,
    bot,
    checkers: openCheckerIntake(base, telegram, { flow, serviceBot: bot, noticeChat }),
    checkerBots: telegram.bots,
    startSharing: telegram.startSharing,
    metrics,
    jobs,
    watches: [createLedgerWatch({ db: reports, onVerified: metrics.ledgerVerified, log })],
    routes: {
      publicRoutes: areas.flatMap((area) => area.publicRoutes ?? []),
      tokenRoutes: areas.flatMap((area) => area.tokenRoutes ?? []),
      queryTokenRoutes: areas.flatMap((area) => area.queryTokenRoutes ?? []),
      unguardedRoutes: areas.flatMap((area) => area.unguardedRoutes ?? []),
    },
    async runDueWork() {
      const { signal } = new AbortController();
      for (const job of jobs) await job.run(signal);
      await webhooks.deliverer.deliverDue({ withinMs: DELIVER_WITHIN_MS });
      await book.reloadAll();
      await quality.reload();
      await connections.reload();
    },
    async drain() {
      await flow.drain();
      await links.links.drain();
      webhooks.closeSender();
    },
  };
}
