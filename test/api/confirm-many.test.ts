import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshUser } from '../support/sandbox.ts';
import { useService } from './use-service.ts';

const service = useService();

interface Result {
  readonly ads_id: number;
  readonly code: string;
}

test('every id gets its own result, in the order of the request', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const joined = await sandbox.advertise();
  const ignored = await sandbox.advertise();
  const user = freshUser();
  await sandbox.getSponsors(token, user);
  const hidden = await sandbox.advertise();
  await sandbox.join(joined.chatId, user);
  const unknown = 987_654_321;

  const ids = [ignored.orderId, unknown, joined.orderId, hidden.orderId];
  const body = await sandbox.confirmMany(token, user, ids);
  assert.equal(body.status, 'warning');
  assert.equal(body.grant_access, false);
  assert.deepEqual(
    body.results.map(({ ads_id, code }: Result) => [ads_id, code]),
    [
      [ignored.orderId, 'not_subscribed'],
      [unknown, 'order_not_found'],
      [joined.orderId, 'counted'],
      [hidden.orderId, 'not_shown'],
    ],
  );
  assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 7 });
});

test('a result is the body of confirm-subscription with its ads_id', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise();
  const user = freshUser();
  const single = await sandbox.subscribe(token, order, user);
  const body = await sandbox.confirmMany(token, user, [order.orderId]);
  assert.deepEqual(body, { status: 'ok', grant_access: true, results: [{ ads_id: order.orderId, ...single }] });
});

test('confirmed tasks without credit still grant access', async () => {
  const { sandbox } = service;
  const [one, other] = [await sandbox.publisher(), await sandbox.publisher()];
  const orders = [await sandbox.advertise(), await sandbox.advertise()];
  const user = freshUser();
  for (const { token } of [one, other]) await sandbox.getSponsors(token, user);
  for (const { chatId } of orders) await sandbox.join(chatId, user);
  const [first = orders[0]] = orders;
  await sandbox.confirm(one.token, user, first?.orderId ?? 0);

  const ids = orders.map((order) => order.orderId);
  const body = await sandbox.confirmMany(other.token, user, ids);
  assert.equal(body.status, 'ok');
  assert.equal(body.grant_access, true);
  assert.deepEqual(
    body.results.map((result: Result) => result.code),
    ['already_counted', 'counted'],
  );
});

test('a repeated id in one request gets two results and is paid once', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const { orderId, chatId } = await sandbox.advertise();
  const user = freshUser();
  await sandbox.getSponsors(token, user);
  await sandbox.join(chatId, user);
  const body = await sandbox.confirmMany(token, user, [orderId, orderId]);
  assert.equal(body.results.length, 2);
  assert.deepEqual(body.results[0], body.results[1]);
  assert.equal(body.results[0].code, 'counted');
  assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 7 });
  await sandbox.assertBalanced();
});

test('one request confirms a whole round of fifty tasks', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const { account_id } = await sandbox.control('POST', '/accounts', { deposit: 1000 });
  const orders = [];
  for (let i = 0; i < 50; i++) orders.push(await sandbox.advertise({ account_id, price_per_sub: 1, quantity: 2 }));
  const user = freshUser();
  const shown = await sandbox.getSponsors(token, user, { max_sponsors: 50 });
  assert.equal(shown.length, 50);
  for (const { chatId } of orders) await sandbox.join(chatId, user, true);
  const ids = shown.map((task) => task.ads_id);
  const body = await sandbox.confirmMany(token, user, ids);
  assert.equal(body.status, 'ok', JSON.stringify(body));
  assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 35 });
  await sandbox.assertBalanced();
});
