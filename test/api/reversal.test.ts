import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { freshUser } from '../support/sandbox.ts';
import { useService } from './use-service.ts';

const service = useService();
const HOUR = 3600;
const DAY = 24 * HOUR;

/** Returns the counted subscriptions, the escrow and the margin of an order. */
async function booksOf(orderId: number): Promise<{ subscribers: number; escrow: number; platform: number }> {
  const { subscribers } = await service.sandbox.order(orderId);
  const escrow = await service.sandbox.kopecks('escrow', orderId);
  return { subscribers, escrow, platform: await service.sandbox.kopecks('platform', orderId) };
}

test('a reward stays in hold_balance for the window, and is available at once without hold', async () => {
  const { sandbox } = service;
  const [holding, direct] = [await sandbox.publisher(), await sandbox.publisher()];
  await sandbox.subscribe(holding.token, await sandbox.advertise(), freshUser());
  await sandbox.pauseAllOrders();
  await sandbox.subscribe(direct.token, await sandbox.advertise({ hold_hours: 0 }), freshUser());
  assert.deepEqual(await sandbox.money(holding.token), { balance: 0, hold_balance: 7 });
  assert.deepEqual(await sandbox.money(direct.token), { balance: 7, hold_balance: 0 });

  await sandbox.advance(DAY - 60);
  assert.deepEqual(await sandbox.money(holding.token), { balance: 0, hold_balance: 7 });
  await sandbox.advance(60);
  assert.deepEqual(await sandbox.money(holding.token), { balance: 7, hold_balance: 0 });
  assert.deepEqual(await sandbox.money(direct.token), { balance: 7, hold_balance: 0 });
});

for (const holdHours of [0, 24, 48]) {
  test(`a leave within a day reverses the reward and refunds the order (hold of ${holdHours} h)`, async () => {
    const { sandbox } = service;
    const { token } = await sandbox.publisher();
    const order = await sandbox.advertise({ hold_hours: holdHours });
    const user = freshUser();
    await sandbox.subscribe(token, order, user);
    assert.deepEqual(await booksOf(order.orderId), { subscribers: 1, escrow: 9_000, platform: 300 });

    await sandbox.advance(DAY - 60);
    await sandbox.leave(order.chatId, user);
    assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 0 });
    assert.deepEqual(await booksOf(order.orderId), { subscribers: 0, escrow: 10_000, platform: 0 });
    await sandbox.assertBalanced();
  });

  test(`without refund the charge stays with the platform and the publisher loses the reward (hold of ${holdHours} h)`, async () => {
    const { sandbox } = service;
    const { token } = await sandbox.publisher();
    const order = await sandbox.advertise({ hold_hours: holdHours, refund: false });
    const user = freshUser();
    await sandbox.subscribe(token, order, user);
    await sandbox.leave(order.chatId, user);
    assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 0 });
    assert.deepEqual(await booksOf(order.orderId), { subscribers: 1, escrow: 9_000, platform: 1_000 });
    await sandbox.assertBalanced();
  });
}

test('a refunded slot is shown to the next user', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise({ quantity: 1 });
  const user = freshUser();
  await sandbox.subscribe(token, order, user);
  assert.deepEqual(await sandbox.getSponsors(token, freshUser()), []);
  await sandbox.leave(order.chatId, user);
  await eventually('the freed slot is shown', async () => {
    const shown = await sandbox.getSponsors(token, freshUser());
    return shown.some((task) => task.ads_id === order.orderId);
  });
});

test('a slot without refund is not shown again', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise({ quantity: 1, refund: false });
  const user = freshUser();
  await sandbox.subscribe(token, order, user);
  await sandbox.leave(order.chatId, user);
  await sandbox.advance(60); // reloads the order book
  assert.deepEqual(await sandbox.getSponsors(token, freshUser()), []);
});

test('a hold shorter than a day releases the reward early, and a leave within the day still reverses it', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise({ hold_hours: 1 });
  const user = freshUser();
  await sandbox.subscribe(token, order, user);
  await sandbox.advance(HOUR);
  assert.deepEqual(await sandbox.money(token), { balance: 7, hold_balance: 0 });
  await sandbox.advance(20 * HOUR);
  await sandbox.leave(order.chatId, user);
  assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 0 });
  assert.deepEqual(await booksOf(order.orderId), { subscribers: 0, escrow: 10_000, platform: 0 });
});

