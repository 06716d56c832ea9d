import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { type Advertised, freshUser } from '../support/sandbox.ts';
import { useService } from './use-service.ts';

// The high limit makes every confirm check Telegram. Without calls left, the service would trust updates.
const service = useService({ TELEGRAM_CHECKS_PER_SECOND: '1000' });
const DAY = 24 * 3600;
const SERVICE_BOT = 700_000_001;
/** Longer than the pause before the service repeats a check that failed for lack of access. */
const REPEAT = 61;

/** Revokes the administrator rights of our bot. */
function loseAccess({ chatId }: Advertised): Promise<void> {
  return service.sandbox.fault({ mode: 'not_admin', chat_id: chatId });
}

/** Creates an advertiser who wrote to the management bot, and a function that returns the messages of that bot. */
async function talkativeAdvertiser() {
  const { sandbox } = service;
  const { management_bot: bot } = await sandbox.control('GET', '/state');
  const { account_id, user_id } = await sandbox.control('POST', '/accounts', { deposit: 1000 });
  await sandbox.control('POST', `/persons/${user_id}/messages`, { bot, text: '/start' });
  const texts = async (): Promise<string[]> => {
    const { messages } = await sandbox.control('GET', `/persons/${user_id}/messages?bot=${bot}`);
    return messages
      .filter((message: { from: string }) => message.from === 'bot')
      .map((message: { text: string }) => message.text);
  };
  return { account_id, texts };
}

test('one failed check for lack of access neither pauses the order nor settles a task', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise();
  const user = freshUser();
  await sandbox.getSponsors(token, user);
  await sandbox.join(order.chatId, user);
  await sandbox.fault({ mode: 'not_admin', chat_id: order.chatId, count: 1 });
  assert.equal((await sandbox.confirmOnce(token, user, order.orderId)).code, 'check_unavailable');
  assert.equal((await sandbox.order(order.orderId)).status, 'active');
  await sandbox.advance(REPEAT);
  assert.equal((await sandbox.order(order.orderId)).status, 'active');
  assert.equal((await sandbox.confirmOnce(token, user, order.orderId)).code, 'counted');

  // At the end of the window the check is repeated too, and the repeated check finds that the user left.
  await sandbox.leave(order.chatId, user, true);
  await sandbox.fault({ mode: 'not_admin', chat_id: order.chatId, count: 1 });
  await sandbox.advance(DAY);
  assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 7 });
  await sandbox.advance(REPEAT);
  assert.equal((await sandbox.order(order.orderId)).status, 'active');
  assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 0 });
});

test('a confirm that finds our bot without rights returns check_unavailable and pauses the order', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise();
  const user = freshUser();
  await sandbox.getSponsors(token, user);
  await sandbox.join(order.chatId, user);
  await loseAccess(order);
  const answer = await sandbox.confirmOnce(token, user, order.orderId);
  assert.equal(answer.status, 'warning');
  assert.equal(answer.code, 'check_unavailable');
  await sandbox.advance(REPEAT);
  assert.equal((await sandbox.order(order.orderId)).status, 'paused');
  assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 0 });
});

test('get-sponsors that finds our bot without rights pauses the order and stops showing it', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise();
  await loseAccess(order);
  // On a busy machine the check may time out, and the first user is then shown the task.
  await eventually('the order is paused', async () => {
    await sandbox.getSponsors(token, freshUser());
    await sandbox.advance(REPEAT);
    return (await sandbox.order(order.orderId)).status === 'paused';
  });
  assert.deepEqual(await sandbox.getSponsors(token, freshUser()), []);
});

