import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { freshUser } from '../support/sandbox.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
  await service.sandbox.pauseAllOrders();
});
after(() => service.stop());

test('explain counts the active orders and states what removed each of them', async () => {
  const { sandbox } = service;
  const { token, accountId } = await sandbox.publisher({ max_sponsors: 10 });
  const user = freshUser();

  const counted = await sandbox.advertise({ title: 'counted' });
  const full = await sandbox.advertise({ title: 'full', quantity: 1 });
  await sandbox.getSponsors(token, user);
  await sandbox.join(counted.chatId, user);
  await sandbox.confirm(token, user, counted.orderId);
  const someoneElse = freshUser();
  await sandbox.getSponsors((await sandbox.publisher()).token, someoneElse);

  const joined = await sandbox.advertise({ title: 'joined' });
  await sandbox.join(joined.chatId, user);
  await sandbox.control('POST', '/accounts', { user_id: await ownerOf(accountId), deposit: 100 });
  await sandbox.advertise({ title: 'own', account_id: accountId, price_per_sub: 1, quantity: 1 });
  await sandbox.advertise({ title: 'premium', filters: { premium: true } });
  await sandbox.advertise({ title: 'for nobody here', filters: { languages: ['fr'] } });
  await sandbox.advertise({ title: 'matching' });
  const paused = await sandbox.advertise({ title: 'paused' });
  await sandbox.control('POST', `/orders/${paused.orderId}/pause`);

  const { status, body } = await sandbox.api(token, 'explain', { user_id: user });
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.active_orders, 7);
  assert.equal(body.matching_orders, 1);
  assert.equal(body.removed.already_counted, 1);
  assert.equal(body.removed.already_member, 1);
  assert.equal(body.removed.own_order, 1);
  assert.equal(body.removed.out_of_budget, 1, `order ${full.orderId} is reserved for this user`);
  assert.ok(body.removed.paused >= 1);
  assert.equal(body.removed_by_filter.premium, 1);
  assert.equal(body.removed_by_filter.languages, 1);
  const removed = (numbers: Record<string, number>): number => Object.values(numbers).reduce((sum, n) => sum + n, 0);
  assert.equal(
    body.matching_orders + removed(body.removed) - body.removed.paused + removed(body.removed_by_filter),
    body.active_orders,
    'every active order is accounted for once',
  );
});

test('explain creates no round and no reservation', async () => {
  const { sandbox, database } = service;
  const { token } = await sandbox.publisher();
  const rows = async () => database.db.query('SELECT 1 FROM task_lists UNION ALL SELECT 1 FROM tasks');
  const before = (await rows()).length;
  assert.equal((await sandbox.api(token, 'explain', { user_id: freshUser() })).status, 200);
  assert.equal((await rows()).length, before);
});

test('explain accepts the body of get-sponsors and refuses the same invalid fields', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  assert.equal((await sandbox.api(token, 'explain', {})).status, 422);
  assert.equal((await sandbox.api(token, 'explain', { user_id: 1, max_sponsors: 0 })).status, 422);
  assert.equal((await sandbox.api('at_wrong', 'explain', { user_id: 1 })).status, 401);
});

async function ownerOf(accountId: number): Promise<number> {
  const { accounts } = await service.sandbox.control('GET', '/state');
  return accounts.find((account: { account_id: number }) => account.account_id === accountId).user_id;
}
