import assert from 'node:assert/strict';
import { test } from 'node:test';
import { available, external, openAccounts, postTransfers } from '../../src/modules/ledger/index.ts';
import { eventually } from '../support/eventually.ts';
import { freshUser } from '../support/sandbox.ts';
import { useService } from './use-service.ts';

const service = useService();
const HOUR = 3600;
const DAY = 24 * HOUR;
/** Longer than the pause before a worker checks Telegram again. */
const NEXT_TRY = 120;

test('a settlement waits while Telegram is down and succeeds afterwards', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise({ quantity: 1 });
  await sandbox.subscribe(token, order, freshUser());
  await sandbox.fault({ mode: 'down' });
  await sandbox.advance(DAY);
  await sandbox.advance(NEXT_TRY);
  assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 7 });
  assert.equal((await sandbox.order(order.orderId)).status, 'active');

  await sandbox.fault({ mode: 'none' });
  await sandbox.advance(NEXT_TRY);
  assert.deepEqual(await sandbox.money(token), { balance: 7, hold_balance: 0 });
  assert.equal((await sandbox.order(order.orderId)).status, 'completed');
  await sandbox.assertBalanced();
});

test('a flood wait at the end of the window postpones the settlement', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise();
  const [stays, goes] = [freshUser(), freshUser()];
  await sandbox.subscribe(token, order, stays);
  await sandbox.subscribe(token, order, goes);
  await sandbox.leave(order.chatId, goes, true);
  await sandbox.fault({ mode: 'too_many_requests', method: 'getChatMember', retry_after: 900 });
  await sandbox.advance(DAY);
  assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 14 });

  await sandbox.fault({ mode: 'none' });
  await sandbox.advance(NEXT_TRY);
  assert.deepEqual(await sandbox.money(token), { balance: 7, hold_balance: 0 });
});

test('a leave while the settlement waits for Telegram counts as after the window', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise();
  const user = freshUser();
  await sandbox.subscribe(token, order, user);
  await sandbox.fault({ mode: 'down' });
  await sandbox.advance(DAY + 5);
  await sandbox.leave(order.chatId, user);
  await sandbox.fault({ mode: 'none' });
  await sandbox.advance(NEXT_TRY);
  assert.deepEqual(await sandbox.money(token), { balance: 7, hold_balance: 0 });
});

test('a check that is hours late does not reverse a leave after the window', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  for (const type of ['channel', 'bot'] as const) {
    const order = await sandbox.advertise({ type });
    const user = freshUser();
    await sandbox.subscribe(token, order, user);
    await sandbox.fault({ mode: 'down' });
    await sandbox.advance(DAY);
    await sandbox.leave(order.chatId, user, true);
    await sandbox.advance(6 * HOUR);
    await sandbox.fault({ mode: 'none' });
    await sandbox.advance(NEXT_TRY);
    const { balance, hold_balance } = await sandbox.money(token);
    assert.deepEqual({ balance, hold_balance }, { balance: type === 'channel' ? 7 : 14, hold_balance: 0 }, type);
  }
});

test('a leave within the window is reversed even when the check is late', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise();
  const user = freshUser();
  await sandbox.subscribe(token, order, user);
  await sandbox.leave(order.chatId, user, true);
  // One move of the clock crosses the end of the window, and the check runs during the move.
  await sandbox.advance(3 * DAY);
  assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 0 });
});

test('the settlement waits a day for Telegram, and then the publisher is paid', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise();
  await sandbox.subscribe(token, order, freshUser());
  await sandbox.fault({ mode: 'down' });
  await sandbox.advance(DAY);
  await sandbox.advance(DAY - HOUR);
  assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 7 });
  // A check that runs at the end of the wait does not settle the task. The next check does.
  await sandbox.advance(HOUR + NEXT_TRY);
  await eventually('the publisher is paid', async () => (await sandbox.money(token)).balance === 7);
  assert.deepEqual(await sandbox.money(token), { balance: 7, hold_balance: 0 });
});

