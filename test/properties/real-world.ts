import assert from 'node:assert/strict';
import { changeOrderStatus, topUpOrder } from '../../src/modules/orders/index.ts';
import { eventually } from '../support/eventually.ts';
import { freshUser, type Publisher } from '../support/sandbox.ts';
import type { TestService } from '../support/service.ts';
import { bodyOf, type ConfirmBody, readConfirm } from './confirm-body.ts';
import type { Model } from './model.ts';
import {
  type Action,
  type Answer,
  CHATS,
  DEPOSITS_KOPECKS,
  type OrderTerms,
  orderName,
  type Setup,
  USERS,
} from './terms.ts';

/** Well below the time that the service allows for the membership checks of one request. */
const CHECK_TIME_MS = 200;
/** No order of any run has this id. */
const UNKNOWN_ORDER_ID = 999_999_999;

const NOON_IN_MOSCOW_SECONDS = 9 * 3600;
const DAY_SECONDS = 24 * 3600;

/** The accounts, bots, chats, users and orders of one run in the running service. */
export class RealWorld {
  readonly #service: TestService;
  readonly #publishers: Publisher[] = [];
  readonly #accounts: number[] = [];
  readonly #chats: number[] = [];
  readonly #users = Array.from({ length: USERS }, freshUser);
  readonly #orders: number[] = [];
  #topUps = 0;

  private constructor(service: TestService) {
    this.#service = service;
  }

  /** Creates the data of a run and moves the clock to noon, so that daily limits do not depend on the real time. */
  static async open(service: TestService, setup: Setup): Promise<RealWorld> {
    const world = new RealWorld(service);
    const { sandbox } = service;
    const { now } = await sandbox.control('POST', '/clock', { advance_seconds: 0 });
    const sinceNoon = (Date.parse(now) / 1000 - NOON_IN_MOSCOW_SECONDS) % DAY_SECONDS;
    await sandbox.advance(DAY_SECONDS - sinceNoon);
    for (const kopecks of DEPOSITS_KOPECKS) {
      const { account_id } = await sandbox.control('POST', '/accounts', { deposit: kopecks / 100 });
      world.#accounts.push(account_id);
    }
    for (const [i, round_minutes] of setup.roundMinutes.entries()) {
      const bot = await sandbox.control('POST', '/bots', { account_id: world.#accounts[i], round_minutes });
      world.#publishers.push({ accountId: world.#accounts[i] ?? 0, botId: bot.bot_id, token: bot.api_token });
    }
    for (const type of CHATS) {
      world.#chats.push((await sandbox.control('POST', '/chats', { type, title: 'A resource' })).chat_id);
    }
    return world;
  }

  async addOrder(terms: OrderTerms): Promise<boolean> {
    const answer = await this.#service.sandbox.call('POST', '/sandbox/orders', {
      account_id: this.#accounts[terms.owner],
      chat_id: this.#chats[terms.chat],
      price_per_sub: terms.priceKopecks / 100,
      quantity: terms.quantity,
      hold_hours: terms.holdHours,
      refund: terms.refund,
      ...(terms.dailyLimit === undefined ? {} : { daily_limit: terms.dailyLimit }),
    });
    if (answer.body.code === 'insufficient_funds') return false;
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    this.#orders.push(answer.body.order_id);
    return true;
  }

  /** Pauses or resumes an order through the sandbox. Returns false when the service refuses. */
  async setPaused(order: number, isPaused: boolean): Promise<boolean> {
    const path = `/sandbox/orders/${this.#orders[order]}/${isPaused ? 'pause' : 'resume'}`;
    const { status, body } = await this.#service.sandbox.call('POST', path);
    assert.ok(status === 204 || body.code === 'conflict', `${path} answered ${status}`);
    return status === 204;
  }

