import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshUser } from '../support/sandbox.ts';
import { useService } from './use-service.ts';

const service = useService();

test('a confirmed task credits the publisher, and the reward leaves hold after a day', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const { orderId, chatId } = await sandbox.advertise({ price_per_sub: 10 });
  const user = freshUser();

  const [task] = await sandbox.getSponsors(token, user);
  assert.equal(task?.ads_id, orderId);
  await sandbox.join(chatId, user);
  const confirmed = await sandbox.confirm(token, user, orderId);
  assert.equal(confirmed.credited, 7);
  assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 7 });

  await sandbox.advance(24 * 3600);
  assert.deepEqual(await sandbox.money(token), { balance: 7, hold_balance: 0 });
  await sandbox.assertBalanced();
});

test('a response with tasks has the status `warning`, exactly the fields of the contract and no message', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const chat = await sandbox.control('POST', '/chats', { type: 'channel', title: 'Котики & Ко' });
  const { orderId } = await sandbox.advertise({ chat_id: chat.chat_id, name: 'Not for publishers' });

  const answer = await sandbox.api(token, 'get-sponsors', { user_id: freshUser() });
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
  assert.deepEqual(answer.body, {
    status: 'warning',
    sponsors: [
      {
        ads_id: orderId,
        link: chat.link,
        resource_type: 'channel',
        title: 'Котики & Ко',
        status: 'unsubscribed',
        reward: 7,
      },
    ],
  });
});

test('a response without tasks has the status `ok`, an empty list and a message that grants access', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const answer = await sandbox.api(token, 'get-sponsors', { user_id: freshUser() });
  assert.equal(answer.status, 200);
  const { message, ...rest } = answer.body;
  assert.deepEqual(rest, { status: 'ok', sponsors: [] });
  assert.equal(typeof message, 'string');
  assert.notEqual(message, '');
});

test('a user who has done every task gets access', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const orders = [await sandbox.advertise(), await sandbox.advertise({ type: 'bot' })];
  const user = freshUser();
  for (const order of orders) await sandbox.subscribe(token, order, user);

  const answer = await sandbox.api(token, 'get-sponsors', { user_id: user });
  assert.equal(answer.body.status, 'ok');
  assert.deepEqual(answer.body.sponsors, []);
});

test('get-sponsors accepts every optional field and ignores unknown ones', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const { orderId } = await sandbox.advertise();
  const shown = await sandbox.getSponsors(token, freshUser(), {
    chat_id: -1001234567890,
    first_name: 'Ольга 🦊',
    username: 'olga',
    language_code: 'ru',
    is_premium: true,
    max_sponsors: 50,
    action: 'subscribe',
    utm_source: { nested: ['whatever'] },
  });
  assert.deepEqual(
    shown.map((task) => task.ads_id),
    [orderId],
  );
});

test('the reward is the publisher share of the price, rounded down to a kopeck', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise({ price_per_sub: 0.99, quantity: 100, hold_hours: 0 });
  const confirmed = await sandbox.subscribe(token, order, freshUser());
  assert.equal(confirmed.credited, 0.69); // 70 % of 0.99 is 0.693
  assert.deepEqual(await sandbox.money(token), { balance: 0.69, hold_balance: 0 });
  assert.equal(await sandbox.kopecks('escrow', order.orderId), 9_801);
  assert.equal(await sandbox.kopecks('platform', order.orderId), 30);
});
