import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { freshUser, type Publisher } from '../support/sandbox.ts';
import { useService } from './use-service.ts';

const service = useService();
/** The id of the service's own bot in the emulated Telegram. */
const SERVICE_BOT = 700_000_001;

interface Advertiser extends Publisher {
  create(order?: Record<string, unknown>, headers?: Record<string, string>): ReturnType<typeof service.sandbox.call>;
  post(path: string, body?: unknown, headers?: Record<string, string>): ReturnType<typeof service.sandbox.call>;
  get(path: string): ReturnType<typeof service.sandbox.call>;
}

/** Creates an account with money, a beta token and a channel in which our bot is an administrator. */
async function advertiser(deposit = 1_000): Promise<Advertiser & { link: string; chatId: number }> {
  const { sandbox } = service;
  const publisher = await sandbox.publisher({ beta: true, deposit });
  const { chat_id: chatId, link } = await sandbox.control('POST', '/chats', { type: 'channel', title: 'News' });
  const auth = { auth: publisher.token };
  const post: Advertiser['post'] = (path, body = {}, headers = {}) =>
    sandbox.call('POST', `/api/v1${path}`, body, { ...auth, ...headers });
  return {
    ...publisher,
    link,
    chatId,
    post,
    get: (path) => sandbox.call('GET', `/api/v1${path}`, undefined, auth),
    create: (order = {}, headers = {}) =>
      post(
        '/orders',
        { name: 'News', link, resource_type: 'channel', title: 'News', price_per_sub: 10, quantity: 5, ...order },
        headers,
      ),
  };
}

test('an order is paid from the balance, is active and is shown at once', async () => {
  const { sandbox } = service;
  const owner = await advertiser();
  const { status, body } = await owner.create();
  assert.equal(status, 201, JSON.stringify(body));
  const { created_at, ...order } = body;
  assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$/);
  assert.deepEqual(order, {
    order_id: body.order_id,
    name: 'News',
    status: 'active',
    price_per_sub: 10,
    charge_per_sub: 10,
    subscribers: 0,
    spent: 0,
    remainder: 50,
    remaining_subscribers: 5,
    cr_pct: 0,
  });
  assert.equal((await sandbox.balance(owner.token)).balance, 950);
  const publisher = await sandbox.publisher();
  const user = freshUser();
  const [task] = await sandbox.getSponsors(publisher.token, user);
  assert.equal(task?.ads_id, body.order_id);
  await sandbox.join(owner.chatId, user);
  await sandbox.confirm(publisher.token, user, body.order_id);

  const after = (await owner.get(`/orders/${body.order_id}`)).body;
  assert.deepEqual(
    [after.subscribers, after.spent, after.remainder, after.remaining_subscribers, after.cr_pct],
    [1, 10, 40, 4, 100],
  );
});

test('the order routes return 401 without beta access', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  for (const [method, path] of [
    ['POST', '/orders'],
    ['GET', '/orders'],
    ['GET', '/orders/1'],
    ['POST', '/orders/1/pause'],
    ['POST', '/orders/1/top-up'],
  ] as const) {
    const answer = await sandbox.call(method, `/api/v1${path}`, method === 'POST' ? {} : undefined, { auth: token });
    assert.deepEqual([answer.status, answer.body.detail], [401, 'Invalid or inactive Bot API Key'], path);
  }
});

test('an Idempotency-Key buys once, another body with the same key returns 422, and a refusal can be retried', async () => {
  const owner = await advertiser();
  const headers = { 'idempotency-key': 'k-1' };
  const [first, second] = [await owner.create({}, headers), await owner.create({}, headers)];
  assert.equal(second.status, 201);
  assert.deepEqual(second.body, first.body);
  const { link } = owner;
  const reordered = { quantity: 5, price_per_sub: 10, title: 'News', resource_type: 'channel', link, name: 'News' };
  const third = await owner.post('/orders', reordered, headers);
  assert.deepEqual([third.status, third.body], [201, first.body], 'the order of the keys does not count');
  const other = await owner.create({ quantity: 6 }, headers);
  assert.deepEqual([other.status, other.body.code], [422, 'idempotency_mismatch']);
  assert.equal((await service.sandbox.balance(owner.token)).balance, 950);

  const dear = await owner.create({ quantity: 5_000 }, { 'idempotency-key': 'k-2' });
  assert.deepEqual([dear.status, dear.body.code], [422, 'insufficient_funds']);
  const again = await owner.create({ quantity: 5_000 }, { 'idempotency-key': 'k-2' });
  assert.equal(again.body.code, 'insufficient_funds');
});

