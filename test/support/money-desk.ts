import assert from 'node:assert/strict';
import type { FastifyPluginAsync } from 'fastify';
import pino from 'pino';
import type { Clock } from '../../src/core/clock.ts';
import { buildServer, createMemoryRateLimiter } from '../../src/http/index.ts';
import { deposit, openAccount } from '../../src/modules/accounts/index.ts';
import { createTokenCache, issueToken, registerBot } from '../../src/modules/bots/index.ts';
import { contestRoutes } from '../../src/modules/contests/routes.ts';
import { type CryptoPay, createCryptoPay } from '../../src/modules/payouts/index.ts';
import { cryptoPayWebhook, payoutRoutes } from '../../src/modules/payouts/routes.ts';
import { buyOrder, channel, openRichAccount } from './advertiser.ts';
import { CONTEST_RULES } from './contest-rules.ts';
import { CRYPTO_PAY_TOKEN, CryptoPayDouble } from './crypto-pay-double.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { bindContests, bindPayouts, type Contests, type Payouts } from './money-use-cases.ts';
import { freshUser, Sandbox } from './sandbox.ts';
import { insertSettled } from './settled.ts';

/** For calls that get a response. Even a very slow machine responds within this time. */
const PATIENT_MS = 120_000;
/** For calls that never get one, so that they do not slow the tests. */
const IMPATIENT_MS = 700;
export const MINIMUM_KOPECKS = 10_000n;

export class TestClock implements Clock {
  #now = new Date('2026-03-01T12:00:00Z');

  now(): Date {
    return this.#now;
  }

  advance(seconds: number): void {
    this.#now = new Date(this.#now.getTime() + seconds * 1000);
  }
}

export interface Person {
  readonly accountId: number;
  readonly telegramUserId: number;
}

/** Payouts, deposits and contests on a real database, with a test clock and an emulated Crypto Pay. */
export class MoneyDesk {
  readonly clock = new TestClock();
  readonly database: TestDatabase;
  readonly bank: CryptoPayDouble;
  readonly payouts: Payouts;
  readonly contests: Contests;
  #requests = 0;
  #order: Promise<number> | undefined;

  private constructor(database: TestDatabase, bank: CryptoPayDouble) {
    this.database = database;
    this.bank = bank;
    this.payouts = this.openPayouts();
    this.contests = this.openContests();
  }

  static async open(): Promise<MoneyDesk> {
    return new MoneyDesk(await createTestDatabase(), await CryptoPayDouble.open());
  }

  get url(): string {
    return this.database.url;
  }

  /** Returns payouts with a separate Crypto Pay client, as another process of the same service has. */
  openPayouts(): Payouts {
    const { bank } = this;
    const open = (timeoutMs: number) => createCryptoPay({ apiRoot: bank.url, token: CRYPTO_PAY_TOKEN, timeoutMs });
    const [patient, impatient] = [open(PATIENT_MS), open(IMPATIENT_MS)];
    const clientFor = (method: string): CryptoPay => (bank.hangsNext(method) ? impatient : patient);
    const client: CryptoPay = {
      transfer: (order) => clientFor('transfer').transfer(order),
      findTransfer: (spendId) => clientFor('getTransfers').findTransfer(spendId),
      readRate: (asset) => clientFor('getExchangeRates').readRate(asset),
      createInvoice: (invoice) => clientFor('createInvoice').createInvoice(invoice),
      getInvoices: (ids) => clientFor('getInvoices').getInvoices(ids),
    };
    const { db } = this.database;
    const cryptoPay = { client, asset: 'USDT' } as const;
    return bindPayouts({ db, clock: this.clock, minimumKopecks: MINIMUM_KOPECKS, cryptoPay });
  }

  openContests(needsApproval = false): Contests {
    return bindContests({
      db: this.database.db,
      clock: this.clock,
      ...CONTEST_RULES,
      needsApproval,
    });
  }

  /** Creates an account with money and an endpoint for all events. Without an endpoint the service stores no events. */
  async person(kopecks = 0n): Promise<Person> {
    const at = this.clock.now();
    const telegramUserId = freshUser();
    const accountId = await this.database.db.transaction(async (tx) => {
      const { id } = await openAccount(tx, { telegramUserId, name: 'A publisher', at });
      if (kopecks > 0n) await deposit(tx, { accountId: id, amountKopecks: kopecks, key: `test:${id}`, at });
      await tx.query(
        `INSERT INTO webhook_endpoints (account_id, url, events, secret_encrypted, created_at)
         VALUES ($1, 'https://example.com/', '{payout.sent,contest.completed}', '\\x00', $2)`,
        [id, at],
      );
      return id;
    });
    return { accountId, telegramUserId };
  }

  async token(person: Person, scopes: readonly 'beta'[] = ['beta']): Promise<string> {
    const at = this.clock.now();
    return this.database.db.transaction(async (tx) => {
      const username = `desk_${freshUser()}_bot`;
      const bot = await registerBot(tx, { accountId: person.accountId, username, at });
      assert.ok(bot);
      return issueToken(tx, { botId: bot.id, scopes, at });
    });
  }

  /** Requests a payout by Crypto Pay and approves it as an operator. */
  async approved(person: Person, kopecks: bigint): Promise<number> {
    const payoutId = await this.requested(person, kopecks);
    assert.deepEqual(await this.payouts.approve({ payoutId, operatorId: 7 }), { kind: 'done' });
    return payoutId;
  }