test('every order for the resource is paused, and no other', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise();
  const twin = await sandbox.advertise({ chat_id: order.chatId });
  const other = await sandbox.advertise();
  const user = freshUser();
  const shown = (await sandbox.getSponsors(token, user)).map((task) => task.ads_id);
  const task = shown.find((id) => id !== other.orderId) ?? 0;
  await loseAccess(order);
  await sandbox.confirm(token, user, task);
  await sandbox.advance(REPEAT);
  assert.equal((await sandbox.order(order.orderId)).status, 'paused');
  assert.equal((await sandbox.order(twin.orderId)).status, 'paused');
  assert.equal((await sandbox.order(other.orderId)).status, 'active');
});

test('the management bot notifies the owner once', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const { account_id, texts } = await talkativeAdvertiser();
  const order = await sandbox.advertise({ account_id });
  const user = freshUser();
  await sandbox.getSponsors(token, user);
  await sandbox.join(order.chatId, user);
  const before = (await texts()).length;
  await loseAccess(order);
  await sandbox.confirm(token, user, order.orderId);
  await sandbox.advance(REPEAT);
  const news = async (): Promise<string[]> => (await texts()).slice(before);
  await eventually('the owner is told', async () => (await news()).length > 0);

  await sandbox.confirm(token, user, order.orderId);
  await sandbox.advance(DAY);
  assert.equal((await news()).length, 1);
  assert.match((await news())[0] ?? '', new RegExp(`\\b${order.orderId}\\b`));
});

test('the order is paused even when its owner never wrote to the bot and cannot be notified', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise();
  const user = freshUser();
  await sandbox.getSponsors(token, user);
  await loseAccess(order);
  await sandbox.confirm(token, user, order.orderId);
  await sandbox.advance(REPEAT);
  assert.equal((await sandbox.order(order.orderId)).status, 'paused');
});

test("holds of an order that we can no longer check settle in the publisher's favour", async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise();
  const [stays, goes] = [freshUser(), freshUser()];
  await sandbox.subscribe(token, order, stays);
  await sandbox.subscribe(token, order, goes);
  await loseAccess(order);
  await sandbox.leave(order.chatId, goes, true);
  await sandbox.advance(DAY);
  assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 14 });
  await sandbox.advance(REPEAT);
  assert.deepEqual(await sandbox.money(token), { balance: 14, hold_balance: 0 });
  assert.equal((await sandbox.order(order.orderId)).status, 'paused');
  await sandbox.assertBalanced();
});

test('a task that cannot be checked does not deny access', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise();
  const user = freshUser();
  assert.equal((await sandbox.getSponsors(token, user)).length, 1);
  await sandbox.join(order.chatId, user);
  await loseAccess(order);
  await sandbox.confirm(token, user, order.orderId);
  await sandbox.advance(REPEAT);
  assert.deepEqual(await sandbox.getSponsors(token, user), []);
});

test('an order resumed with restored rights pays a task that was open', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise();
  const user = freshUser();
  await sandbox.getSponsors(token, user);
  await sandbox.join(order.chatId, user);
  await loseAccess(order);
  assert.equal((await sandbox.confirmOnce(token, user, order.orderId)).code, 'check_unavailable');
  await sandbox.advance(REPEAT);
  await sandbox.fault({ mode: 'none' });
  await sandbox.control('POST', `/orders/${order.orderId}/resume`);
  assert.equal((await sandbox.confirmOnce(token, user, order.orderId)).code, 'counted');
  assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 7 });
});

test('a temporary loss of rights does not cost the publisher a reward', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise();
  const user = freshUser();
  await sandbox.subscribe(token, order, user);
  await sandbox.control('DELETE', `/chats/${order.chatId}/members/${SERVICE_BOT}?status=kicked`);
  assert.equal((await sandbox.order(order.orderId)).status, 'paused');
  await sandbox.leave(order.chatId, user, true);
  await sandbox.control('PUT', `/chats/${order.chatId}/members/${SERVICE_BOT}?status=administrator`);
  await sandbox.control('POST', `/orders/${order.orderId}/resume`);
  await sandbox.advance(DAY);
  assert.deepEqual(await sandbox.money(token), { balance: 7, hold_balance: 0 });
  await sandbox.assertBalanced();
});
