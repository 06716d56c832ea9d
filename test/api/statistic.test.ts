import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshUser } from '../support/sandbox.ts';
import { useService } from './use-service.ts';

const service = useService();
/** ISO 8601 with a numeric offset, which is the timestamp format of the contract. */
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?[+-]\d\d:\d\d$/;

test('`allbots` is the default and sums up exactly the bots of the owner', async () => {
  const { sandbox } = service;
  const one = await sandbox.publisher({ username: 'first_statistic_bot' });
  const other = await sandbox.publisher({ account_id: one.accountId, username: 'second_statistic_bot' });
  const order = await sandbox.advertise({ hold_hours: 0 });
  await sandbox.subscribe(one.token, order, freshUser());
  await sandbox.subscribe(one.token, order, freshUser());

  const answer = await sandbox.statistic(other.token);
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
  const summary = { is_active: true, total_subscribers: 0, revenue: 0 };
  assert.deepEqual(answer.body, {
    bots: [
      { ...summary, bot_id: one.botId, bot_username: 'first_statistic_bot', total_subscribers: 2, revenue: 14 },
      { ...summary, bot_id: other.botId, bot_username: 'second_statistic_bot' },
    ],
  });
  assert.deepEqual(
    (await sandbox.statistic(other.token, { action: 'allbots', output_format: 'json' })).body,
    answer.body,
  );
});

test('a reversed subscription counts neither as a subscriber nor as revenue', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise();
  const [stays, goes] = [freshUser(), freshUser()];
  await sandbox.subscribe(token, order, stays);
  await sandbox.subscribe(token, order, goes);
  await sandbox.leave(order.chatId, goes);
  const { bots } = (await sandbox.statistic(token)).body;
  assert.deepEqual([bots[0].total_subscribers, bots[0].revenue], [1, 7]);
});

test('`bots` lists the latest subscriptions of a bot, newest first, with status and amount', async () => {
  const { sandbox } = service;
  const [one, other] = [await sandbox.publisher({ username: 'records_bot' }), await sandbox.publisher()];
  const order = await sandbox.advertise({ hold_hours: 0 });
  const { orderId: order_id, chatId } = order;
  const [stays, goes, elsewhere, outstanding] = [freshUser(), freshUser(), freshUser(), freshUser()];
  await sandbox.subscribe(one.token, order, stays);
  await sandbox.advance(1);
  await sandbox.subscribe(one.token, order, goes);
  await sandbox.leave(chatId, goes);
  await sandbox.advance(1);
  for (const { token } of [one, other]) await sandbox.getSponsors(token, elsewhere);
  await sandbox.join(chatId, elsewhere);
  await sandbox.confirm(other.token, elsewhere, order_id);
  await sandbox.confirm(one.token, elsewhere, order_id);
  await sandbox.getSponsors(one.token, outstanding);

  const { body } = await sandbox.statistic(one.token, { action: 'bots', bot_id: one.botId });
  assert.equal(body.bot, 'records_bot');
  const { now } = await sandbox.control('GET', '/state');
  for (const record of body.subscriptions) {
    assert.match(record.created_at, TIMESTAMP);
    assert.ok(Math.abs(Date.parse(record.created_at) - Date.parse(now)) < 60_000);
    delete record.created_at;
  }
  assert.deepEqual(body.subscriptions, [
    { user_id: elsewhere, order_id, status: 'notgetted', amount: 0 },
    { user_id: goes, order_id, status: 'unsubscribed', amount: 7 },
    { user_id: stays, order_id, status: 'subscribed', amount: 7 },
  ]);
});

test('`bots` without bot_id reports the bot of the token', async () => {
  const { sandbox } = service;
  const one = await sandbox.publisher({ username: 'default_one_bot' });
  const other = await sandbox.publisher({ account_id: one.accountId, username: 'default_other_bot' });
  assert.equal((await sandbox.statistic(other.token, { action: 'bots' })).body.bot, 'default_other_bot');
  const asked = await sandbox.statistic(other.token, { action: 'bots', bot_id: one.botId });
  assert.deepEqual(asked.body, { bot: 'default_one_bot', subscriptions: [] });
});

