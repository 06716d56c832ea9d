import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import pino from 'pino';
import type { Clock } from '../../src/core/clock.ts';
import { createSecrets } from '../../src/core/secrets.ts';
import { buildServer, createMemoryRateLimiter } from '../../src/http/index.ts';
import { openAccount } from '../../src/modules/accounts/index.ts';
import { createTokenCache, issueToken, registerBot } from '../../src/modules/bots/index.ts';
import { type EventType, type NewEvent, recordEvents } from '../../src/modules/events/index.ts';
import {
  createDeliverer,
  createSender,
  type Deliverer,
  type DelivererDeps,
  type Send,
  type SenderOptions,
} from '../../src/modules/webhooks/index.ts';
import { webhookRoutes } from '../../src/modules/webhooks/routes.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { type Receiver, type Respond, startReceiver } from './receiver.ts';
import { type Answer, freshUser, Sandbox } from './sandbox.ts';

export const SECRET_KEY = 'a key for the tests of webhooks only';

/** A clock that changes only when a test moves it. */
class TestClock implements Clock {
  #now = new Date();

  now(): Date {
    return this.#now;
  }

  advance(seconds: number): void {
    this.#now = new Date(this.#now.getTime() + seconds * 1000);
  }
}

export interface Owner {
  readonly accountId: number;
  readonly token: string;
}

export interface Created {
  readonly endpointId: number;
  readonly secret: string;
}

/** Returns the event of a confirmed subscription of this account. `userId` distinguishes events. */
export function confirmed(accountId: number, userId = 1): NewEvent {
  return {
    accountId,
    type: 'subscription.confirmed',
    data: {
      role: 'publisher',
      bot_id: 1,
      user_id: userId,
      order_id: 7,
      status: 'subscribed',
      amount: 2.5,
      credit_status: 'hold',
      created_at: '2026-01-02T03:04:05.678+00:00',
    },
  };
}

/** The webhook routes on a real server and database, and the deliverer, all on one clock that tests move. */
export class WebhookWorld {
  readonly clock = new TestClock();
  readonly secrets = createSecrets(SECRET_KEY);
  readonly errors: unknown[] = [];
  readonly #closers: (() => unknown)[] = [];
  #database: TestDatabase | undefined;
  #api: Sandbox | undefined;

  async open(): Promise<void> {
    const database = await createTestDatabase();
    this.#database = database;
    this.#closers.push(() => database.drop());
    const { db } = database;
    const { clock, secrets } = this;
    const generous = { perSecond: 100_000, burst: 100_000 };
    const app = buildServer({
      log: pino({ level: 'silent' }),
      gate: {
        tokens: createTokenCache(db),
        limiter: createMemoryRateLimiter(),
        perToken: { name: 'token', ...generous },
        perAddress: { name: 'address', ...generous },
      },
      publicRoutes: [],
      queryTokenRoutes: [],
      unguardedRoutes: [],
      tokenRoutes: [webhookRoutes({ db, clock, secrets, allowLoopback: true })],
    });
    this.#api = new Sandbox(await app.listen({ host: '127.0.0.1', port: 0 }));
    this.#closers.push(() => app.close());
  }

  async close(): Promise<void> {
    for (const close of this.#closers.splice(0).reverse()) await close();
  }

  get database(): TestDatabase {
    assert.ok(this.#database, 'the database is there only while a test runs');
    return this.#database;
  }

  get db(): TestDatabase['db'] {
    return this.database.db;
  }

  call(method: string, path: string, token: string, body?: unknown): Promise<Answer> {
    assert.ok(this.#api, 'the server is there only while a test runs');
    return this.#api.call(method, `/api/v1/webhooks${path}`, body, { auth: token });
  }

  /** Sends a request and fails the test unless it succeeds. */
  async must(method: string, path: string, token: string, body?: unknown): Promise<Answer['body']> {
    const answered = await this.call(method, path, token, body);
    assert.ok(answered.status < 300, `${method} ${path}: ${answered.status} ${JSON.stringify(answered.body)}`);
    return answered.body;
  }

  async owner(scopes: readonly 'beta'[] = ['beta']): Promise<Owner> {
    const at = this.clock.now();
    return this.db.transaction(async (tx) => {
      const account = await openAccount(tx, { telegramUserId: freshUser(), name: 'An owner', at });
      const bot = await registerBot(tx, { accountId: account.id, username: `bot_${account.id}`, at });
      assert.ok(bot);
      return { accountId: account.id, token: await issueToken(tx, { botId: bot.id, scopes, at }) };
    });
  }

  async endpoint(
    owner: Owner,
    url: string,
    events: readonly EventType[] = ['subscription.confirmed'],
  ): Promise<Created> {
    const body = await this.must('POST', '', owner.token, { url, events });
    return { endpointId: body.webhook_id, secret: body.secret };
  }

  record(...events: readonly NewEvent[]): Promise<void> {
    return this.db.transaction((tx) => recordEvents(tx, events, this.clock.now()));
  }

  /** Starts an endpoint that is closed together with this world. */
  async receiver(respond?: Respond): Promise<Receiver> {
    const receiver = await startReceiver(respond);
    this.#closers.push(() => receiver.close());
    return receiver;
  }

  sender(options: Partial<SenderOptions> = {}): Send {
    const sender = createSender({ allowLoopback: true, ...options });
    this.#closers.push(() => sender.close());
    return sender.send;
  }

  deliverer(sending: Partial<SenderOptions> = {}, extra: Partial<DelivererDeps> = {}): Deliverer {
    const deliverer = createDeliverer({
      db: this.db,
      clock: this.clock,
      secrets: this.secrets,
      send: this.sender(sending),
      onError: (error) => void this.errors.push(error),
      random: () => 0.5, // no jitter
      ...extra,
    });
    this.#closers.push(() => deliverer.stop());
    return deliverer;
  }

  async deliveries(owner: Owner, { endpointId }: Created, query = ''): Promise<Answer['body']> {
    return (await this.must('GET', `/${endpointId}/deliveries${query}`, owner.token)).deliveries;
  }

  async show(owner: Owner, { endpointId }: Created): Promise<Answer['body']> {
    const { webhooks } = await this.must('GET', '', owner.token);
    return webhooks.find((webhook: { webhook_id: number }) => webhook.webhook_id === endpointId);
  }
}

/** Runs a test in its own world, so that no due delivery of it reaches another test. */
export async function inWorld(work: (world: WebhookWorld) => Promise<void>): Promise<void> {
  const world = new WebhookWorld();
  try {
    await world.open();
    await work(world);
  } finally {
    await world.close();
  }
}

/** Counts how many requests are sent at the same time, in total and per URL. */
export function countSending(send: Send): { readonly send: Send; most(): number; mostTo(url: string): number } {
  const now = new Map<string, number>();
  const most = new Map<string, number>();
  const add = (key: string, change: number): void => {
    const count = (now.get(key) ?? 0) + change;
    now.set(key, count);
    most.set(key, Math.max(most.get(key) ?? 0, count));
  };
  return {
    async send(request, signal) {
      for (const key of ['', request.url]) add(key, 1);
      try {
        return await send(request, signal);
      } finally {
        for (const key of ['', request.url]) add(key, -1);
      }
    },
    most: () => most.get('') ?? 0,
    mostTo: (url) => most.get(url) ?? 0,
  };
}

/** Opens one world for all tests of a file. */
export function useWebhooks(): WebhookWorld {
  const world = new WebhookWorld();
  before(() => world.open());
  after(() => world.close());
  return world;
}
