import assert from 'node:assert/strict';

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

let lastUser = 5_000_000_000;

/** A Telegram user id that no other test of this process uses. */
export function freshUser(): number {
  lastUser += 1;
  return lastUser;
}

/** Drives a service over HTTP as an outside caller would: the API of publishers and the levers of the sandbox. */
export class Sandbox {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
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

  /** A control call that must succeed. */
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

  async publisher(
    settings: { max_sponsors?: number; round_minutes?: number; beta?: boolean } = {},
  ): Promise<Publisher> {
    const { account_id: accountId } = await this.control('POST', '/accounts', {});
    const bot = await this.control('POST', '/bots', { account_id: accountId, ...settings });
    return { accountId, botId: bot.bot_id, token: bot.api_token };
  }

  /** A new advertiser with one order for a chat of its own (or the one given). */
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
    }> = {},
  ): Promise<Advertised> {
    const { type = 'channel', price_per_sub = 10, quantity = 10, title = 'A resource', ...rest } = order;
    const accountId =
      order.account_id ?? (await this.control('POST', '/accounts', { deposit: price_per_sub * quantity })).account_id;
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

  async getSponsors(token: string, userId: number, extra: Record<string, unknown> = {}): Promise<Sponsor[]> {
    const answer = await this.api(token, 'get-sponsors', { user_id: userId, ...extra });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body.sponsors;
  }

  async confirm(token: string, userId: number, adsId: number): Promise<any> {
    const answer = await this.api(token, 'confirm-subscription', { user_id: userId, ads_id: adsId });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  }

  async balance(token: string): Promise<{ balance: number; hold_balance: number }> {
    return (await this.api(token, 'get-balance', {})).body;
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

  /** Takes the demo orders out of the way, so that a test sees only its own. */
  async pauseAllOrders(): Promise<void> {
    const { orders } = await this.control('GET', '/state');
    for (const order of orders) {
      if (order.status === 'active') await this.control('POST', `/orders/${order.order_id}/pause`);
    }
  }

  /** Money was neither made nor lost, and every stored balance agrees with the transfers. */
  async assertBalanced(): Promise<void> {
    const ledger = await this.control('GET', '/ledger');
    assert.deepEqual(
      { balanced: ledger.balanced, total: ledger.total_kopecks, faults: ledger.faults },
      { balanced: true, total: 0, faults: [] },
    );
  }
}
