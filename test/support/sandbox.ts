import assert from 'node:assert/strict';
import type { Filters } from '../../src/modules/targeting/index.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // Tests read the fields they expect; an unexpected shape fails the assertion that follows.
  readonly body: any;
}

export interface Sponsor {
  readonly ads_id: number;
  readonly link: string;
  readonly resource_type: string;
  readonly title: string;
  readonly status: string;
  readonly reward: number;
  readonly approval_pct?: number;
}

export interface Publisher {
  readonly accountId: number;
  readonly botId: number;
  readonly token: string;
}

export interface Advertised {
  readonly accountId: number;
  readonly orderId: number;
  readonly chatId: number;
}

/** How often a client repeats a confirm whose membership check did not end in time. */
const MAX_CONFIRMS = 30;

let lastUser = 5_000_000_000;

/** Returns a Telegram user id that no other test of this process uses. */
export function freshUser(): number {
  lastUser += 1;
  return lastUser;
}

/**
 * Sends HTTP requests to a service as an outside caller: the publisher API and the control endpoints of the sandbox.
 */
export class Sandbox {
  readonly url: string;
  /** Tokens of bots that are advertised without a token. Only the owner of such a bot has its token. */
  readonly #outsideBots = new Map<string, string>();

  constructor(url: string) {
    this.url = url;
  }

