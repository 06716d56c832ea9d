import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { FastifyInstance } from 'fastify';
import pino, { type Logger } from 'pino';
import { assemble } from './composition/assemble.ts';
import { buildApp } from './composition/build-app.ts';
import { followChanges } from './composition/follow-changes.ts';
import type { Mode } from './composition/mode.ts';
import { openLive } from './composition/open-live.ts';
import { openSandbox } from './composition/open-sandbox.ts';
import { type ProvidedDatabase, provideDatabase } from './composition/provide-database.ts';
import { provideLimiter } from './composition/provide-limiter.ts';
import { provideReports } from './composition/provide-reports.ts';
import { createStopOrder, type StopOrder } from './composition/stop-order.ts';
import { SERVICE_VERSION } from './composition/version.ts';
import { type Config, NO_OPERATORS } from './config.ts';
import { DatabaseUnavailable } from './core/database.ts';
import { StartError } from './core/errors.ts';
import { createOutageLog } from './core/outage-log.ts';
import { setTracer } from './core/tracing.ts';
import { type OpenDatabase, openDatabase } from './db/index.ts';
import { startJobs } from './jobs/index.ts';
import { openTracing } from './tracing/index.ts';

/** A started service. */
export interface RunningService {
  readonly url: string;
  /** The text that `sponsorgate start` prints; empty in live mode. */
  readonly banner: string;
  /**
   * Resolves when the service cannot continue and must be restarted, for example after its embedded database is lost.
   */
  readonly lost: Promise<StartError>;
  stop(): Promise<void>;
}

/** Opens the database and the mode, assembles the parts and starts the roles of the settings. */
export async function runService(config: Config, log: Logger): Promise<RunningService> {
  tuneCollector();
  const stopOrder = createStopOrder();
  try {
    await startTracing(config, stopOrder);
    const { promise: lost, resolve: onLost } = Promise.withResolvers<StartError>();
    const server = await provideDatabase(config, (line) => log.info({ line }, 'embedded PostgreSQL'), {
      onFault: (line) => log.error({ line }, 'embedded PostgreSQL'),
      onLost,
      restartForMs: config.databaseRestartSeconds * 1_000,
    });
    stopOrder.addPart(() => server.stop());
    const db = connect(config, server, log);
    stopOrder.addPart(() => db.close());
    const mode = await (config.telegram === undefined ? openSandbox : openLive)(config, db, log);
    stopOrder.addPart(() => mode.close());
    const reports = await provideReports(config, db, (reason) =>
      log.warn({ reason }, 'the read replica is left out; reports read the primary'),
    );
    stopOrder.addPart(() => reports.close());
    const limits = await provideLimiter(config, mode.secrets, log);
    stopOrder.addPart(() => limits.close());

    // With PORT=0 the port is known only after the server listens.
    let url = '';
    const publicUrl = (): string => (config.port === 0 ? url : config.publicUrl);
    const parts = await assemble({ config, db, reports, mode, ...limits, log, publicUrl });
    stopOrder.addPart(() => parts.drain());
    const sharing = await parts.startSharing();
    stopOrder.addPart(() => sharing.close());

    const intake = mode.createIntake(parts);
    const checkReady = async (): Promise<void> => {
      await server.checkRoom();
      await db.checkReady();
    };
    const app = buildApp({ config, log, mode, parts, intake, checkReady, isStopping: () => stopOrder.isStopping });
    stopOrder.addEntrance(async () => {
      await sleep(config.drainMs);
      await app.close();
    });
    // Needed without the role worker too: moving a sandbox's clock sends deliveries.
    stopOrder.addEntrance(() => parts.deliverer.stop());
    await app.ready();
    await mode.prepare();
    await parts.book.reloadAll();
    await parts.quality.reload();
    await parts.connections.reload();

    const changes = await followChanges(db, { ...parts, log });
    stopOrder.addPart(() => changes.close());
    url = await listen(app, config);
    mode.listensAt(url);

    if (config.roles.has('bot')) {
      await intake.start();
      stopOrder.addEntrance(() => intake.stop());
    }
    if (config.roles.has('worker')) {
      const onRun = parts.metrics.jobRan;
      const jobs = await startJobs({ db, jobs: [...parts.jobs, ...parts.watches], log, onRun });
      stopOrder.addEntrance(() => jobs.stop());
      parts.deliverer.start();
    }
    return { url, banner: banner(mode, url), lost, stop: stopOrder.stop };
  } catch (error) {
    // Log only the text: an error of the driver may contain the connection with its password.
    await stopOrder
      .stop()
      .catch((reason: unknown) => log.error({ reason: String(reason) }, 'could not clean up after a failed start'));
    if (error instanceof DatabaseUnavailable) throw new StartError(`the start failed: ${error.message}`);
    throw error;
  }
}

