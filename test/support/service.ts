import pino from 'pino';
import { readConfig } from '../../src/config.ts';
import { type RunningService, runService } from '../../src/main.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
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
  // On a busy machine the emulator may take longer than Telegram would; a test that means "in time" must not depend on it.
  TELEGRAM_CANDIDATE_CHECK_MS: '5000',
};

/** The whole service in this process, in sandbox mode, on a database of its own and a free port. */
export async function startTestService(settings: Settings = {}): Promise<TestService> {
  const database = await createTestDatabase();
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