  async requested(person: Person, kopecks: bigint, method: 'manual' | 'crypto-pay' = 'crypto-pay'): Promise<number> {
    const outcome = await this.payouts.request({
      accountId: person.accountId,
      key: `request ${++this.#requests}`,
      amountKopecks: kopecks,
      method,
      destination: method === 'manual' ? 'a card' : String(person.telegramUserId),
    });
    assert.equal(
      outcome.kind,
      'requested',
      JSON.stringify(outcome, (_, v) => (typeof v === 'bigint' ? `${v}` : v)),
    );
    return outcome.kind === 'requested' ? outcome.payout.id : 0;
  }

  async statusOf(payoutId: number): Promise<string | undefined> {
    return (await this.payouts.find(payoutId))?.status;
  }

  async kopecks(kind: string, ownerId: number): Promise<number> {
    const [row] = await this.database.db.query<{ balance_kopecks: bigint }>(
      'SELECT balance_kopecks FROM ledger_accounts WHERE kind = $1 AND owner_id = $2',
      [kind, ownerId],
    );
    assert.ok(row, `there is no ledger account ${kind}:${ownerId}`);
    return Number(row.balance_kopecks);
  }

  /** Returns the `data` of every event of this type of the account, oldest first. */
  async events(accountId: number, type: string): Promise<Record<string, unknown>[]> {
    const rows = await this.database.db.query<{ data: Record<string, unknown> }>(
      'SELECT data FROM events WHERE account_id = $1 AND type = $2 ORDER BY sequence',
      [accountId, type],
    );
    return rows.map((row) => row.data);
  }

  /** Asserts that the provider made one transfer, the money has left the ledger, and the owner got one event. */
  async assertSentOnce(payoutId: number, person: Person): Promise<void> {
    const transfers = this.bank.transfersOf(person.telegramUserId);
    assert.equal(transfers.length, 1, 'the provider has other than one transfer');
    const payout = await this.payouts.find(payoutId);
    assert.equal(payout?.status, 'sent');
    assert.equal(payout?.reference, String(transfers[0]?.transfer_id));
    assert.equal(await this.kopecks('payout', payoutId), 0);
    assert.equal(await this.kopecks('available', person.accountId), 0);
    assert.equal((await this.events(person.accountId, 'payout.sent')).length, 1);
    await this.assertBooks();
  }

  /** Creates an order of a new advertiser for a channel. `fields` overrides fields. */
  async order(fields: Partial<Parameters<typeof buyOrder>[1]> = {}): Promise<number> {
    const { db } = this.database;
    const accountId = fields.accountId ?? (await openRichAccount(db));
    return buyOrder(db, { resource: channel(-freshUser()), ...fields, accountId });
  }

  /** Inserts settled subscriptions of a publisher, ₽7 each, at these times in seconds from now. */
  async settle(accountId: number, ...secondsFromNow: readonly number[]): Promise<void> {
    this.#order ??= this.order();
    await this.settleFor(await this.#order, accountId, ...secondsFromNow);
  }

  /** Inserts settled subscriptions like `settle`, but for this order. */
  async settleFor(orderId: number, accountId: number, ...secondsFromNow: readonly number[]): Promise<void> {
    const now = this.clock.now().getTime();
    const times = secondsFromNow.map((seconds) => new Date(now + seconds * 1000));
    await insertSettled(this.database.db, { orderId, accountId, times });
  }

  async assertBooks(): Promise<void> {
    const inFlight = `
      SELECT p.id, p.status, a.balance_kopecks
      FROM payouts p LEFT JOIN ledger_accounts a ON a.kind = 'payout' AND a.owner_id = p.id
      WHERE a.balance_kopecks IS DISTINCT FROM
        CASE WHEN p.status IN ('requested', 'approved', 'sending') THEN p.amount_kopecks ELSE 0 END`;
    assert.deepEqual(
      await this.database.db.query(inFlight),
      [],
      'the money set aside is not that of the payouts in flight',
    );
    const ledger = `
      SELECT kind, owner_id, a.balance_kopecks, s.amount
      FROM ledger_accounts a
      FULL JOIN (SELECT kind, owner_id, sum(amount) AS amount FROM (
          SELECT from_kind AS kind, from_owner_id AS owner_id, -amount_kopecks AS amount FROM ledger_transfers
          UNION ALL SELECT to_kind, to_owner_id, amount_kopecks FROM ledger_transfers
          UNION ALL SELECT kind, owner_id, amount_kopecks FROM ledger_folded_sums) legs GROUP BY 1, 2) s
        USING (kind, owner_id)
      WHERE coalesce(a.balance_kopecks, 0) <> coalesce(s.amount, 0)`;
    assert.deepEqual(await this.database.db.query(ledger), [], 'a balance is not the sum of its transfers');
    const total = 'SELECT coalesce(sum(balance_kopecks), 0)::int AS total FROM ledger_accounts';
    assert.deepEqual(await this.database.db.query(total), [{ total: 0 }]);
  }

  /** Serves the routes of this desk on the real HTTP server. */
  async serve(): Promise<{ readonly sandbox: Sandbox; close(): Promise<void> }> {
    const policy = { perSecond: 100_000, burst: 100_000 };
    const app = buildServer({
      log: pino({ level: 'silent' }),
      gate: {
        tokens: createTokenCache(this.database.db),
        limiter: createMemoryRateLimiter(),
        perToken: { name: 'token', ...policy },
        perAddress: { name: 'address', ...policy },
      },
      tokenRoutes: [payoutRoutes(this.payouts.deps), contestRoutes(this.contests.deps)] as FastifyPluginAsync[],
      queryTokenRoutes: [],
      publicRoutes: [],
      unguardedRoutes: [cryptoPayWebhook(this.payouts.deps, CRYPTO_PAY_TOKEN)] as FastifyPluginAsync[],
    });
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    return { sandbox: new Sandbox(url), close: () => app.close() };
  }

  async close(): Promise<void> {
    await this.bank.close();
    await this.database.drop();
  }
}
