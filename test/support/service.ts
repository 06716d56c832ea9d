import pino from 'pino';
import { readConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/db/index.ts';
import { type RunningService, runService } from '../../src/main.ts';
import { createTestDatabase, type Template, type TestDatabase } from './database.ts';
import { eventually } from './eventually.ts';
import { Sandbox } from './sandbox.ts';

export interface TestService {
  readonly url: string;
  readonly database: TestDatabase;
  readonly sandbox: Sandbox;
  /** Returns the log of the service since its start or `forgetLogs`, one JSON object per line. */
  logs(): string;
  forgetLogs(): void;
  stop(): Promise<void>;
}

type Settings = Readonly<Record<string, string>>;

/** Limits that only the tests of the limits reach. */
const GENEROUS: Settings = {
  RATE_LIMIT_PER_SECOND: '100000',
  RATE_LIMIT_BURST: '100000',
  ADDRESS_RATE_LIMIT_PER_SECOND: '100000',
  ADDRESS_RATE_LIMIT_BURST: '100000',
  NEW_BOT_RESERVATIONS: '100000',
  // Tests count everything that the platform has.
  DEMO_HISTORY: 'off',
  // On a busy machine the emulator may be slower than Telegram. A test of candidate checks must not depend on that.
  TELEGRAM_CANDIDATE_CHECK_MS: '10000',
};

/**
 * A database on which the service has started once. It contains the schema and the demo data, and every job has run, so a
 * start on a copy skips this work, which is most of the cost of a first start.
 */
const STARTED_ONCE: Template = {
  name: 'started_template',
  async fill(url) {
    const db = openDatabase({ url, onError: () => undefined });
    const service = await startOn(url);
    try {
      const [start] = await db.query<{ at: Date }>('SELECT now() AS at');
      await eventually('every job has run', async () => {
        const due = await db.query('SELECT FROM jobs WHERE due_at <= $1 OR lease_id IS NOT NULL', [start?.at]);
        return due.length === 0;
      });
    } finally {
      await service.stop();
      await db.close();
    }
  },
};

/**
 * Settings that change the demo data. A service with one of them starts on an empty schema and creates its own demo
 * data.
 */
const SHAPES_DEMO_DATA = ['SECRET_KEY', 'PUBLISHER_SHARE_PERCENT', 'TELEGRAM_BOT_TOKEN', 'DEMO_HISTORY'];

/** Starts the whole service in this process, in sandbox mode, on its own database and a free port. */
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

/** Starts a second service, or restarts one, on an existing database. */
export async function startOn(databaseUrl: string, settings: Settings = {}): Promise<Omit<TestService, 'database'>> {
  const lines: string[] = [];
  const log = pino({ level: 'debug', base: null }, { write: (line: string) => void lines.push(line) });
  const config = readConfig({ ...GENEROUS, PORT: '0', DATABASE_URL: databaseUrl, LOG_LEVEL: 'debug', ...settings });
  const service: RunningService = await runService(config, log);
  return {
    url: service.url,
    sandbox: new Sandbox(service.url),
    logs: () => lines.join(''),
    forgetLogs: () => void lines.splice(0),
    stop: () => service.stop(),
  };
}
