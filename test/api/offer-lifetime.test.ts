import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshUser } from '../support/sandbox.ts';
import { useService } from './use-service.ts';

const service = useService();
const HOUR = 3600;

async function idsShown(token: string, user: number, extra: Record<string, unknown> = {}): Promise<number[]> {
  return (await service.sandbox.getSponsors(token, user, extra)).map((task) => task.ads_id);
}

test('an offer confirmed within its hour pays', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const { orderId, chatId } = await sandbox.advertise();
  const user = freshUser();
  await idsShown(token, user);
  await sandbox.join(chatId, user);
  await sandbox.advance(HOUR - 60);
  assert.equal((await sandbox.confirm(token, user, orderId)).code, 'counted');
});

test('an offer is not payable once its hour is over, and gives its slot back', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const { orderId, chatId } = await sandbox.advertise({ quantity: 1 });
  const user = freshUser();
  await idsShown(token, user);
  assert.equal((await sandbox.order(orderId)).reserved, 1);
  await sandbox.join(chatId, user);
  await sandbox.advance(HOUR);

  assert.deepEqual(await sandbox.confirm(token, user, orderId), {
    status: 'warning',
    subscribed: false,
    message: 'Sponsor was not shown',
    code: 'not_shown',
    grant_access: false,
    credit_status: 'none',
  });
  assert.equal((await sandbox.order(orderId)).reserved, 0);
  assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 0 });
  assert.deepEqual(await idsShown(token, freshUser()), [orderId]);
});

test('being returned again renews an offer for another hour', async () => {
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

test('an offer cut off by a smaller max_sponsors was not returned and is not renewed by that call', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  for (const price of [5, 4]) await sandbox.advertise({ price_per_sub: price });
  const user = freshUser();
  const [shown = 0, hidden = 0] = await idsShown(token, user, { max_sponsors: 2 });
  await sandbox.advance(50 * 60);
  assert.deepEqual(await idsShown(token, user, { max_sponsors: 1 }), [shown]);
  await sandbox.advance(20 * 60);
  assert.equal((await sandbox.confirm(token, user, hidden)).code, 'not_shown');
  assert.equal((await sandbox.confirm(token, user, shown)).code, 'not_subscribed');
});

test('an expired task of the round returns in its place and is payable again', async () => {
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

test('`newtask` offers tasks beyond the round, which the round does not show', async () => {
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

test('`newtask` repeats the extra tasks that are open, and says `ok` when there are none left', async () => {
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

test('an open extra task does not keep a user out whose round is done', async () => {
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

test('`newtask` works without a round and opens none', async () => {
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