test('an order is completed only when all of its slots are settled', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise({ quantity: 2 });
  await sandbox.subscribe(token, order, freshUser());
  await sandbox.advance(12 * HOUR);
  await sandbox.subscribe(token, order, freshUser());
  assert.equal((await sandbox.order(order.orderId)).status, 'active');
  await sandbox.advance(12 * HOUR);
  assert.equal((await sandbox.order(order.orderId)).status, 'active');
  await sandbox.advance(12 * HOUR);
  assert.equal((await sandbox.order(order.orderId)).status, 'completed');
  assert.equal(await sandbox.kopecks('escrow', order.orderId), 0);
  assert.deepEqual(await sandbox.money(token), { balance: 14, hold_balance: 0 });
});

test('an order without hold is completed only when its rewards can no longer be reversed', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise({ quantity: 1, hold_hours: 0 });
  await sandbox.subscribe(token, order, freshUser());
  await sandbox.advance(DAY - 60);
  assert.equal((await sandbox.order(order.orderId)).status, 'active');
  await sandbox.advance(60);
  assert.equal((await sandbox.order(order.orderId)).status, 'completed');
});

test('reversals of an order without refund use up its slots and complete it', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise({ quantity: 1, refund: false });
  const user = freshUser();
  await sandbox.subscribe(token, order, user);
  await sandbox.leave(order.chatId, user);
  assert.equal((await sandbox.order(order.orderId)).status, 'completed');
});

test('the tasks of a paused order are settled, and the order is completed', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise({ quantity: 1 });
  await sandbox.subscribe(token, order, freshUser());
  await sandbox.control('POST', `/orders/${order.orderId}/pause`);
  await sandbox.advance(DAY);
  assert.equal((await sandbox.order(order.orderId)).status, 'completed');
  assert.deepEqual(await sandbox.money(token), { balance: 7, hold_balance: 0 });
  const resumed = await sandbox.call('POST', `/sandbox/orders/${order.orderId}/resume`);
  assert.equal(resumed.status, 422);
});

/** Withdraws money that is not settled yet, as an operator can. */
async function takeOut(accountId: number, kopecks: bigint): Promise<void> {
  const accounts = [available(accountId), external(accountId)] as const;
  await service.database.db.transaction(async (tx) => {
    await openAccounts(tx, accounts);
    const [from, to] = accounts;
    await postTransfers(
      tx,
      [{ kind: 'deposit' as const, key: `taken:${accountId}`, from, to, amountKopecks: kopecks }],
      new Date(),
    );
  });
}

test('later rewards first pay the debt of a reversal of spent money', async () => {
  const { sandbox } = service;
  const publisher = await sandbox.publisher();
  const { token } = publisher;
  const order = await sandbox.advertise({ hold_hours: 0 });
  const user = freshUser();
  await sandbox.subscribe(token, order, user);
  assert.deepEqual(await sandbox.money(token), { balance: 7, hold_balance: 0 });
  await takeOut(publisher.accountId, 700n);
  assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 0 });

  await sandbox.leave(order.chatId, user);
  assert.deepEqual(await sandbox.money(token), { balance: -7, hold_balance: 0 });
  await sandbox.subscribe(token, order, freshUser());
  assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 0 });
  await sandbox.subscribe(token, order, freshUser());
  assert.deepEqual(await sandbox.money(token), { balance: 7, hold_balance: 0 });
  await sandbox.assertBalanced();
});

test('a publisher in debt cannot buy an order until the debt is paid', async () => {
  const { sandbox } = service;
  const publisher = await sandbox.publisher();
  const order = await sandbox.advertise({ hold_hours: 0 });
  const user = freshUser();
  await sandbox.subscribe(publisher.token, order, user);
  await takeOut(publisher.accountId, 700n);
  await sandbox.leave(order.chatId, user);
  const refused = await sandbox.call('POST', '/sandbox/orders', {
    account_id: publisher.accountId,
    chat_id: order.chatId,
    price_per_sub: 0.01,
    quantity: 1,
  });
  assert.equal(refused.status, 422);
  assert.equal(refused.body.code, 'insufficient_funds');
});