test('twenty simultaneous requests with one key buy once, and the others return the order or can be repeated', async () => {
  const owner = await advertiser();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => owner.create({}, { 'idempotency-key': 'at-once' })),
  );
  // Twenty questions at once can be too many for the Telegram of a busy machine. Such a request changes nothing.
  const refusals = ['request_in_flight', 'telegram_unavailable'];
  for (const { status, body } of answers)
    assert.ok(status === 201 || refusals.includes(body.code), JSON.stringify(body));
  await eventually(
    'the order exists',
    async () => (await owner.create({}, { 'idempotency-key': 'at-once' })).status === 201,
  );
  assert.equal((await service.sandbox.balance(owner.token)).balance, 950);
  assert.equal((await owner.get('/orders')).body.orders.length, 1);
});

test('an owner can pause, resume, cancel and top up an order, and other owners cannot see it', async () => {
  const { sandbox } = service;
  const owner = await advertiser();
  const stranger = await advertiser();
  const { order_id: id } = (await owner.create()).body;
  assert.equal((await owner.post(`/orders/${id}/pause`)).body.status, 'paused');
  assert.equal((await owner.post(`/orders/${id}/resume`)).body.status, 'active');
  const topped = await owner.post(`/orders/${id}/top-up`, { quantity: 5 }, { 'idempotency-key': 't' });
  assert.deepEqual([topped.body.remainder, topped.body.remaining_subscribers], [100, 10]);
  await owner.post(`/orders/${id}/top-up`, { quantity: 5 }, { 'idempotency-key': 't' });
  assert.equal((await sandbox.balance(owner.token)).balance, 900);

  for (const path of [`/orders/${id}`, `/orders/${id}/pause`, `/orders/${id}/top-up`]) {
    const answer = path.endsWith(String(id)) ? await stranger.get(path) : await stranger.post(path, { quantity: 1 });
    assert.deepEqual([answer.status, answer.body.code], [404, 'order_not_found'], path);
  }
  const cancelled = await owner.post(`/orders/${id}/cancel`);
  assert.deepEqual([cancelled.body.status, cancelled.body.remainder], ['cancelled', 0]);
  assert.equal((await sandbox.balance(owner.token)).balance, 1_000);
  const late = await owner.post(`/orders/${id}/resume`);
  assert.deepEqual([late.status, late.body.code], [422, 'wrong_status']);
  await sandbox.assertBalanced();
});

test('the list has pages, newest first, and stays stable while orders are added', async () => {
  const owner = await advertiser();
  const ids: number[] = [];
  for (let i = 0; i < 5; i++) ids.unshift((await owner.create({ quantity: 1 })).body.order_id);
  const first = (await owner.get('/orders?limit=2')).body;
  await owner.create({ quantity: 1 });
  const second = (await owner.get(`/orders?limit=2&cursor=${first.next_cursor}`)).body;
  const third = (await owner.get(`/orders?limit=2&cursor=${second.next_cursor}`)).body;
  const seen = [...first.orders, ...second.orders, ...third.orders].map((order) => order.order_id);
  assert.deepEqual(seen, ids);
  assert.deepEqual([first.has_more, third.has_more, third.next_cursor], [true, false, null]);
});

test('a page has 20 orders by default', async () => {
  const owner = await advertiser();
  for (let i = 0; i < 20; i++) await owner.create({ quantity: 1 });
  const full = (await owner.get('/orders')).body;
  assert.deepEqual([full.orders.length, full.has_more, full.next_cursor], [20, false, null]);
  await owner.create({ quantity: 1 });
  const first = (await owner.get('/orders')).body;
  assert.deepEqual([first.orders.length, first.has_more], [20, true]);
});

test('filters are refused with a hint to use the management bot, and nothing is bought', async () => {
  const owner = await advertiser();
  const { status, body } = await owner.create({ filters: { premium: true } });
  assert.deepEqual([status, body.detail, body.code], [422, 'Validation error', 'filters_not_here']);
  assert.match(body.message, /management bot/);
  assert.equal((await service.sandbox.balance(owner.token)).balance, 1_000);
});

test('a channel that our bot cannot check is refused with instructions', async () => {
  const { sandbox } = service;
  const owner = await advertiser();
  const unknown = await owner.create({ link: 'https://t.me/no_such_channel_here' });
  assert.deepEqual([unknown.status, unknown.body.code], [422, 'resource_refused']);
  await sandbox.fault({ mode: 'not_admin', chat_id: owner.chatId });
  const blind = await owner.create();
  assert.deepEqual([blind.status, blind.body.code], [422, 'resource_refused']);
  assert.match(blind.body.message, /administrator/);
  await sandbox.fault({ mode: 'down' });
  const down = await owner.create();
  assert.deepEqual([down.status, down.body.code], [503, 'telegram_unavailable']);
  await sandbox.fault({ mode: 'none' });
  assert.equal((await sandbox.balance(owner.token)).balance, 1_000);
});

