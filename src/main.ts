import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import pino, { type Logger } from 'pino';
import { banner } from './composition/banner.ts';
import { followChanges } from './composition/follow-changes.ts';
import { openLive } from './composition/open-live.ts';
import { openSandbox } from './composition/open-sandbox.ts';
import { provideDatabase } from './composition/provide-database.ts';
import type { Config } from './config.ts';
import { StartError } from './core/errors.ts';
import { openDatabase } from './db/index.ts';
import { buildServer, createMemoryRateLimiter, healthRoutes } from './http/index.ts';
import { startJobs } from './jobs/index.ts';
import { createTokenDirectory } from './modules/bots/index.ts';
import { createSmartLinks, openLocator } from './modules/links/index.ts';
import { linkRoutes } from './modules/links/routes.ts';
import { createTaskFlow, postbackSecret } from './modules/offers/index.ts';
import { POSTBACK_PATH, postbackRoutes, taskRoutes } from './modules/offers/routes.ts';
import { createOrderBook } from './modules/orders/index.ts';
import { orderRoutes } from './modules/orders/routes.ts';
import { balanceRoutes, statisticRoutes } from './modules/statistics/routes.ts';
import {
  createBotApi,
  createCheckBudget,
  createMembershipProbe,
  createResourceResolver,
  learnProfiles,
  tellAccessLost,
} from './telegram/index.ts';
import { miniAppRoutes } from './web/mini-app/index.ts';

const INIT_DATA_SECONDS = 24 * 60 * 60;
const PERSONAL_LINK_SECONDS = 72 * 60 * 60;

/** A started service: where it listens, and how to end it. */
export interface RunningService {
  readonly url: string;
  /** What the start prints for a person; only a sandbox has something to say. */
  readonly banner: string;
  stop(): Promise<void>;
}

/** Builds the parts, connects them and starts the roles that the settings choose. Nothing else happens here. */
export async function runService(config: Config, log: Logger): Promise<RunningService> {
  const entrances: (() => Promise<void>)[] = [];
  const closers: (() => Promise<void>)[] = [];
  const atEnd = (close: () => Promise<void>): void => void closers.unshift(close);
  const stop = async (): Promise<void> => {
    // Together: requests and jobs may each take seconds to finish, and nobody is let in while one waits for the other.
    await Promise.all(entrances.splice(0).map((close) => close()));
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
    // A free port is known only once the server listens on it.
    let url = '';
    const publicUrl = (): string => (config.port === 0 ? url : config.publicUrl);

    const tokens = createTokenDirectory(db);
    const book = createOrderBook(db, clock);
    const api = createBotApi({ apiRoot: mode.apiRoot, token: mode.botToken });
    const budget = createCheckBudget(config.checksPerSecond);
    const turns =
      mode.settlementChecksPerSecond === undefined ? budget : createCheckBudget(mode.settlementChecksPerSecond);
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
    atEnd(() => links.drain());
    const flow = createTaskFlow({
      db,
      clock,
      book,
      secrets,
      probe: createMembershipProbe({ api, secrets, budget, turns }),
      offerSeconds: config.offerSeconds,
      personalLink: (task) => `${publicUrl()}${links.personalTaskPath(task)}`,
      onAccessLost: (order) => void tellAccessLost({ db, api, log }, order),
    });
    atEnd(() => flow.drain());

    const intake = mode.createIntake({ api, recordMembership: flow.recordMembership });
    const gate = {
      tokens,
      limiter: createMemoryRateLimiter(),
      perToken: { name: 'token', ...config.rateLimit },
      perAddress: { name: 'address', ...config.addressRateLimit },
    };
    const learn = (signal: AbortSignal) => learnProfiles({ db, clock, api, budget: turns }, signal);
    const apiRoutes = {
      publicRoutes: [postbackRoutes(flow), miniAppRoutes(links)],
      tokenRoutes: [
        taskRoutes(flow),
        balanceRoutes(db),
        orderRoutes({
          db,
          clock,
          secrets,
          book,
          resolver: createResourceResolver(api),
          publisherSharePercent: config.publisherSharePercent,
          isModerated: config.moderatesOrders,
          postbackOf: (orderId) => ({
            url: `${publicUrl()}${POSTBACK_PATH}`,
            secret: postbackSecret(secrets, orderId),
          }),
        }),
      ],
      queryTokenRoutes: [statisticRoutes(db)],
      unguardedRoutes: [linkRoutes(links, gate)],
    } as const;
    const isApi = config.roles.has('api');
    const isBot = config.roles.has('bot');
    const app = buildServer({
      log,
      gate,
      trustProxy: config.trustedProxies,
      publicRoutes: [healthRoutes, ...(isApi ? apiRoutes.publicRoutes : [])],
      tokenRoutes: isApi ? apiRoutes.tokenRoutes : [],
      queryTokenRoutes: isApi ? apiRoutes.queryTokenRoutes : [],
      unguardedRoutes: [
        ...(isApi ? apiRoutes.unguardedRoutes : []),
        ...(isBot ? intake.routes : []),
        ...mode.routes({ book, flow, tokens, learn }),
      ] as FastifyPluginAsync[],
    });
    entrances.push(() => app.close());
    await app.ready();
    await mode.prepare({ book });

    const changes = await followChanges(db, { book, tokens, links, log });
    atEnd(() => changes.close());
    url = await listen(app, config);
    mode.listensAt(url);

    if (isBot) {
      await intake.start();
      entrances.push(() => intake.stop());
    }
    if (config.roles.has('worker')) {
      const jobs = await startJobs(
        server.url,
        [
          { name: 'expire-offers', cron: '* * * * *', run: flow.expireOffers },
          { name: 'settle-offers', cron: '* * * * *', everySeconds: 10, run: flow.settleDue },
          { name: 'learn-profiles', cron: '* * * * *', run: learn },
        ],
        log,
      );
      entrances.push(() => jobs.stop());
    }
    return { url, banner: banner(mode, url), stop };
  } catch (error) {
    await stop().catch((err: unknown) => log.error({ err }, 'could not clean up after a failed start'));
    throw error;
  }
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    return await app.listen({ host, port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new StartError(`port ${port} is taken: stop what listens there or set PORT`);
    if (code === 'EACCES') throw new StartError(`port ${port} may not be used by this user: set PORT above 1023`);
    if (code === 'EADDRNOTAVAIL') throw new StartError(`HOST ${host} is no address of this machine`);
    throw error;
  }
}

/** How long a stop may take before the process ends anyway. */
const STOP_TIMEOUT_MS = 9_500;

/** `sponsorgate start`: runs until it is told to stop, then finishes what is in flight. */
export async function start(config: Config): Promise<void> {
  const log = pino({ level: config.logLevel, base: null }, pino.destination(2));
  const toldToStop = listenForSignals(log);
  const service = await runService(config, log);
  process.stdout.write(service.banner);
  await toldToStop;
  await service.stop();
}

/**
 * Listens from the first moment to the last. A signal that comes during the start, or the second of the two that Ctrl-C
 * sends under npm, would otherwise end the process where it stands and leave the embedded PostgreSQL running.
 */
function listenForSignals(log: Logger): Promise<void> {
  return new Promise((resolve) => {
    const onSignal = (signal: string): void => {
      log.info({ signal }, 'stopping');
      setTimeout(() => {
        log.error({}, 'the stop took too long');
        process.exit(1);
      }, STOP_TIMEOUT_MS).unref();
      resolve();
    };
    for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, onSignal);
  });
}
