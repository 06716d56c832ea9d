import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshUser } from '../support/sandbox.ts';
import { useService } from './use-service.ts';

const service = useService();
const DAY = 24 * 3600;

const ALREADY_COUNTED = {
  status: 'ok',
  subscribed: true,
  credited: 0,
  message: 'Subscription is real but was not counted: this user had subscribed before',
  code: 'already_counted',
  grant_access: true,
  credit_status: 'not_counted',
};

async function statusOf(token: string, user: number): Promise<string> {
  const { body } = await service.sandbox.statistic(token, { action: 'bots' });
  const record = body.subscriptions.find((candidate: { user_id: number }) => candidate.user_id === user);
  return record?.status;
}

test('when two bots show a user the same task, only the first bot that confirms is paid', async () => {
  const { sandbox } = service;
  const [one, other] = [await sandbox.publisher(), await sandbox.publisher()];
  const { orderId, chatId } = await sandbox.advertise();
  const user = freshUser();
  for (const { token } of [one, other]) assert.equal((await sandbox.getSponsors(token, user)).length, 1);
  await sandbox.join(chatId, user);

  assert.equal((await sandbox.confirm(one.token, user, orderId)).code, 'counted');
  assert.deepEqual(await sandbox.confirm(other.token, user, orderId), ALREADY_COUNTED);
  assert.deepEqual(await sandbox.confirm(other.token, user, orderId), ALREADY_COUNTED, 'and again on a repeat');
  assert.deepEqual(await sandbox.money(one.token), { balance: 0, hold_balance: 7 });
  assert.deepEqual(await sandbox.money(other.token), { balance: 0, hold_balance: 0 });
  assert.equal(await statusOf(other.token, user), 'notgetted');
  const { subscribers, reserved, escrow } = await sandbox.order(orderId);
  assert.deepEqual({ subscribers, reserved, escrow }, { subscribers: 1, reserved: 0, escrow: 90 });
});

test('simultaneous confirms of one user by two bots pay once', async () => {
  const { sandbox } = service;
  const bots = [await sandbox.publisher(), await sandbox.publisher(), await sandbox.publisher()];
  const { orderId, chatId } = await sandbox.advertise();
  const user = freshUser();
  for (const { token } of bots) await sandbox.getSponsors(token, user);
  await sandbox.join(chatId, user);
  const answers = await Promise.all(bots.map(({ token }) => sandbox.confirm(token, user, orderId)));
  const codes: string[] = answers.map((answer) => answer.code);
  assert.deepEqual(codes.sort(), ['already_counted', 'already_counted', 'counted']);
  assert.equal(await sandbox.kopecks('escrow', orderId), 9_000);
  await sandbox.assertBalanced();
});

test('a user is counted once for a resource that two orders advertise', async () => {
  const { sandbox } = service;
  const [one, other] = [await sandbox.publisher(), await sandbox.publisher()];
  const first = await sandbox.advertise();
  const user = freshUser();
  await sandbox.getSponsors(one.token, user);
  await sandbox.control('POST', `/orders/${first.orderId}/pause`);
  const second = await sandbox.advertise({ chat_id: first.chatId });
  const [task] = await sandbox.getSponsors(other.token, user);
  assert.equal(task?.ads_id, second.orderId);
  await sandbox.join(first.chatId, user);

  assert.equal((await sandbox.confirm(other.token, user, second.orderId)).code, 'counted');
  assert.deepEqual(await sandbox.confirm(one.token, user, first.orderId), ALREADY_COUNTED);
  assert.equal(await sandbox.kopecks('escrow', first.orderId), 10_000);
  assert.equal(await sandbox.kopecks('escrow', second.orderId), 9_000);
});

test('a user who was a member before the showing is not counted after a new join', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const { orderId, chatId } = await sandbox.advertise();
  const user = freshUser();
  await sandbox.join(chatId, user);
  await sandbox.leave(chatId, user);
  assert.equal((await sandbox.getSponsors(token, user)).length, 1);
  await sandbox.join(chatId, user);

  assert.deepEqual(await sandbox.confirm(token, user, orderId), ALREADY_COUNTED);
  assert.equal(await statusOf(token, user), 'notgetted');
  assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 0 });
  const { reserved, escrow } = await sandbox.order(orderId);
  assert.deepEqual({ reserved, escrow }, { reserved: 0, escrow: 100 });
});

test('a user who joined after the first showing is counted, even when the task was renewed', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const { orderId, chatId } = await sandbox.advertise();
  const user = freshUser();
  await sandbox.getSponsors(token, user);
  await sandbox.join(chatId, user);
  await sandbox.advance(40 * 60);
  await sandbox.getSponsors(token, user);
  assert.equal((await sandbox.confirm(token, user, orderId)).code, 'counted');
});

test('a user who returns after a reversal gets access and is not counted again', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise();
  const user = freshUser();
  await sandbox.subscribe(token, order, user);
  await sandbox.leave(order.chatId, user);
  assert.equal((await sandbox.confirm(token, user, order.orderId)).code, 'not_subscribed');
  assert.equal(await statusOf(token, user), 'unsubscribed');

  await sandbox.join(order.chatId, user);
  assert.deepEqual(await sandbox.confirm(token, user, order.orderId), ALREADY_COUNTED);
  assert.equal(await statusOf(token, user), 'notgetted');
  assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 0 });
  await sandbox.advance(2 * DAY);
  assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 0 });
  await sandbox.assertBalanced();
});

test('a task that is not counted is done, and its slot is free for another user', async () => {
  const { sandbox } = service;
  const [one, other] = [await sandbox.publisher(), await sandbox.publisher()];
  const { orderId, chatId } = await sandbox.advertise({ quantity: 2 });
  const user = freshUser();
  for (const { token } of [one, other]) await sandbox.getSponsors(token, user);
  await sandbox.join(chatId, user);
  await sandbox.confirm(one.token, user, orderId);
  await sandbox.confirm(other.token, user, orderId);
  assert.deepEqual(await sandbox.getSponsors(other.token, user), []);
  assert.equal((await sandbox.order(orderId)).reserved, 0);
});