  /** Cancels an order as the management bot does: in a transaction, of which the service is notified. */
  async cancel(order: number): Promise<boolean> {
    const at = await this.#now();
    const outcome = await this.#service.database.db.transaction((tx) =>
      changeOrderStatus(tx, { orderId: this.#orders[order] ?? 0, to: 'cancelled', at }),
    );
    return outcome.kind === 'changed' || outcome.kind === 'unchanged';
  }

  async topUp(order: number, quantity: number): Promise<string> {
    const at = await this.#now();
    const key = `property:${++this.#topUps}`;
    const outcome = await this.#service.database.db.transaction((tx) =>
      topUpOrder(tx, { orderId: this.#orders[order] ?? 0, quantity, key, at }),
    );
    return outcome.kind;
  }

  async getSponsors(user: number, bot: number, action: Action, max: number): Promise<Answer> {
    const body = { user_id: this.#users[user], action, max_sponsors: max };
    const startedAt = performance.now();
    const answer = await this.#service.sandbox.api(this.#token(bot), 'get-sponsors', body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    const { status, sponsors } = answer.body;
    assert.equal(status, sponsors.length === 0 ? 'ok' : 'warning');
    const wasSlow = performance.now() - startedAt > CHECK_TIME_MS;
    const orders = sponsors.map((task: { ads_id: number; status: string }) => {
      assert.equal(task.status, 'unsubscribed');
      assert.ok(
        this.#orders.includes(task.ads_id),
        `order ${task.ads_id} is not of this run (${this.#orders.join(', ')})`,
      );
      return this.#orders.indexOf(task.ads_id);
    });
    const checked = await this.#service.database.db.query<{ order_id: bigint }>(
      'SELECT order_id FROM all_tasks WHERE user_id = $1 AND bot_id = $2 AND was_outside',
      [this.#users[user], this.#publishers[bot]?.botId],
    );
    const outside = checked.map((row) => this.#orders.indexOf(Number(row.order_id)));
    return { orders, outside, wasSlow };
  }

  async confirm(user: number, bot: number, order: number): Promise<ConfirmBody> {
    const body = { user_id: this.#users[user], ads_id: this.#orders[order] ?? UNKNOWN_ORDER_ID };
    const answer = await this.#service.sandbox.api(this.#token(bot), 'confirm-subscription', body);
    if (answer.status === 404) return bodyOf('no_such_order', 0, false);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return readConfirm(answer.body);
  }

  async confirmMany(user: number, bot: number, orders: readonly number[]): Promise<ConfirmBody[]> {
    const ids = orders.map((order) => this.#orders[order] ?? UNKNOWN_ORDER_ID);
    const body = { user_id: this.#users[user], ads_ids: ids };
    const answer = await this.#service.sandbox.api(this.#token(bot), 'confirm-subscriptions', body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    const { results } = answer.body;
    assert.deepEqual(
      results.map((result: { ads_id: number }) => result.ads_id),
      ids,
      'one result per id, in order',
    );
    return results.map(readConfirm);
  }

  join(user: number, chat: number, silent: boolean): Promise<void> {
    return this.#service.sandbox.join(this.#chats[chat] ?? 0, this.#users[user] ?? 0, silent);
  }

  leave(user: number, chat: number, silent: boolean): Promise<void> {
    return this.#service.sandbox.leave(this.#chats[chat] ?? 0, this.#users[user] ?? 0, silent);
  }

  advance(seconds: number): Promise<void> {
    return this.#service.sandbox.advance(seconds);
  }

  /** Moves the clock directly in the database. The sandbox control would also run the due jobs. */
  async sleep(seconds: number): Promise<void> {
    const { db } = this.#service.database;
    const [row] = await db.query<{ clock_offset_ms: bigint }>(
      'UPDATE sandbox.state SET clock_offset_ms = clock_offset_ms + $1 RETURNING clock_offset_ms',
      [seconds * 1000],
    );
    const until = Date.now() + Number(row?.clock_offset_ms);
    await db.query('SELECT pg_notify($1, $2)', ['sandbox_clock', String(row?.clock_offset_ms)]);
    await eventually('the clock has moved', async () => {
      const { now } = await this.#service.sandbox.control('GET', '/state');
      return Date.parse(now) >= until;
    });
  }

  /** Asserts that money, slots and statuses equal those of the model, to the kopeck. */
  async assertAgrees(model: Model): Promise<void> {
    const { db } = this.#service.database;
    const balances = await db.query<{ kind: string; owner_id: bigint; balance_kopecks: bigint }>(
      `SELECT kind, owner_id, balance_kopecks FROM ledger_accounts
       WHERE (kind IN ('available', 'hold') AND owner_id = ANY($1::bigint[]))
          OR (kind = 'escrow' AND owner_id = ANY($2::bigint[]))`,
      [this.#accounts, this.#orders],
    );
    const balanceOf = (kind: string, id: number | undefined): number =>
      Number(balances.find((row) => row.kind === kind && Number(row.owner_id) === id)?.balance_kopecks);
    const orders = await db.query<{ id: bigint; status: string; reserved_count: number; counted_count: number }>(
      `SELECT o.id, o.status, p.reserved_count, p.counted_count
       FROM orders o JOIN order_progress p ON p.order_id = o.id WHERE o.id = ANY($1::bigint[]) ORDER BY o.id`,
      [this.#orders],
    );

    const actual = {
      balances: this.#accounts.map((id, i) => account(i, balanceOf('available', id), balanceOf('hold', id))),
      orders: orders.map((row, i) => {
        const escrow = balanceOf('escrow', Number(row.id));
        return `${orderName(i)}: ${row.status}, escrow ${escrow}, ${row.reserved_count} reserved, ${row.counted_count} counted`;
      }),
    };
    const expected = {
      balances: model.available.map((available, i) => account(i, available, model.hold[i] ?? 0)),
      orders: model.orders.map(
        ({ status, escrow }, i) =>
          `${orderName(i)}: ${status}, escrow ${escrow}, ${model.reserved(i)} reserved, ${model.subscribers(i)} counted`,
      ),
    };
    assert.deepEqual(actual, expected, 'service (actual) and model (expected)');
    for (const [i, { token }] of this.#publishers.entries()) {
      const shown = await this.#service.sandbox.money(token);
      const owed = { balance: (model.available[i] ?? 0) / 100, hold_balance: (model.hold[i] ?? 0) / 100 };
      assert.deepEqual(shown, owed, `get-balance of bot ${i + 1}`);
    }
  }

  /** Asserts that the ledger balances and that the counters of the run's orders agree with its tasks and transfers. */
  async assertBooks(): Promise<void> {
    await this.#service.sandbox.assertBalanced();
    for (const [wrong, sql] of Object.entries(DISAGREEMENTS)) {
      assert.deepEqual(await this.#service.database.db.query(sql, [this.#orders]), [], wrong);
    }
  }

  /** Pauses the orders of this run, so that the next run does not see them. */
  async close(): Promise<void> {
    for (const order of this.#orders.keys()) await this.setPaused(order, true);
  }

  async #now(): Promise<Date> {
    return new Date((await this.#service.sandbox.control('POST', '/clock', { advance_seconds: 0 })).now);
  }

  #token(bot: number): string {
    return this.#publishers[bot]?.token ?? '';
  }
}

const account = (i: number, available: number, hold: number): string => {
  const owner = i < 2 ? `publisher ${i + 1}` : `advertiser ${i - 1}`;
  return `${owner}: ${available} available, ${hold} in hold`;
};

/** Each query returns one row per stored figure that disagrees with the tasks or transfers behind it. */
const DISAGREEMENTS: Readonly<Record<string, string>> = {
  'reserved counters are not the sum of the open tasks': `
    SELECT p.order_id, p.reserved_count, p.reserved_kopecks, count(o.*) AS open_tasks
    FROM order_progress p LEFT JOIN all_tasks o ON o.order_id = p.order_id AND o.state = 'shown'
    WHERE p.order_id = ANY($1::bigint[]) GROUP BY p.order_id
    HAVING p.reserved_count <> count(o.*) OR p.reserved_kopecks <> coalesce(sum(o.charge_kopecks), 0)`,
  'an escrow is smaller than what open tasks were promised': `
    SELECT p.order_id, p.reserved_kopecks, a.balance_kopecks
    FROM order_progress p JOIN ledger_accounts a ON a.kind = 'escrow' AND a.owner_id = p.order_id
    WHERE p.order_id = ANY($1::bigint[]) AND a.balance_kopecks < p.reserved_kopecks`,
  'a (user, resource) was paid other than once': `
    SELECT c.user_id, c.resource_id, count(t.*) AS payments
    FROM counted_subscriptions c
    LEFT JOIN ledger_transfers t ON t.kind = 'margin_charged' AND (t.user_id, t.bot_id, t.order_id) = (c.user_id, c.bot_id, c.order_id)
    WHERE c.order_id = ANY($1::bigint[]) GROUP BY 1, 2 HAVING count(t.*) <> 1`,
  'the daily totals are not what the ledger moved': `
    WITH moved AS (
      SELECT order_id,
        coalesce(sum(amount_kopecks) FILTER (WHERE from_kind = 'escrow'), 0) AS charge,
        coalesce(sum(amount_kopecks) FILTER (WHERE kind IN ('reward_held', 'reward_paid')), 0) AS reward,
        coalesce(sum(amount_kopecks) FILTER (WHERE kind = 'reward_reversed'), 0) AS taken,
        coalesce(sum(amount_kopecks) FILTER (WHERE to_kind = 'escrow'), 0) AS returned
      FROM ledger_transfers
      WHERE order_id = ANY($1::bigint[])
        AND kind IN ('reward_held', 'reward_paid', 'margin_charged', 'reward_reversed', 'margin_returned')
      GROUP BY 1),
    totals AS (
      SELECT order_id, sum(charge_kopecks) AS charge, sum(reward_kopecks) AS reward,
        sum(reversed_reward_kopecks) AS taken, sum(returned_charge_kopecks) AS returned
      FROM daily_totals WHERE order_id = ANY($1::bigint[]) GROUP BY 1)
    SELECT order_id, moved.*, totals.* FROM moved FULL JOIN totals USING (order_id)
    WHERE (moved.charge, moved.reward, moved.taken, moved.returned)
      IS DISTINCT FROM (totals.charge, totals.reward, totals.taken, totals.returned)`,
};
