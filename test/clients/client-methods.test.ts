import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient, signPostback } from '../../clients/typescript/src/index.ts';
import { useService } from '../api/use-service.ts';
import { eventually } from '../support/eventually.ts';
import { freshUser } from '../support/sandbox.ts';

const service = useService();

/** The operations of the OpenAPI document that all tests of this file have called. */
const reached = new Set<string>();

/** Creates a client that records the operations it calls. */
function connect(token: string) {
  const noting: typeof fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    reached.add(`${init?.method ?? 'GET'} ${pathname.replaceAll(/\/\d+(?=\/|$)/g, '/{id}')}`);
    return fetch(input, init);
  };
  return createClient({ baseUrl: service.url, token, fetch: noting });
}

test('the task flow works: tasks, single and multiple confirms, the balance and explain', async () => {
  const { sandbox } = service;
  const { token, botId } = await sandbox.publisher();
  const client = connect(token);
  const [one, other] = [await sandbox.advertise({ price_per_sub: 10 }), await sandbox.advertise({ price_per_sub: 10 })];
  const user_id = freshUser();

  assert.equal((await client.health()).status, 'ok');
  assert.equal((await client.ready()).status, 'ready');
  const shown = await client.getSponsors({ user_id, first_name: 'Анна', username: undefined, is_premium: false });
  assert.equal(shown.status, 'warning');
  assert.deepEqual(new Set(shown.sponsors.map((task) => task.ads_id)), new Set([one.orderId, other.orderId]));

  assert.equal((await client.confirmSubscription({ user_id, ads_id: one.orderId })).code, 'not_subscribed');
  await sandbox.join(one.chatId, user_id);
  assert.equal((await client.confirmSubscription({ user_id, ads_id: one.orderId })).credited, 7);
  await sandbox.join(other.chatId, user_id);
  const many = await client.confirmSubscriptions({ user_id, ads_ids: [one.orderId, other.orderId] });
  assert.deepEqual([many.grant_access, many.results.map((result) => result.code)], [true, ['counted', 'counted']]);
  assert.equal((await client.getSponsors({ user_id })).status, 'ok');
  const { subscriptions } = await client.userSubscriptions({ user_id, ads_ids: [other.orderId] });
  assert.deepEqual([subscriptions.length, subscriptions[0]?.status], [1, 'subscribed']);

  const { hold_balance, bots_info } = await client.getBalance();
  assert.deepEqual([hold_balance, bots_info.map((bot) => bot.bot_id)], [14, [botId]]);
  assert.equal((await client.explain({ user_id })).removed.already_counted, 2);
});

test('each statistics report has its own shape, and each is available as a table', async () => {
  const { sandbox } = service;
  const order = await sandbox.advertise({ name: 'Spring sale' });
  const { token, botId } = await sandbox.publisher();
  const user = freshUser();
  await sandbox.subscribe(token, order, user);
  const publisher = connect(token);
  const { bots } = await publisher.statistic.allBots();
  assert.deepEqual([bots[0]?.bot_id, bots[0]?.total_subscribers], [botId, 1]);
  assert.equal((await publisher.statistic.bots()).subscriptions[0]?.user_id, user);
  assert.equal((await publisher.statistic.bots({ bot_id: botId })).subscriptions.length, 1);

  const advertiser = connect((await sandbox.publisher({ account_id: order.accountId })).token);
  const { orders } = await advertiser.statistic.allAds();
  assert.deepEqual([orders[0]?.order_id, orders[0]?.subscribers], [order.orderId, 1]);
  const report = await advertiser.statistic.ads({ order_id: order.orderId });
  assert.deepEqual([report.order, report.subscriptions[0]?.user_id], ['Spring sale', user]);
  assert.match(await advertiser.statistic.html({ action: 'allads' }), /<table.*Spring/s);
});

test('orders can be created, listed page by page, paused, resumed, topped up and cancelled', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher({ beta: true, deposit: 1_000 });
  const { orders } = connect(token);
  const ids: number[] = [];
  for (const name of ['first', 'second', 'third']) {
    const chat = await sandbox.control('POST', '/chats', { type: 'channel', title: name, username: `c${freshUser()}` });
    const terms = { name, title: name, link: chat.link, price_per_sub: 10, quantity: 5 };
    const created = await orders.create({ ...terms, resource_type: 'channel' });
    assert.equal(created.remainder, 50);
    ids.unshift(created.order_id);
  }
  const page = await orders.list({ limit: 2 });
  assert.deepEqual([page.orders.map((order) => order.order_id), page.has_more], [ids.slice(0, 2), true]);
  const listed = [];
  for await (const order of orders.all({ limit: 1 })) listed.push(order.order_id);
  assert.deepEqual(listed, ids);
  const after = [];
  for await (const order of orders.all({ limit: 1, cursor: page.next_cursor ?? undefined })) after.push(order.order_id);
  assert.deepEqual(after, ids.slice(2), 'from a cursor on');

  const [id = 0] = ids;
  assert.equal((await orders.pause(id)).status, 'paused');
  assert.equal((await orders.resume(id)).status, 'active');
  assert.equal((await orders.topUp(id, { quantity: 3 })).remainder, 80);
  assert.equal((await orders.get(id)).remaining_subscribers, 8);
  assert.equal((await orders.cancel(id)).status, 'cancelled');
});