test('an unknown bot and the bot of another owner return 404', async () => {
  const { sandbox } = service;
  const [one, stranger] = [await sandbox.publisher(), await sandbox.publisher()];
  for (const botId of [stranger.botId, 999_999_999]) {
    for (const output_format of ['json', 'html']) {
      const answer = await sandbox.statistic(one.token, { action: 'bots', bot_id: botId, output_format });
      assert.equal(answer.status, 404);
      assert.equal(answer.body.detail, 'Bot not found');
      assert.equal(answer.body.code, 'bot_not_found');
    }
  }
});

test('`allads` sums up the subscribers, conversion and spending of the orders of the owner', async () => {
  const { sandbox } = service;
  const advertiser = await sandbox.publisher({ deposit: 200 });
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise({ account_id: advertiser.accountId, name: 'Spring', refund: true });
  const [stays, goes] = [freshUser(), freshUser()];
  await sandbox.subscribe(token, order, stays);
  await sandbox.subscribe(token, order, goes);
  await sandbox.leave(order.chatId, goes);
  for (let i = 0; i < 2; i++) await sandbox.getSponsors(token, freshUser());

  assert.deepEqual((await sandbox.statistic(advertiser.token, { action: 'allads' })).body, {
    orders: [
      {
        order_id: order.orderId,
        name: 'Spring',
        status: 'active',
        price_per_sub: 10,
        subscribers: 1,
        cr_pct: 50,
        spent: 10,
      },
    ],
  });
  assert.deepEqual((await sandbox.statistic(token, { action: 'allads' })).body, { orders: [] });
});

test('a reversed subscription without refund stays in the spending', async () => {
  const { sandbox } = service;
  const advertiser = await sandbox.publisher({ deposit: 200 });
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise({ account_id: advertiser.accountId, refund: false });
  const user = freshUser();
  await sandbox.subscribe(token, order, user);
  await sandbox.leave(order.chatId, user);
  const [summary] = (await sandbox.statistic(advertiser.token, { action: 'allads' })).body.orders;
  assert.deepEqual([summary.subscribers, summary.spent], [0, 10]);
});

test('`ads` lists the latest subscriptions of an order by name', async () => {
  const { sandbox } = service;
  const advertiser = await sandbox.publisher({ deposit: 200 });
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise({ account_id: advertiser.accountId, name: 'Autumn' });
  const user = freshUser();
  await sandbox.subscribe(token, order, user);
  const { body } = await sandbox.statistic(advertiser.token, { action: 'ads', order_id: order.orderId });
  assert.equal(body.order, 'Autumn');
  assert.equal(body.subscriptions.length, 1);
  const { created_at, ...record } = body.subscriptions[0];
  assert.match(created_at, TIMESTAMP);
  assert.equal(record.user_id, user);
  assert.equal(record.order_id, order.orderId);
  assert.equal(record.status, 'subscribed');
});

test('an unknown order and the order of another owner return 404, and a missing order returns 422', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise();
  for (const orderId of [order.orderId, 999_999_999]) {
    const answer = await sandbox.statistic(token, { action: 'ads', order_id: orderId });
    assert.equal(answer.status, 404);
    assert.equal(answer.body.detail, 'Bot not found');
    assert.equal(answer.body.code, 'order_not_found');
  }
  const missing = await sandbox.statistic(token, { action: 'ads' });
  assert.equal(missing.status, 422);
  assert.equal(missing.body.detail, 'Validation error');
  assert.equal(missing.body.errors[0].field, 'order_id');
});

test('at most the latest hundred subscriptions are shown', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise({ price_per_sub: 1, quantity: 101 });
  let last = 0;
  for (let i = 0; i < 101; i++) {
    last = freshUser();
    await sandbox.getSponsors(token, last);
    await sandbox.join(order.chatId, last, true);
    await sandbox.confirm(token, last, order.orderId);
  }
  const { subscriptions } = (await sandbox.statistic(token, { action: 'bots' })).body;
  assert.equal(subscriptions.length, 100);
  assert.equal(subscriptions[0].user_id, last);
});
