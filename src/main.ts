import type { FastifyPluginAsync } from 'fastify';
import pino, { type Logger } from 'pino';
import { banner } from './composition/banner.ts';
import { followChanges } from './composition/follow-changes.ts';
import { openLive } from './composition/open-live.ts';
import { openSandbox } from './composition/open-sandbox.ts';
import { provideDatabase } from './composition/provide-database.ts';
import type { Config } from './config.ts';
import { businessDay } from './core/clock.ts';
import { openDatabase } from './db/index.ts';
import { buildServer, createMemoryRateLimiter, healthRoutes } from './http/index.ts';
import { startJobs } from './jobs/index.ts';
import { createTokenDirectory } from './modules/bots/index.ts';
import { createTaskFlow } from './modules/offers/index.ts';
import { taskRoutes } from './modules/offers/routes.ts';
import { createOrderBook } from './modules/orders/index.ts';
import { balanceRoutes, statisticRoutes } from './modules/statistics/routes.ts';
import { createBotApi, createCheckBudget, createMembershipProbe, tellAccessLost } from './telegram/index.ts';

/** A started service: where it listens, and how to end it. */
export interface RunningService {
  readonly url: string;
  /** What the start prints for a person; only a sandbox has something to say. */
  readonly banner: string;
  stop(): Promise<void>;
}

/** Builds the parts, connects them and starts the roles that the settings choose. Nothing else happens here. */
export async function runService(config: Config, log: Logger): Promise<RunningService> {
  const closers: (() => Promise<void>)[] = [];
  const atEnd = (close: () => Promise<void>): void => void closers.unshift(close);
  const stop = async (): Promise<void> => {
    for (const close of closers.splice(0)) await close();
  };

  try {
    const server = await provideDatabase(config, (line) => log.info({ line }, 'embedded PostgreSQL'));
    atEnd(() => server.stop());
    const db = openDatabase({
      url: server.url,
      poolSize: config.databasePoolSize,
      onError: (err) => log.warn({ err }, 'database connection'),
    });
    atEnd(() => db.close());

    const mode = await (config.telegram === undefined ? openSandbox : openLive)(config, db, log);
    atEnd(() => mode.close());
    const { clock, secrets } = mode;

    const tokens = createTokenDirectory(db);
    const book = createOrderBook(db, () => businessDay(clock.now()));
    const api = createBotApi({ apiRoot: mode.apiRoot, token: mode.botToken });
    const budget = createCheckBudget(config.checksPerSecond);
    const turns =
      mode.settlementChecksPerSecond === undefined ? budget : createCheckBudget(mode.settlementChecksPerSecond);
    const probe = createMembershipProbe({ api, secrets, budget, turns });
    const flow = createTaskFlow({
      db,
      clock,
      book,
      probe,
      offerSeconds: config.offerSeconds,
      onAccessLost: (order) => void tellAccessLost({ db, api, log }, order),
    });
    atEnd(() => flow.drain());

    const intake = mode.createIntake({ api, recordMembership: flow.recordMembership });
    const isApi = config.roles.has('api');
    const isBot = config.roles.has('bot');
    const app = buildServer({
      log,
      gate: {
        tokens,
        limiter: createMemoryRateLimiter(),
        perToken: { name: 'token', ...config.rateLimit },
        perAddress: { name: 'address', ...config.addressRateLimit },
      },
      publicRoutes: [healthRoutes],
      tokenRoutes: isApi ? [taskRoutes(flow), balanceRoutes(db)] : [],
      queryTokenRoutes: isApi ? [statisticRoutes(db)] : [],
      unguardedRoutes: [
        ...(isBot ? intake.routes : []),
        ...mode.routes({ book, flow, tokens }),
      ] as FastifyPluginAsync[],
    });
    atEnd(() => app.close());
    await app.ready();
    await mode.prepare({ book });

    const changes = await followChanges(db, { book, tokens, log });
    atEnd(() => changes.close());
    const url = await app.listen({ host: config.host, port: config.port });
    mode.listensAt(url);

    if (isBot) {
      await intake.start();
      atEnd(() => intake.stop());
    }
    if (config.roles.has('worker')) {
      const jobs = await startJobs(
        server.url,
        [
          { name: 'expire-offers', cron: '* * * * *', run: flow.expireOffers },
          { name: 'settle-offers', cron: '* * * * *', run: flow.settleDue },
        ],
        log,
      );
      atEnd(() => jobs.stop());
    }
    return { url, banner: banner(mode, url), stop };
  } catch (error) {
    await stop().catch((err: unknown) => log.error({ err }, 'could not clean up after a failed start'));
    throw error;
  }
}

/** How long a stop may take before the process ends anyway. */
const STOP_TIMEOUT_MS = 9_500;

/** `sponsorgate start`: runs until it is told to stop, then finishes what is in flight. */
export async function start(config: Config): Promise<void> {
  const log = pino({ level: config.logLevel, base: null }, pino.destination(2));
  const service = await runService(config, log);
  process.stdout.write(service.banner);

  const signal = await new Promise<string>((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(name, resolve);
  });
  log.info({ signal }, 'stopping');
  const overdue = setTimeout(() => {
    log.error({}, 'the stop took too long');
    process.exit(1);
  }, STOP_TIMEOUT_MS);
  await service.stop();
  clearTimeout(overdue);
}
