import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshUser } from '../support/sandbox.ts';
import { startTestService } from '../support/service.ts';
import { useService } from './use-service.ts';

const service = useService();
const HOUR = 3600;

async function idsShown(token: string, user: number, extra: Record<string, unknown> = {}): Promise<number[]> {
  return (await service.sandbox.getSponsors(token, user, extra)).map((task) => task.ads_id);
}

test('a task confirmed within an hour is paid', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const { orderId, chatId } = await sandbox.advertise();
  const user = freshUser();
  await idsShown(token, user);
  await sandbox.join(chatId, user);
  await sandbox.advance(HOUR - 60);
  assert.equal((await sandbox.confirm(token, user, orderId)).code, 'counted');
});

test('a late confirm is paid when the user joined after the showing and the order has a free slot', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const { orderId, chatId } = await sandbox.advertise({ quantity: 1 });
  const user = freshUser();
  await idsShown(token, user);
  await sandbox.advance(5 * 60);
  await sandbox.join(chatId, user);
  await sandbox.advance(HOUR);
  assert.equal((await sandbox.order(orderId)).reserved, 0, 'the slot was given back');

  const first = await sandbox.confirm(token, user, orderId);
  assert.deepEqual([first.status, first.code, first.credited, first.grant_access], ['ok', 'counted', 7, true]);
  assert.deepEqual(await sandbox.confirm(token, user, orderId), first, 'a repeat answers like the first');
  assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 7 });
  assert.deepEqual(await idsShown(token, freshUser()), [], 'it took the slot again');
  await sandbox.assertBalanced();
});

test('a late confirm without a free slot grants access without credit, and is paid when a slot is free', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise({ quantity: 1 });
  const user = freshUser();
  await idsShown(token, user);
  await sandbox.join(order.chatId, user);
  await sandbox.advance(HOUR);
  const other = freshUser();
  await sandbox.subscribe(token, order, other);

  assert.deepEqual(await sandbox.confirm(token, user, order.orderId), {
    status: 'ok',
    subscribed: true,
    credited: 0,
    message: 'Subscription is real but was not counted: the order has no room left',
    code: 'order_full',
    grant_access: true,
    credit_status: 'not_counted',
  });
  assert.deepEqual(await idsShown(token, user), [], 'a full order keeps nobody out');
  assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 7 });
  await sandbox.leave(order.chatId, other);
  assert.equal((await sandbox.confirm(token, user, order.orderId)).code, 'counted');
  await sandbox.assertBalanced();
});

test('of two simultaneous late confirms for the last slot, one is paid', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const { orderId, chatId } = await sandbox.advertise({ quantity: 2 });
  const users = [freshUser(), freshUser()];
  for (const user of users) {
    await idsShown(token, user);
    await sandbox.join(chatId, user);
  }
  await sandbox.advance(HOUR);
  assert.deepEqual(await idsShown(token, freshUser()), [orderId]);
  const answers = await Promise.all(users.map((user) => sandbox.confirm(token, user, orderId)));
  assert.deepEqual(new Set(answers.map(({ code }) => code)), new Set(['counted', 'order_full']));
  await sandbox.assertBalanced();
});

test('tasks beyond the reservation limit of a new bot are shown, and paid while the order has free slots', async () => {
  const limited = await startTestService({ NEW_BOT_RESERVATIONS: '1' });
  try {
    const { sandbox } = limited;
    await sandbox.pauseAllOrders();
    const { token } = await sandbox.publisher();
    const { orderId, chatId } = await sandbox.advertise({ quantity: 2 });
    const users = [freshUser(), freshUser(), freshUser(), freshUser()];
    for (const user of users) {
      assert.equal((await sandbox.getSponsors(token, user)).length, 1);
      await sandbox.join(chatId, user);
    }
    assert.equal((await sandbox.order(orderId)).reserved, 1);
    const codes: string[] = [];
    for (const user of users.reverse()) codes.push((await sandbox.confirm(token, user, orderId)).code);
    assert.deepEqual(codes, ['counted', 'order_full', 'order_full', 'counted'], 'the reserved slot is kept');
    assert.equal((await sandbox.order(orderId)).reserved, 0);
    await sandbox.assertBalanced();
  } finally {
    await limited.stop();
  }
});

test('a late confirm of a closed order is not paid', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const owner = await sandbox.publisher({ beta: true, deposit: 100 });
  const { orderId, chatId } = await sandbox.advertise({ account_id: owner.accountId });
  const user = freshUser();
  await idsShown(token, user);
  await sandbox.join(chatId, user);
  await sandbox.advance(HOUR);
  const cancelled = await sandbox.call('POST', `/api/v1/orders/${orderId}/cancel`, {}, { auth: owner.token });
  assert.equal(cancelled.status, 200, JSON.stringify(cancelled.body));
  assert.equal((await sandbox.confirm(token, user, orderId)).code, 'order_full');
});

test('get-sponsors returns an expired task that the user has joined, so that a bot can confirm it', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher({ round_minutes: 120 });
  const { orderId, chatId } = await sandbox.advertise({ quantity: 1 });
  const user = freshUser();
  await idsShown(token, user);
  await sandbox.join(chatId, user);
  await sandbox.advance(HOUR + 60);
  assert.deepEqual(await idsShown(token, user), [orderId], 'in the same round');
  await sandbox.advance(2 * HOUR);
  assert.deepEqual(await idsShown(token, user), [orderId], 'and in the next one');
  assert.equal((await sandbox.confirm(token, user, orderId)).code, 'counted');
  assert.deepEqual(await idsShown(token, user), []);
});

