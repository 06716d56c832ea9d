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

test('a task shown, joined and confirmed pays the publisher, holds the money a day and then releases it', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const { orderId, chatId } = await sandbox.advertise({ price_per_sub: 10 });
  const user = freshUser();

  const [task] = await sandbox.getSponsors(token, user);
  assert.equal(task?.ads_id, orderId);
  await sandbox.join(chatId, user);
  const confirmed = await sandbox.confirm(token, user, orderId);
  assert.equal(confirmed.credited, 7);
  assert.deepEqual(await money(token), { balance: 0, hold_balance: 7 });

  await sandbox.advance(24 * 3600);
  assert.deepEqual(await money(token), { balance: 7, hold_balance: 0 });
  await sandbox.assertBalanced();
});

async function money(token: string): Promise<{ balance: number; hold_balance: number }> {
  const { balance, hold_balance } = await service.sandbox.balance(token);
  return { balance, hold_balance };
}
