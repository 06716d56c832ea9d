import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshUser } from '../support/sandbox.ts';
import { useService } from './use-service.ts';

/** High enough for every confirm of these tests to be checked. */
const service = useService({ TELEGRAM_CHECKS_PER_SECOND: '1000' });
const DAY = 24 * 3600;

const NOT_SHOWN = {
  status: 'warning',
  subscribed: false,
  message: 'Sponsor was not shown',
  code: 'not_shown',
  grant_access: false,
  credit_status: 'none',
};

test('a counted confirm returns the credit and whether it is in hold', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const held = await sandbox.subscribe(token, await sandbox.advertise(), freshUser());
  const paid = await sandbox.subscribe(token, await sandbox.advertise({ hold_hours: 0 }), freshUser());
  const counted = {
    status: 'ok',
    subscribed: true,
    credited: 7,
    message: 'Subscription confirmed',
    code: 'counted',
    grant_access: true,
  };
  assert.deepEqual(held, { ...counted, credit_status: 'hold' });
  assert.deepEqual(paid, { ...counted, credit_status: 'paid' });
});

test('a confirm without a join returns not_subscribed, and the task stays open', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const { orderId, chatId } = await sandbox.advertise();
  const user = freshUser();
  await sandbox.getSponsors(token, user);
  assert.deepEqual(await sandbox.confirm(token, user, orderId), {
    status: 'warning',
    subscribed: false,
    message: 'User is not subscribed',
    code: 'not_subscribed',
    grant_access: false,
    credit_status: 'none',
  });
  await sandbox.join(chatId, user);
  assert.equal((await sandbox.confirm(token, user, orderId)).code, 'counted');
});

test('a user with a pending join request to a private channel is not a member', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const { orderId, chatId } = await sandbox.advertise();
  const user = freshUser();
  await sandbox.getSponsors(token, user);
  await sandbox.control('PUT', `/chats/${chatId}/join-requests/${user}`);
  assert.equal((await sandbox.confirm(token, user, orderId)).code, 'not_subscribed');
});

test('a member of any status is counted, and a removed user is not', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const { orderId, chatId } = await sandbox.advertise({ quantity: 20 });
  for (const status of ['member', 'restricted', 'administrator', 'creator']) {
    const user = freshUser();
    await sandbox.getSponsors(token, user);
    await sandbox.control('PUT', `/chats/${chatId}/members/${user}?status=${status}`);
    assert.equal((await sandbox.confirm(token, user, orderId)).code, 'counted', status);
  }
  const removed = freshUser();
  await sandbox.getSponsors(token, removed);
  await sandbox.join(chatId, removed, true);
  await sandbox.control('DELETE', `/chats/${chatId}/members/${removed}?status=kicked&silent=true`);
  assert.equal((await sandbox.confirm(token, removed, orderId)).code, 'not_subscribed');
});

test('a membership check finds a join that no update reported', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const { orderId, chatId } = await sandbox.advertise();
  const user = freshUser();
  await sandbox.getSponsors(token, user);
  await sandbox.join(chatId, user, true);
  assert.equal((await sandbox.confirm(token, user, orderId)).code, 'counted');
});

test('a task that was never shown to this user is not paid, even to a member', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const { orderId, chatId } = await sandbox.advertise();
  const user = freshUser();
  await sandbox.join(chatId, user);
  assert.deepEqual(await sandbox.confirm(token, user, orderId), NOT_SHOWN);
  assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 0 });
});

test('a task shown by another bot is not paid, even when both bots have the same owner', async () => {
  const { sandbox } = service;
  const one = await sandbox.publisher();
  const other = await sandbox.publisher({ account_id: one.accountId });
  const { orderId, chatId } = await sandbox.advertise();
  const user = freshUser();
  await sandbox.getSponsors(one.token, user);
  await sandbox.join(chatId, user);
  assert.deepEqual(await sandbox.confirm(other.token, user, orderId), NOT_SHOWN);
  assert.equal((await sandbox.confirm(one.token, user, orderId)).code, 'counted');
});

test('an unknown ads_id returns 404 with the reason', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const answer = await sandbox.api(token, 'confirm-subscription', { user_id: freshUser(), ads_id: 999_999_999 });
  assert.equal(answer.status, 404);
  assert.equal(answer.body.detail, 'Bot not found');
  assert.equal(answer.body.code, 'order_not_found');
  assert.match(answer.body.message, /999999999/);
});

test('a repeated confirm returns the same body and pays once', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  for (const holdHours of [0, 1, 24]) {
    const order = await sandbox.advertise({ hold_hours: holdHours });
    const user = freshUser();
    const before = await sandbox.money(token);
    const first = await sandbox.subscribe(token, order, user);
    assert.equal(first.code, 'counted');
    for (const pause of [0, 2 * 3600, 2 * DAY]) {
      await sandbox.advance(pause);
      assert.deepEqual(await sandbox.confirm(token, user, order.orderId), first);
    }
    const after = await sandbox.money(token);
    assert.equal(after.balance + after.hold_balance, before.balance + before.hold_balance + 7);
  }
  await sandbox.assertBalanced();
});

test('simultaneous confirms of one task return the same body and pay once', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const { orderId, chatId } = await sandbox.advertise();
  const user = freshUser();
  await sandbox.getSponsors(token, user);
  await sandbox.join(chatId, user);
  const answers = await Promise.all(Array.from({ length: 10 }, () => sandbox.confirm(token, user, orderId)));
  for (const answer of answers) assert.deepEqual(answer, answers[0]);
  assert.equal(answers[0].code, 'counted');
  assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 7 });
  await sandbox.assertBalanced();
});

test('a confirm while Telegram is down can be repeated later and is paid then', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const { orderId, chatId } = await sandbox.advertise();
  const user = freshUser();
  await sandbox.getSponsors(token, user);
  await sandbox.join(chatId, user);
  await sandbox.fault({ mode: 'down' });
  const refused = await sandbox.confirmOnce(token, user, orderId);
  await sandbox.fault({ mode: 'none' });
  const { message, ...rest } = refused;
  assert.match(message, /try again/);
  assert.deepEqual(rest, {
    status: 'warning',
    subscribed: false,
    code: 'check_unavailable',
    grant_access: false,
    credit_status: 'none',
  });
  assert.equal((await sandbox.confirmOnce(token, user, orderId)).code, 'counted');
});

test('a confirm waits for a short flood wait of Telegram but not for a long one', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const { orderId, chatId } = await sandbox.advertise();
  const user = freshUser();
  await sandbox.getSponsors(token, user);
  await sandbox.join(chatId, user);
  const flood = { mode: 'too_many_requests', method: 'getChatMember', chat_id: chatId };
  await sandbox.fault({ ...flood, retry_after: 600 });
  assert.equal((await sandbox.confirmOnce(token, user, orderId)).code, 'check_unavailable');
  await sandbox.fault({ mode: 'none' });
  await sandbox.fault({ ...flood, retry_after: 1, count: 1 });
  assert.equal((await sandbox.confirmOnce(token, user, orderId)).code, 'counted');
});
