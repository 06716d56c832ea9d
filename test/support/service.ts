import pino from 'pino';
import { readConfig } from '../../src/config.ts';
import { type RunningService, runService } from '../../src/main.ts';
import { createTestDatabase, type Template, type TestDatabase } from './database.ts';
import { Sandbox } from './sandbox.ts';

export interface TestService {
  readonly url: string;
  readonly database: TestDatabase;
  readonly sandbox: Sandbox;
  /** Everything the service logged, one JSON object a line. */
  logs(): string;
  stop(): Promise<void>;
}

type Settings = Readonly<Record<string, string>>;

/** Limits high enough that only the tests of the limits meet them. */
const GENEROUS: Settings = {
  RATE_LIMIT_PER_SECOND: '100000',
  RATE_LIMIT_BURST: '100000',
  ADDRESS_RATE_LIMIT_PER_SECOND: '100000',
  ADDRESS_RATE_LIMIT_BURST: '100000',
  NEW_BOT_RESERVATIONS: '100000',
  // On a busy machine the emulator may take longer than Telegram would; a test that means "in time" must not depend on it.
  TELEGRAM_CANDIDATE_CHECK_MS: '5000',
};

/**
 * A database in which the service was started once: schema, job queues and demo data are there, so the next start on a
 * copy of it finds nothing to do. That is most of what a first start costs.
 */
const STARTED_ONCE: Template = {
  name: 'started_template',
  fill: async (url) => (await startOn(url)).stop(),
};

/** Settings that shape the demo data. A service with one of them starts on an empty schema and makes its own. */
const SHAPES_DEMO_DATA = ['SECRET_KEY', 'PUBLISHER_SHARE_PERCENT', 'TELEGRAM_BOT_TOKEN', 'ROLES'];

/** The whole service in this process, in sandbox mode, on a database of its own and a free port. */
export async function startTestService(settings: Settings = {}): Promise<TestService> {
  const isShaped = SHAPES_DEMO_DATA.some((name) => name in settings);
  const database = await (isShaped ? createTestDatabase() : createTestDatabase(STARTED_ONCE));
  const service = await startOn(database.url, settings);
  return {
    ...service,
    database,
    async stop() {
      await service.stop();
      await database.drop();
    },
  };
}

/** A second service, or a restarted one, on a database that exists already. */
export async function startOn(databaseUrl: string, settings: Settings = {}): Promise<Omit<TestService, 'database'>> {
  const lines: string[] = [];
  const log = pino({ level: 'debug', base: null }, { write: (line: string) => void lines.push(line) });
  const config = readConfig({ ...GENEROUS, PORT: '0', DATABASE_URL: databaseUrl, LOG_LEVEL: 'debug', ...settings });
  const service: RunningService = await runService(config, log);
  return {
    url: service.url,
    sandbox: new Sandbox(service.url),
    logs: () => lines.join(''),
    stop: () => service.stop(),
  };
}