test('links can be created, changed, listed, counted and deleted', async () => {
  const { token } = await service.sandbox.publisher({ beta: true });
  const { links } = connect(token);
  const geo = [{ countries: ['RU'], url: 'https://example.com/ru' }];
  const { link_id: id, short_url } = await links.create({ url: 'https://example.com/', geo });
  assert.match(short_url, /\/l\/\w+$/);
  assert.deepEqual((await links.get(id)).geo, geo);
  assert.deepEqual((await links.update(id, { name: 'Landing', geo: [] })).geo, []);
  assert.deepEqual(
    (await links.list()).links.map((link) => link.name),
    ['Landing'],
  );
  for await (const link of links.all()) assert.equal(link.link_id, id);
  assert.equal((await links.clicks(id, { days: 7 })).by_day.length, 7);
  assert.equal(await links.delete(id), undefined);
  assert.deepEqual((await links.list()).links, []);
});

test('endpoints can be created, tested, logged, replayed, rotated, enabled again and deleted', async () => {
  const { token } = await service.sandbox.publisher({ beta: true });
  const { webhooks } = connect(token);
  const url = `${service.url}/sandbox/inbox/methods?status=410`;
  const { webhook_id: id, secret } = await webhooks.create({ url, events: ['payout.sent'] });
  assert.match(secret, /^whsec_/);
  const { delivery_id } = await webhooks.test(id);
  await eventually('the webhook is disabled', async () => (await webhooks.list()).webhooks[0]?.is_enabled === false);
  assert.equal((await webhooks.enable(id)).is_enabled, true);
  assert.equal((await webhooks.replay(id, { delivery_id })).replayed, 1);
  assert.equal((await webhooks.deliveries(id, { limit: 5 })).deliveries[0]?.delivery_id, delivery_id);
  for await (const delivery of webhooks.allDeliveries(id)) assert.equal(delivery.type, 'webhook.test');
  assert.notEqual((await webhooks.rotateSecret(id)).secret, secret);
  assert.equal(await webhooks.delete(id), undefined);
  assert.deepEqual((await webhooks.list()).webhooks, []);
});

test('the account methods return the token, payouts, contests and platform figures', async () => {
  const { token } = await service.sandbox.publisher({ beta: true });
  const client = connect(token);
  assert.deepEqual((await client.tokens.current()).scopes, ['beta']);
  assert.deepEqual((await client.payouts.list({ limit: 1 })).payouts, []);
  for await (const payout of client.payouts.all()) assert.fail(`there is no payout ${payout.payout_id}`);
  assert.ok(Array.isArray((await client.contests.list()).contests));
  assert.equal(typeof (await client.platformStats()).all_time.subscriptions, 'number');
  const { api_token } = await client.tokens.rotate({ grace_hours: 1 });
  assert.deepEqual((await connect(api_token).tokens.current()).scopes, ['beta']);
});

test("the advertiser's side signs a postback for a bot that only it can check", async () => {
  const { sandbox } = service;
  const { token: owner } = await sandbox.publisher({ beta: true, deposit: 100 });
  const advertiser = connect(owner);
  const link = `https://t.me/outside_${freshUser()}_bot`;
  const { order_id: orderId, postback } = (await sandbox.orderExternal(owner, { link, quantity: 1 })).body;
  const publisher = connect((await sandbox.publisher()).token);
  const user_id = freshUser();
  const task = (await publisher.getSponsors({ user_id })).sponsors.find(({ ads_id }) => ads_id === orderId);
  const click_id = new URL(task?.link ?? '').searchParams.get('start') ?? '';
  assert.equal((await publisher.confirmSubscription({ user_id, ads_id: orderId })).code, 'pending');
  const signature = await signPostback(postback?.secret ?? '', { click_id, status: 'approved' });
  assert.equal((await advertiser.postback({ click_id, status: 'approved', signature })).status, 'ok');
  assert.equal((await publisher.statistic.bots()).subscriptions[0]?.status, 'subscribed');
});

// This test must be the last of the file, because the tests above call every method.
test('the client has a method for every operation of the OpenAPI document', async () => {
  const { body } = await service.sandbox.call('GET', '/openapi.json');
  // The compatible APIs have the clients of their own networks.
  const described = Object.entries<Record<string, unknown>>(body.paths)
    .filter(([path]) => !path.startsWith('/compat/'))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`));
  assert.deepEqual([...reached].sort(), described.sort());
});
