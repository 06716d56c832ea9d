import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { freshUser } from '../support/sandbox.ts';
import { useService } from './use-service.ts';

const service = useService();
const DAY = 24 * 3600;

test('a bot is shown as a bot, with the link that starts it', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const chat = await sandbox.control('POST', '/chats', { type: 'bot', title: 'Quiz', username: 'quiz_of_test_bot' });
  const { orderId } = await sandbox.advertise({ chat_id: chat.chat_id });
  const [task] = await sandbox.getSponsors(token, freshUser());
  assert.deepEqual(task, {
    ads_id: orderId,
    link: 'https://t.me/quiz_of_test_bot',
    resource_type: 'bot',
    title: 'Quiz',
    status: 'unsubscribed',
    reward: 7,
  });
});

test('a bot that the user started is counted, and one that was not started or is blocked is not', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const { orderId, chatId } = await sandbox.advertise({ type: 'bot' });
  const user = freshUser();
  await sandbox.getSponsors(token, user);
  assert.equal((await sandbox.confirm(token, user, orderId)).code, 'not_subscribed');
  await sandbox.join(chatId, user);
  await sandbox.leave(chatId, user);
  assert.equal((await sandbox.confirm(token, user, orderId)).code, 'not_subscribed');
  await sandbox.join(chatId, user);
  const confirmed = await sandbox.confirm(token, user, orderId);
  assert.equal(confirmed.code, 'counted');
  assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 7 });
});

test('the check at the end of the window finds a blocked bot and reverses the reward', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise({ type: 'bot' });
  const [stays, blocks] = [freshUser(), freshUser()];
  await sandbox.subscribe(token, order, stays);
  await sandbox.subscribe(token, order, blocks);
  await sandbox.leave(order.chatId, blocks);
  await sandbox.advance(DAY);
  assert.deepEqual(await sandbox.money(token), { balance: 7, hold_balance: 0 });
  assert.equal((await sandbox.order(order.orderId)).subscribers, 1);
  await sandbox.assertBalanced();
});

test('blocking the bot after the window changes nothing', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise({ type: 'bot' });
  const user = freshUser();
  await sandbox.subscribe(token, order, user);
  await sandbox.advance(DAY);
  await sandbox.leave(order.chatId, user);
  await sandbox.advance(DAY);
  assert.deepEqual(await sandbox.money(token), { balance: 7, hold_balance: 0 });
});

test('a bot is not shown to a user who has already started it', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const { chatId } = await sandbox.advertise({ type: 'bot', quantity: 100 });
  // A check that times out leaves the membership unknown, and the task is shown. On a busy machine this can
  // happen to one user, but not to all.
  await eventually('a user who started the bot is not shown it', async () => {
    const user = freshUser();
    await sandbox.join(chatId, user);
    return (await sandbox.getSponsors(token, user)).length === 0;
  });
});

test('a confirm of a bot while Telegram is down can be repeated and is counted then', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const { orderId, chatId } = await sandbox.advertise({ type: 'bot' });
  const user = freshUser();
  await sandbox.getSponsors(token, user);
  await sandbox.join(chatId, user);
  await sandbox.fault({ mode: 'down', method: 'sendChatAction' });
  const refused = await sandbox.confirmOnce(token, user, orderId);
  await sandbox.fault({ mode: 'none' });
  assert.equal(refused.code, 'check_unavailable');
  assert.equal((await sandbox.confirmOnce(token, user, orderId)).code, 'counted');
});