test('a leave without an update is found when a short hold ends', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise({ hold_hours: 1 });
  const user = freshUser();
  await sandbox.subscribe(token, order, user);
  await sandbox.leave(order.chatId, user, true);
  await sandbox.advance(HOUR);
  assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 0 });
});

for (const holdHours of [0, 1, 24]) {
  test(`the check at the end of the day finds a leave without an update (hold of ${holdHours} h)`, async () => {
    const { sandbox } = service;
    const { token } = await sandbox.publisher();
    const order = await sandbox.advertise({ hold_hours: holdHours });
    const user = freshUser();
    await sandbox.subscribe(token, order, user);
    await sandbox.advance(2 * HOUR);
    await sandbox.leave(order.chatId, user, true);
    await sandbox.advance(22 * HOUR);
    assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 0 });
    assert.deepEqual(await booksOf(order.orderId), { subscribers: 0, escrow: 10_000, platform: 0 });
    await sandbox.assertBalanced();
  });

  test(`a leave after the day changes nothing (hold of ${holdHours} h)`, async () => {
    const { sandbox } = service;
    const { token } = await sandbox.publisher();
    const order = await sandbox.advertise({ hold_hours: holdHours });
    const user = freshUser();
    await sandbox.subscribe(token, order, user);
    await sandbox.advance(DAY);
    await sandbox.leave(order.chatId, user);
    await sandbox.advance(DAY);
    assert.deepEqual(await sandbox.money(token), { balance: 7, hold_balance: 0 });
    assert.deepEqual(await booksOf(order.orderId), { subscribers: 1, escrow: 9_000, platform: 300 });
  });
}

test('a return within the day does not restore a reversed reward', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise();
  const user = freshUser();
  await sandbox.subscribe(token, order, user);
  await sandbox.leave(order.chatId, user);
  await sandbox.join(order.chatId, user);
  await sandbox.advance(DAY);
  assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 0 });
});

test('a leave update from before the confirm reverses nothing, and a later one reverses the reward', async () => {
  const { sandbox, database } = service;
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise();
  const [user, other] = [freshUser(), freshUser()];
  const isMember = async (userId: number, expected: boolean): Promise<void> =>
    eventually('Telegram has changed the membership', async () => {
      const rows = await database.db.query<{ is_member: boolean }>(
        'SELECT is_member FROM sandbox.tg_members WHERE chat_id = $1 AND user_id = $2',
        [order.chatId, userId],
      );
      return rows[0]?.is_member === expected;
    });
  await sandbox.getSponsors(token, user);
  await sandbox.join(order.chatId, user);
  // The current poll still returns one update. Later updates wait until Telegram can be polled again.
  await sandbox.fault({ mode: 'down', method: 'getUpdates' });
  const queued = [sandbox.join(order.chatId, other)];
  await isMember(other, true);
  queued.push(sandbox.leave(order.chatId, user));
  await isMember(user, false);
  queued.push(sandbox.join(order.chatId, user));
  await isMember(user, true);
  await sandbox.advance(60);
  assert.equal((await sandbox.confirm(token, user, order.orderId)).code, 'counted');
  await sandbox.fault({ mode: 'none' });
  await Promise.all(queued);
  // Updates are handled in order, so this one is handled after the late ones.
  await sandbox.leave(order.chatId, other);
  assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 7 });

  await sandbox.advance(60);
  await sandbox.leave(order.chatId, user);
  assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 0 });
  await sandbox.assertBalanced();
});

test('a leave at the same second as the confirm is checked in Telegram before it reverses the reward', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise();
  const [gone, back] = [freshUser(), freshUser()];
  await sandbox.subscribe(token, order, gone);
  await sandbox.leave(order.chatId, gone);
  assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 0 });

  await sandbox.subscribe(token, order, back);
  await sandbox.fault({ mode: 'down', method: 'getChatMember' });
  await sandbox.leave(order.chatId, back);
  assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 7 });
  await sandbox.fault({ mode: 'none' });
  await sandbox.advance(120);
  assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 0 });
});

test('a leave does not change the rewards for other resources', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const orders = [await sandbox.advertise(), await sandbox.advertise()];
  const [user, neighbour] = [freshUser(), freshUser()];
  for (const order of orders) await sandbox.subscribe(token, order, user);
  for (const order of orders) await sandbox.subscribe(token, order, neighbour);
  await sandbox.leave(orders[0]?.chatId ?? 0, user);
  assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 21 });
  await sandbox.advance(DAY);
  assert.deepEqual(await sandbox.money(token), { balance: 21, hold_balance: 0 });
});
