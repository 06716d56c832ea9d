import { createHmac } from 'node:crypto';
import { after, before } from 'node:test';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import type { Clock } from '../../src/core/clock.ts';
import { createSecrets, type Secrets } from '../../src/core/secrets.ts';
import { buildServer, createMemoryRateLimiter } from '../../src/http/index.ts';
import { openAccount } from '../../src/modules/accounts/index.ts';
import { type LearnedValue, learnedValues } from '../../src/modules/audience/index.ts';
import { createTokenCache } from '../../src/modules/bots/index.ts';
import { createDevices, type IgnoredReason } from '../../src/modules/devices/index.ts';
import {
  clicksBy,
  createLink,
  createSmartLinks,
  type Link,
  type LinkInput,
  openLocator,
  type SmartLinks,
} from '../../src/modules/links/index.ts';
import { linkRoutes } from '../../src/modules/links/routes.ts';
import { miniAppRoutes } from '../../src/web/mini-app/index.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const BOT_TOKEN = '123456:a-token-for-tests';
export const NOW = new Date('2026-01-10T09:00:00Z');
export const TODAY = '2026-01-10';
export const ANDROID =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36';
export const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';
/** Addresses of public name servers, whose countries are well known. */
export const RUSSIAN_ADDRESS = '77.88.8.8';
export const AMERICAN_ADDRESS = '8.8.8.8';
/** The only order, with the link of its task. */
export const ORDER = { id: 7, url: 'https://t.me/+private-invitation' };

export interface LinksApp {
  readonly app: FastifyInstance;
  readonly url: string;
  readonly links: SmartLinks;
  readonly logs: string[];
  /** Why device data was ignored, in order. */
  readonly ignored: IgnoredReason[];
  /** The users who passed the human check, in order. */
  readonly passed: number[];
}

/** Serves the routes of smart links and of the Mini App with a real server, a real database and a fixed clock. */
export class LinksWorld {
  now = NOW;
  readonly secrets: Secrets = createSecrets('a key for tests, long enough to be one');
  #database: TestDatabase | undefined;
  #accountId = 0;
  readonly #running: LinksApp[] = [];

  get database(): TestDatabase {
    if (this.#database === undefined) throw new Error('the database is there only while a test runs');
    return this.#database;
  }

  get accountId(): number {
    return this.#accountId;
  }

  async open(): Promise<void> {
    this.#database = await createTestDatabase();
    const account = await this.database.db.transaction((tx) =>
      openAccount(tx, { telegramUserId: 1, name: 'owner', at: NOW }),
    );
    this.#accountId = account.id;
  }

  /** Starts a server that stands for one process. Each has its own cache. */
  async start({
    trustProxy = [],
    guesses = 1_000,
    storesMarks = true,
    isCheckOn = true,
  }: {
    trustProxy?: string[];
    guesses?: number;
    storesMarks?: boolean;
    isCheckOn?: boolean;
  } = {}): Promise<LinksApp> {
    const { db } = this.database;
    const clock: Clock = { now: () => this.now };
    const logs: string[] = [];
    const ignored: IgnoredReason[] = [];
    const passed: number[] = [];
    const devices = createDevices({
      db,
      clock,
      secrets: this.secrets,
      storesMarks,
      checkStrength: isCheckOn ? 60 : undefined,
      initDataSeconds: 86_400,
      onIgnored: (reason) => void ignored.push(reason),
      onError: (error) => void logs.push(String(error)),
    });
    const links = createSmartLinks({
      db,
      clock,
      secrets: this.secrets,
      locator: await openLocator(),
      devices,
      botToken: BOT_TOKEN,
      initDataSeconds: 86_400,
      personalLinkSeconds: 3_600,
      resolveOrderUrl: async (orderId) => (orderId === ORDER.id ? ORDER.url : undefined),
      onError: (error) => void logs.push(String(error)),
    });
    const gate = {
      tokens: createTokenCache(db),
      limiter: createMemoryRateLimiter(),
      perToken: { name: 'token', perSecond: 50, burst: 100 },
      perAddress: { name: 'address', perSecond: 1, burst: guesses },
    };
    const app = buildServer({
      log: pino({ level: 'trace' }, { write: (line: string) => void logs.push(line) }),
      gate,
      trustProxy,
      tokenRoutes: [],
      queryTokenRoutes: [],
      publicRoutes: [miniAppRoutes(links, { onPassed: async (userId) => void passed.push(userId) })],
      unguardedRoutes: [linkRoutes(links, gate)],
    });
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    const running = { app, url, links, logs, ignored, passed };
    this.#running.push(running);
    return running;
  }

  async close(): Promise<void> {
    for (const { app, links } of this.#running.splice(0)) {
      await app.close();
      await links.drain();
    }
    await this.#database?.drop();
  }

  async link(input: LinkInput & { url: string }): Promise<Link> {
    const outcome = await this.database.db.transaction((tx) =>
      createLink(tx, { accountId: this.accountId, at: this.now, ...input }),
    );
    if (outcome.kind !== 'saved') throw new Error(JSON.stringify(outcome));
    return outcome.link;
  }

  /** Returns the number of stored clicks of a link. */
  async clicks(link: Link): Promise<number> {
    const days = await clicksBy(this.database.db, 'day', { linkId: link.id, from: '2000-01-01', to: '2999-12-31' });
    return days.reduce((sum, { clicks }) => sum + clicks, 0);
  }

  learned(userId: number): Promise<LearnedValue[]> {
    return learnedValues(this.database.db, userId);
  }
}

/** Opens one world for the tests of a file. Node runs top-level hooks at once, so `prepare` holds the later steps. */
export function useLinks(prepare: (world: LinksWorld) => Promise<void>): LinksWorld {
  const world = new LinksWorld();
  before(async () => {
    await world.open();
    await prepare(world);
  });
  after(() => world.close());
  return world;
}

export interface Visit {
  readonly method?: string;
  readonly headers?: Record<string, string>;
}

/** Requests a link without following the redirect. */
export function visit(url: string, { method = 'GET', headers = {} }: Visit = {}): Promise<Response> {
  return fetch(url, { method, redirect: 'manual', headers: { 'User-Agent': ANDROID, ...headers } });
}

/** Signs init data as Telegram documents it. */
export function signInitData(fields: Record<string, string>, botToken = BOT_TOKEN): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}=${value}`);
  const secret = createHmac('sha256', 'WebAppData').update(botToken).digest();
  const hash = createHmac('sha256', secret).update(lines.sort().join('\n')).digest('hex');
  return new URLSearchParams({ ...fields, hash }).toString();
}