test('a channel where our bot is a member but not an administrator is refused, and nothing is bought', async () => {
  const { sandbox } = service;
  const owner = await advertiser();
  for (const status of ['member', 'restricted']) {
    await sandbox.control('PUT', `/chats/${owner.chatId}/members/${SERVICE_BOT}?status=${status}&silent=true`);
    const { status: refused, body } = await owner.create();
    assert.deepEqual([refused, body.code, body.errors?.[0]?.field], [422, 'resource_refused', 'link'], status);
    assert.match(body.message, /administrator/);
  }
  assert.equal((await sandbox.balance(owner.token)).balance, 1_000);
  await sandbox.control('PUT', `/chats/${owner.chatId}/members/${SERVICE_BOT}?status=administrator&silent=true`);
  assert.equal((await owner.create()).status, 201);
});

test('an order for a bot checks the token of that bot and stores it encrypted', async () => {
  const { sandbox, database } = service;
  const owner = await advertiser();
  const bot = await sandbox.control('POST', '/chats', { type: 'bot', title: 'Quiz' });
  const order = { resource_type: 'bot', link: bot.link };
  const wrong = await owner.create({ ...order, bot_token: `123456:${'x'.repeat(30)}` });
  assert.deepEqual([wrong.status, wrong.body.errors[0].field], [422, 'bot_token']);
  const elsewhere = await owner.create({ ...order, link: owner.link, bot_token: bot.token });
  assert.equal(elsewhere.status, 422);
  const { status, body } = await owner.create({ ...order, bot_token: bot.token });
  assert.equal(status, 201, JSON.stringify(body));
  assert.equal(body.postback, undefined);
  const rows = await database.db.query('SELECT * FROM resources');
  assert.ok(!JSON.stringify(rows, (_, v) => (typeof v === 'bigint' ? String(v) : v)).includes(bot.token));
  assert.ok(!service.logs().includes(bot.token.split(':')[1]));

  const publisher = await sandbox.publisher();
  const user = freshUser();
  await sandbox.getSponsors(publisher.token, user);
  assert.equal((await sandbox.confirm(publisher.token, user, body.order_id)).code, 'not_subscribed');
  await sandbox.join(bot.chat_id, user);
  assert.equal((await sandbox.confirm(publisher.token, user, body.order_id)).code, 'counted');
});

test('invalid fields are refused, and the error names them', async () => {
  const owner = await advertiser();
  for (const [field, value] of [
    ['price_per_sub', 0],
    ['price_per_sub', 1.005],
    ['price_per_sub', '10'],
    ['quantity', 0],
    ['quantity', 1.5],
    ['link', 'https://example.com/x'],
    ['link', 'javascript:alert(1)'],
    ['resource_type', 'group'],
    ['title', ''],
    ['hold_hours', -1],
    ['daily_limit', 0],
    ['refund', 'yes'],
    ['bot_token', 'nope'],
  ] as const) {
    const { status, body } = await owner.create({ [field]: value });
    assert.deepEqual([status, body.detail], [422, 'Validation error'], `${field}=${value}`);
    assert.equal(body.errors[0].field, field);
  }
  for (const id of ['0', 'abc', '1e3', '99999999999999999999', '-1']) {
    assert.equal((await owner.get(`/orders/${id}`)).status, 404, id);
  }
});

test('a top-up above a thousand million subscribers is refused with the reason', async () => {
  const owner = await advertiser();
  const { body } = await owner.create();
  const { db } = service.database;
  await db.query('UPDATE orders SET quantity = 999999995 WHERE id = $1', [body.order_id]);
  const topUp = (quantity: number) => owner.post(`/orders/${body.order_id}/top-up`, { quantity });
  const refused = await topUp(6);
  assert.deepEqual([refused.status, refused.body.code], [422, 'quantity_too_large']);
  assert.match(refused.body.message, /1000000000/);
  assert.equal((await topUp(5)).body.remaining_subscribers, 1_000_000_000);
  assert.equal((await topUp(1)).body.code, 'quantity_too_large');
  assert.equal((await service.sandbox.balance(owner.token)).balance, 900, 'what was refused is not paid');
  await db.query('UPDATE orders SET quantity = 10 WHERE id = $1', [body.order_id]);
});