test('a task of an older round can be confirmed for a day after the end of that round', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher({ round_minutes: 120, max_sponsors: 1 });
  const first = await sandbox.advertise({ price_per_sub: 20 });
  const inTime = freshUser();
  const tooLate = freshUser();
  for (const user of [inTime, tooLate]) assert.deepEqual(await idsShown(token, user), [first.orderId]);
  await sandbox.control('POST', `/orders/${first.orderId}/pause`);
  await sandbox.advance(3 * HOUR);
  const second = await sandbox.advertise();
  for (const user of [inTime, tooLate]) {
    assert.deepEqual(await idsShown(token, user), [second.orderId], 'a new round');
    await sandbox.join(first.chatId, user);
  }
  await sandbox.advance(23 * HOUR - 60);
  assert.equal((await sandbox.confirm(token, inTime, first.orderId)).code, 'counted');
  await sandbox.advance(60);
  assert.equal((await sandbox.confirm(token, tooLate, first.orderId)).code, 'not_shown');
});

test('a late confirm of a user who was a member before the showing is not paid', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const { orderId, chatId } = await sandbox.advertise();
  const user = freshUser();
  await sandbox.join(chatId, user);
  await sandbox.leave(chatId, user);
  await sandbox.advance(60);
  assert.deepEqual(await idsShown(token, user), [orderId]);
  await sandbox.join(chatId, user);
  await sandbox.advance(2 * HOUR);
  assert.equal((await sandbox.confirm(token, user, orderId)).code, 'already_counted');
});

test('every showing renews a task for another hour', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const { orderId, chatId } = await sandbox.advertise();
  const user = freshUser();
  await idsShown(token, user);
  for (let i = 0; i < 3; i++) {
    await sandbox.advance(50 * 60);
    assert.deepEqual(await idsShown(token, user), [orderId]);
  }
  await sandbox.advance(50 * 60);
  await sandbox.join(chatId, user);
  assert.equal((await sandbox.confirm(token, user, orderId)).code, 'counted');
  assert.equal((await sandbox.order(orderId)).reserved, 0);
});

test('a task omitted because of a smaller max_sponsors is not renewed', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  for (const price of [5, 4]) await sandbox.advertise({ price_per_sub: price });
  const user = freshUser();
  const [shown = 0, hidden = 0] = await idsShown(token, user, { max_sponsors: 2 });
  await sandbox.advance(50 * 60);
  assert.deepEqual(await idsShown(token, user, { max_sponsors: 1 }), [shown]);
  await sandbox.advance(20 * 60);
  assert.equal((await sandbox.order(hidden)).reserved, 0);
  assert.equal((await sandbox.order(shown)).reserved, 1);
});

test('an expired task of the round returns to its position and is payable again', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const orders = [await sandbox.advertise(), await sandbox.advertise()];
  const user = freshUser();
  const before = await idsShown(token, user);
  await sandbox.advance(2 * HOUR);
  assert.deepEqual(await idsShown(token, user), before);
  for (const { orderId, chatId } of orders) {
    await sandbox.join(chatId, user);
    assert.equal((await sandbox.confirm(token, user, orderId)).code, 'counted');
  }
  await sandbox.assertBalanced();
});

test('`newtask` shows tasks beyond the round, which the round does not show', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  for (const price of [5, 4, 3]) await sandbox.advertise({ price_per_sub: price });
  const user = freshUser();
  const round = await idsShown(token, user, { max_sponsors: 1 });
  const extras = await idsShown(token, user, { action: 'newtask', max_sponsors: 2 });
  assert.equal(extras.length, 2);
  assert.equal(new Set([...round, ...extras]).size, 3);
  assert.deepEqual(await idsShown(token, user, { max_sponsors: 1 }), round);
});

test('`newtask` repeats the open extra tasks, and returns `ok` when none are left', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher({ max_sponsors: 1 });
  const orders = [await sandbox.advertise({ price_per_sub: 5 }), await sandbox.advertise({ price_per_sub: 4 })];
  const user = freshUser();
  await idsShown(token, user);
  const [extra = 0] = await idsShown(token, user, { action: 'newtask' });
  assert.deepEqual(await idsShown(token, user, { action: 'newtask' }), [extra]);

  await sandbox.join(orders.find((order) => order.orderId === extra)?.chatId ?? 0, user);
  const confirmed = await sandbox.confirm(token, user, extra);
  assert.equal(confirmed.code, 'counted');
  assert.ok(confirmed.credited > 0);
  const answer = await sandbox.api(token, 'get-sponsors', { user_id: user, action: 'newtask' });
  assert.equal(answer.body.status, 'ok');
});

test('an open extra task does not deny access to a user whose round is done', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher({ max_sponsors: 1 });
  const orders = [await sandbox.advertise(), await sandbox.advertise()];
  const user = freshUser();
  const [task = 0] = await idsShown(token, user);
  assert.equal((await idsShown(token, user, { action: 'newtask' })).length, 1);
  await sandbox.join(orders.find((order) => order.orderId === task)?.chatId ?? 0, user);
  await sandbox.confirm(token, user, task);
  assert.deepEqual(await idsShown(token, user), []);
});

test('`newtask` works without a round and does not open one', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher({ max_sponsors: 1 });
  await sandbox.advertise();
  await sandbox.advertise();
  const user = freshUser();
  const extra = await idsShown(token, user, { action: 'newtask' });
  const round = await idsShown(token, user);
  assert.equal(extra.length, 1);
  assert.equal(round.length, 1);
  assert.notDeepEqual(extra, round);
});