  async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    // `fetch` asks for compressed responses by default. Both sides run on this machine, so that only costs time.
    const plain = { 'accept-encoding': 'identity', ...headers };
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: body === undefined ? plain : { 'content-type': 'application/json', ...plain },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text !== '' ? JSON.parse(text) : text,
    };
  }

  /** Calls a control endpoint and fails the test unless the call succeeds. */
  async control(method: string, path: string, body?: unknown): Promise<any> {
    const answer = await this.call(method, `/sandbox${path}`, body);
    assert.ok(
      answer.status < 300,
      `${method} /sandbox${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`,
    );
    return answer.body;
  }

  api(token: string, path: string, body: unknown): Promise<Answer> {
    return this.call('POST', `/api/v1/${path}`, body, { auth: token });
  }

  /** Creates a bot, for a new account or for the given one. */
  async publisher(
    settings: {
      account_id?: number;
      deposit?: number;
      max_sponsors?: number;
      round_minutes?: number;
      beta?: boolean;
      username?: string;
    } = {},
  ): Promise<Publisher> {
    const { deposit = 0, ...botSettings } = settings;
    const accountId = settings.account_id ?? (await this.control('POST', '/accounts', { deposit })).account_id;
    const bot = await this.control('POST', '/bots', { ...botSettings, account_id: accountId });
    return { accountId, botId: bot.bot_id, token: bot.api_token };
  }

  /** Creates an advertiser with one order, for a new chat or for the given one. */
  async advertise(
    order: Partial<{
      type: 'channel' | 'bot';
      chat_id: number;
      account_id: number;
      price_per_sub: number;
      quantity: number;
      hold_hours: number;
      refund: boolean;
      daily_limit: number;
      name: string;
      title: string;
      filters: Filters;
    }> = {},
  ): Promise<Advertised> {
    const { type = 'channel', price_per_sub = 10, quantity = 10, title = 'A resource', ...rest } = order;
    // Filters can raise the charge. Ten times the price is enough for all tests.
    const deposit = Math.round(price_per_sub * quantity * (order.filters === undefined ? 1 : 10) * 100) / 100;
    const accountId = order.account_id ?? (await this.control('POST', '/accounts', { deposit })).account_id;
    const chatId = order.chat_id ?? (await this.control('POST', '/chats', { type, title })).chat_id;
    const { order_id: orderId } = await this.control('POST', '/orders', {
      ...rest,
      account_id: accountId,
      chat_id: chatId,
      price_per_sub,
      quantity,
    });
    return { accountId, orderId, chatId };
  }

  /** Renames a bot in Telegram with the bot's own token. */
  async nameBot(botToken: string, name: string): Promise<void> {
    const answer = await this.call('POST', `/sandbox/telegram/bot${botToken}/setMyName`, { name });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  }

  /**
   * Orders subscribers for a bot without giving its token. Acts as the bot's owner, who puts the code into the bot's
   * name.
   */
  async orderExternal(token: string, order: Record<string, unknown> & { link: string }): Promise<Answer> {
    const username = order.link.replace('https://t.me/', '');
    const botToken =
      this.#outsideBots.get(username) ??
      (await this.control('POST', '/chats', { type: 'bot', title: 'Outside', username })).token;
    this.#outsideBots.set(username, botToken);
    const body = { resource_type: 'bot', title: 'Outside', price_per_sub: 10, quantity: 5, ...order };
    const refused = await this.call('POST', '/api/v1/orders', body, { auth: token });
    const code = /SG-[0-9A-Z]{8}/.exec(refused.body.message)?.[0];
    if (code === undefined) return refused;
    await this.nameBot(botToken, code);
    return this.call('POST', '/api/v1/orders', body, { auth: token });
  }

  async getSponsors(token: string, userId: number, extra: Record<string, unknown> = {}): Promise<Sponsor[]> {
    const answer = await this.api(token, 'get-sponsors', { user_id: userId, ...extra });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body.sponsors;
  }

  /**
   * Confirms as a publisher's bot does: it asks again when Telegram was too slow for the service's time limit, which
   * happens on a busy machine. Tests of that answer use `confirmOnce`.
   */
  async confirm(token: string, userId: number, adsId: number): Promise<any> {
    for (let attempt = 1; ; attempt++) {
      const body = await this.confirmOnce(token, userId, adsId);
      if (body.code !== 'check_unavailable' || attempt === MAX_CONFIRMS) return body;
    }
  }

  /** Confirms several tasks in one request, and again while Telegram is too slow for one of them. */
  async confirmMany(token: string, userId: number, adsIds: readonly number[]): Promise<any> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.api(token, 'confirm-subscriptions', { user_id: userId, ads_ids: adsIds });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      const isSlow = answer.body.results.some(({ code }: { code: string }) => code === 'check_unavailable');
      if (!isSlow || attempt === MAX_CONFIRMS) return answer.body;
    }
  }

  async confirmOnce(token: string, userId: number, adsId: number): Promise<any> {
    const answer = await this.api(token, 'confirm-subscription', { user_id: userId, ads_id: adsId });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  }

  async balance(token: string): Promise<{ balance: number; hold_balance: number; withdrawable: number }> {
    return (await this.api(token, 'get-balance', {})).body;
  }

  /** Returns the two amounts of the balance without the bots. */
  async money(token: string): Promise<{ balance: number; hold_balance: number }> {
    const { balance, hold_balance } = await this.balance(token);
    return { balance, hold_balance };
  }

  /** Shows a user an order's task, joins the chat and confirms. Returns the body of the confirm. */
  async subscribe(token: string, { orderId, chatId }: Advertised, userId: number): Promise<any> {
    const shown = (await this.getSponsors(token, userId)).map((task) => task.ads_id);
    assert.ok(shown.includes(orderId), `order ${orderId} was not among the tasks shown: ${JSON.stringify(shown)}`);
    await this.join(chatId, userId);
    return this.confirm(token, userId, orderId);
  }

  statistic(token: string, query: Record<string, string | number> = {}): Promise<Answer> {
    const parameters = new URLSearchParams({ api_token: token });
    for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
    return this.call('GET', `/statistic?${parameters}`);
  }

  /** Returns an order as the sandbox shows it: status, counters and escrow. */
  async order(orderId: number): Promise<any> {
    const { orders } = await this.control('GET', '/state');
    const found = orders.find((order: { order_id: number }) => order.order_id === orderId);
    assert.ok(found, `the sandbox shows no order ${orderId}`);
    return found;
  }

  /** Returns the balance of a ledger account, recomputed from the transfers. */
  async kopecks(kind: string, ownerId: number): Promise<number> {
    const { accounts } = await this.control('GET', '/ledger');
    const found = accounts.find(
      (account: { kind: string; owner_id: number }) => account.kind === kind && account.owner_id === ownerId,
    );
    assert.ok(found, `the ledger has no account ${kind}:${ownerId}`);
    return found.balance_kopecks;
  }

  join(chatId: number, userId: number, silent = false): Promise<void> {
    return this.control('PUT', `/chats/${chatId}/members/${userId}${silent ? '?silent=true' : ''}`);
  }

  leave(chatId: number, userId: number, silent = false): Promise<void> {
    return this.control('DELETE', `/chats/${chatId}/members/${userId}${silent ? '?silent=true' : ''}`);
  }

  advance(seconds: number): Promise<void> {
    return this.control('POST', '/clock', { advance_seconds: seconds });
  }

  fault(fault: Record<string, unknown>): Promise<void> {
    return this.control('POST', '/faults', fault);
  }

  /** Pauses the demo orders, so that a test gets only its own orders. */
  async pauseAllOrders(): Promise<void> {
    const { orders } = await this.control('GET', '/state');
    for (const order of orders) {
      if (order.status === 'active') await this.control('POST', `/orders/${order.order_id}/pause`);
    }
  }

  /** Asserts that the transfers add up to zero and that every stored balance agrees with them. */
  async assertBalanced(): Promise<void> {
    const ledger = await this.control('GET', '/ledger');
    assert.deepEqual(
      { balanced: ledger.balanced, total: ledger.total_kopecks, faults: ledger.faults },
      { balanced: true, total: 0, faults: [] },
    );
  }
}