async function startTracing({ tracing }: Config, stopOrder: StopOrder): Promise<void> {
  if (tracing === undefined) return;
  const { tracer, close } = await openTracing({ ...tracing, version: SERVICE_VERSION });
  setTracer(tracer);
  stopOrder.addPart(() => {
    setTracer(undefined);
    return close();
  });
}

function connect(config: Config, { url, poolUrl }: ProvidedDatabase, log: Logger): OpenDatabase {
  const outage = createOutageLog();
  return openDatabase({
    url,
    poolUrl,
    poolSize: config.databasePoolSize,
    // Log only the message: the error object contains the whole client with its password.
    onError: ({ message }) => outage.failed((failures) => log.warn({ message, failures }, 'database connection')),
  });
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

/**
 * `sponsorgate start`: runs the service until a signal arrives, then finishes the requests and jobs that are running.
 */
export async function start(config: Config): Promise<void> {
  const log = pino({ level: config.logLevel, base: null }, pino.destination(2));
  const stopLimitMs = config.drainMs + config.stopTimeoutMs;
  const toldToStop = listenForSignals(log, stopLimitMs);
  if (config.telegram !== undefined && config.operatorIds.length === 0) log.warn({}, NO_OPERATORS);
  const service = await runService(config, log);
  process.stdout.write(service.banner);
  const fault = await Promise.race([toldToStop, service.lost]);
  if (fault === undefined) {
    await service.stop();
    return;
  }
  log.fatal({ reason: fault.message }, 'stopping');
  limitStop(log, stopLimitMs);
  await service.stop().catch(() => undefined); // some parts cannot close without the database; `fault` is the cause
  throw fault;
}

/**
 * Handles signals during the whole life of the process. Without a handler, a signal during the start, or the second of
 * the two signals that Ctrl-C sends under npm, would kill the process and leave the embedded PostgreSQL running.
 */
function listenForSignals(log: Logger, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const onSignal = (signal: string): void => {
      log.info({ signal }, 'stopping');
      limitStop(log, timeoutMs);
      resolve();
    };
    for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, onSignal);
  });
}

function limitStop(log: Logger, timeoutMs: number): void {
  setTimeout(() => {
    log.error({}, 'the stop took too long');
    process.exit(1);
  }, timeoutMs).unref();
}

/** Returns the text that `npm start` prints for a sandbox: the address of its page and an example request. */
function banner({ demoToken }: Mode, url: string): string {
  if (demoToken === undefined) return '';
  return `
Sponsorgate is running in sandbox mode (emulated Telegram, demo data).

  Sandbox page   ${url}/sandbox
  Demo token     ${demoToken}

Try it:

  curl -s ${url}/api/v1/get-sponsors -H 'Auth: ${demoToken}' -H 'Content-Type: application/json' -d '{"user_id": 100001}'

Stop with Ctrl-C.
`;
}

/**
 * Turns off pretenuring. V8 allocates objects directly in the old generation if earlier objects from the same code
 * lived long. It does this with database rows, because the stopOrder book keeps some of them. Most rows are garbage after a
 * millisecond, but in the old generation they keep the objects they point to alive, so V8 copies the data of every row
 * twice before it frees them. A young-generation collection then takes 8 ms instead of 2.6 ms (docs/performance.md).
 */
function tuneCollector(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
