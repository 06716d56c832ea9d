import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useService } from '../api/use-service.ts';
import { eventually } from '../support/eventually.ts';
import { freshUser } from '../support/sandbox.ts';

const service = useService();

const call = (token: string, path: string, body: unknown) =>
  service.sandbox.call('POST', `/compat/subgram/${path}`, body, { auth: token });

test('get-user-subscriptions confirms what was shown and shows nothing new', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const { chatId } = await sandbox.advertise();
  const user = freshUser();
  assert.deepEqual((await call(token, 'get-user-subscriptions', { user_id: user })).body.additional, { sponsors: [] });
  const first = await call(token, 'get-sponsors', { user_id: user, chat_id: user });
  const [{ link }] = first.body.additional.sponsors;
  await sandbox.join(chatId, user);
  const { body } = await call(token, 'get-user-subscriptions', { user_id: user, links: [link] });
  assert.equal(body.status, 'ok');
  assert.deepEqual(
    body.additional.sponsors.map((one: { link: string; status: string }) => [one.link, one.status]),
    [[link, 'subscribed']],
  );
  assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 7 });
});

test('excluded orders are left out, and the older request returns bare links', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const [one, other] = [await sandbox.advertise(), await sandbox.advertise()];
  const user = freshUser();
  const body = { user_id: user, chat_id: user, exclude_ads_ids: [one.orderId] };
  const sponsors = (await call(token, 'get-sponsors', body)).body.additional.sponsors;
  assert.deepEqual(
    sponsors.map((sponsor: { ads_id: string }) => sponsor.ads_id),
    [String(other.orderId)],
  );
  const older = await call(token, 'request-op/', { UserId: user, ChatId: String(user), MaxOP: '5', Gender: null });
  assert.equal(older.status, 200);
  assert.equal(older.body.links.length, 2);
  await sandbox.pauseAllOrders();
  assert.equal((await call(token, 'request-op-tokenless/', { UserId: freshUser() })).status, 404);
});

test('bots: settings are read and changed, and a bot of another account is refused', async () => {
  const { sandbox } = service;
  const { token, botId } = await sandbox.publisher();
  const foreign = await sandbox.publisher();
  const info = (await call(token, 'bots', { action: 'info' })).body;
  assert.equal(info.result.bot_id, botId);
  assert.equal(info.result.api_key, token);
  const changed = (await call(token, 'bots', { action: 'update', bot_id: botId, max_sponsors: 3, time_purge: 60 }))
    .body;
  assert.deepEqual([changed.result.max_sponsors, changed.result.time_purge], [3, 60]);
  assert.equal((await call(token, 'bots', { action: 'info', bot_id: foreign.botId })).body.code, 404);
  assert.equal((await call(token, 'bots', { action: 'update', time_purge: 1 })).body.status, 'error');
});

test('bots: a bot is added by its Telegram token, once', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const username = 'added_by_token_bot';
  const { token: botToken } = await sandbox.control('POST', '/chats', { type: 'bot', title: 'Added', username });
  const added = await call(token, 'bots', { action: 'add', bot_token: botToken });
  assert.equal(added.status, 200, JSON.stringify(added.body));
  const info = (await call(added.body.result.api_key, 'bots', { action: 'info' })).body;
  assert.equal(info.result.bot_nickname, username);
  assert.equal((await call(token, 'bots', { action: 'add', bot_token: botToken })).body.status, 'error');
  assert.equal((await call(token, 'bots', { action: 'add', bot_token: null })).body.code, 422);
});

test('orders and statistics: an advertiser buys, grows, pauses and reads an order', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher({ beta: true, deposit: 1_000 });
  const { link } = await sandbox.control('POST', '/chats', {
    type: 'channel',
    title: 'Bought',
    username: 'bought_channel',
  });
  const order = { action: 'create', link, ads_type: 'channel', quantity_all: 5, price: 10, name: 'Bought' };
  assert.equal((await call(token, 'orders', { ...order, user_parameters: { gender: 'male' } })).body.code, 422);
  const created = await call(token, 'orders', order);
  assert.equal(created.status, 200, JSON.stringify(created.body));
  const { order_id } = created.body.response;
  const grown = await call(token, 'orders', { action: 'update', order_id, quantity_all: 8, is_on: 0 });
  assert.deepEqual([grown.body.response.quantity_all, grown.body.response.status], [8, 'Stopped']);
  assert.equal((await call(token, 'get-balance', {})).body.balance, 920);
  for (const action of ['allads', 'ads', 'source', 'allbots', 'bots', 'sponsor']) {
    const query = `action=${action}${action === 'ads' || action === 'source' ? `&ads_id=${order_id}` : ''}`;
    const answer = await sandbox.call('GET', `/compat/subgram/statistic?${query}`, undefined, { auth: token });
    assert.equal(answer.body.status, 'ok', JSON.stringify(answer.body));
  }
  const other = await sandbox.publisher();
  assert.equal((await call(other.token, 'orders', { action: 'info', order_id })).body.code, 401);
});

test('toggle-exclusion hides an order from the bot and a bot from the order, each for its owner only', async () => {
  const { sandbox } = service;
  const publisher = await sandbox.publisher();
  const advertiser = await sandbox.publisher({ beta: true, deposit: 1_000 });
  const { orderId } = await sandbox.advertise({ account_id: advertiser.accountId });
  const shown = async () =>
    (await sandbox.getSponsors(publisher.token, freshUser())).map((task: { ads_id: number }) => task.ads_id);
  const toggle = async (token: string, body: object) =>
    (await call(token, 'toggle-exclusion', { ads_id: orderId, ...body })).body;

  const asPublisher = { context: 'publisher' };
  assert.equal((await toggle(publisher.token, { ...asPublisher, action: 'exclude' })).status, 'ok');
  assert.deepEqual(await shown(), []);
  assert.equal((await toggle(publisher.token, { ...asPublisher, action: 'activate' })).status, 'ok');
  assert.deepEqual(await shown(), [orderId]);

  const asAdvertiser = { context: 'advertiser', bot_id: publisher.botId };
  assert.equal((await toggle(publisher.token, { ...asAdvertiser, action: 'exclude' })).code, 401, 'no beta access');
  const stranger = await sandbox.publisher({ beta: true });
  assert.equal((await toggle(stranger.token, { ...asAdvertiser, action: 'exclude' })).code, 404);
  assert.equal((await toggle(advertiser.token, { context: 'advertiser', action: 'exclude' })).code, 422);
  assert.deepEqual(await shown(), [orderId]);
  assert.equal((await toggle(advertiser.token, { ...asAdvertiser, action: 'exclude' })).status, 'ok');
  await eventually('the order is not shown in the bot', async () => (await shown()).length === 0);
});

test('statistic with action=sponsor lists the orders that a bot earned with', async () => {
  const { sandbox } = service;
  const { token, botId } = await sandbox.publisher();
  const order = await sandbox.advertise();
  await sandbox.subscribe(token, order, freshUser());
  const read = (query: string, auth: string) =>
    sandbox.call('GET', `/compat/subgram/statistic?action=sponsor${query}`, undefined, { auth });
  const { table_data } = (await read(`&bot_id=${botId}`, token)).body.data;
  const [{ link, ...figures }] = table_data;
  assert.match(link, /^https:\/\/t\.me\//);
  assert.deepEqual(figures, { ads_id: order.orderId, subscribers: 1, value: 7, is_excluded: false });
  const stranger = await sandbox.publisher();
  assert.equal((await read(`&bot_id=${botId}`, stranger.token)).body.code, 404);
  assert.deepEqual((await read('', stranger.token)).body.data.table_data, []);
});
