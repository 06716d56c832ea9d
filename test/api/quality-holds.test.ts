import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openCheck, suspect } from '../support/human-check.ts';
import { setQuality } from '../support/quality.ts';
import { freshUser } from '../support/sandbox.ts';
import { useService } from './use-service.ts';

const service = useService();
const HOUR = 3600;
const DAY = 24 * HOUR;

test('a source without a level keeps the hold of the order', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise();
  assert.equal((await sandbox.subscribe(token, order, freshUser())).credit_status, 'hold');
  await sandbox.advance(DAY);
  assert.deepEqual(await sandbox.money(token), { balance: 7, hold_balance: 0 });
});

test('subscriptions of a low source stay in hold for 168 hours, and leaving within them reverses', async () => {
  const { sandbox } = service;
  const { token, botId } = await sandbox.publisher();
  await setQuality(service, botId, { level: 'low' });
  const order = await sandbox.advertise({ quantity: 100 });
  const [stays, leaves] = [freshUser(), freshUser()];
  await sandbox.subscribe(token, order, stays);
  assert.equal((await sandbox.subscribe(token, order, leaves)).credit_status, 'hold');
  await sandbox.advance(167 * HOUR);
  assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 14 });
  await sandbox.leave(order.chatId, leaves);
  await sandbox.advance(1);
  assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 7 });
  await sandbox.advance(HOUR);
  assert.deepEqual(await sandbox.money(token), { balance: 7, hold_balance: 0 });
  await sandbox.assertBalanced();
});

test('subscriptions of a watched source stay in hold for 72 hours, but only leaving on the first day reverses', async () => {
  const { sandbox } = service;
  const { token, botId } = await sandbox.publisher();
  await setQuality(service, botId, { level: 'watched' });
  const order = await sandbox.advertise({ quantity: 100 });
  const [soon, later, silently] = [freshUser(), freshUser(), freshUser()];
  for (const user of [soon, later, silently]) await sandbox.subscribe(token, order, user);
  await sandbox.advance(23 * HOUR);
  await sandbox.leave(order.chatId, soon);
  await sandbox.leave(order.chatId, silently, true);
  await sandbox.advance(HOUR);
  assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 7 }, 'the check at the end of the window');
  await sandbox.leave(order.chatId, later);
  await sandbox.advance(47 * HOUR);
  assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 7 });
  await sandbox.advance(HOUR);
  assert.deepEqual(await sandbox.money(token), { balance: 7, hold_balance: 0 });
  await sandbox.assertBalanced();
});

test('users of a watched source may pass the human check until its longer hold ends', async () => {
  const { sandbox, database } = service;
  const { token, botId } = await sandbox.publisher();
  await setQuality(service, botId, { level: 'watched' });
  const order = await sandbox.advertise({ quantity: 100 });
  const [passes, fails] = [freshUser(), freshUser()];
  for (const user of [passes, fails]) {
    await suspect(database.url, user);
    await sandbox.subscribe(token, order, user);
  }
  await sandbox.advance(70 * HOUR);
  assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 14 }, 'the window of the order is over');
  const { isPassed } = await openCheck(sandbox, passes, 'https://t.me/sponsorgate_bot?startapp=check');
  assert.equal(isPassed, true);
  await sandbox.advance(2 * HOUR);
  assert.deepEqual(await sandbox.money(token), { balance: 7, hold_balance: 0 });
  await sandbox.assertBalanced();
});

test('an order with a longer hold keeps it, and an order without hold gets the hold of the source', async () => {
  const { sandbox } = service;
  const { token, botId } = await sandbox.publisher();
  await setQuality(service, botId, { level: 'watched' });
  const long = await sandbox.advertise({ hold_hours: 100 });
  const atOnce = await sandbox.advertise({ hold_hours: 0 });
  const user = freshUser();
  await sandbox.subscribe(token, long, user);
  assert.equal((await sandbox.subscribe(token, atOnce, user)).credit_status, 'hold');
  await sandbox.advance(72 * HOUR);
  assert.deepEqual(await sandbox.money(token), { balance: 7, hold_balance: 7 });
  await sandbox.advance(28 * HOUR);
  assert.deepEqual(await sandbox.money(token), { balance: 14, hold_balance: 0 });
});

test('a level changes only later subscriptions, and an operator can lift it', async () => {
  const { sandbox } = service;
  const { token, botId } = await sandbox.publisher();
  const order = await sandbox.advertise();
  await sandbox.subscribe(token, order, freshUser());
  await setQuality(service, botId, { level: 'watched' });
  await sandbox.subscribe(token, order, freshUser());
  await setQuality(service, botId, { level: 'good' });
  await sandbox.subscribe(token, order, freshUser());
  await sandbox.advance(DAY);
  assert.deepEqual(await sandbox.money(token), { balance: 14, hold_balance: 7 });
});

test('a low source fills a tenth of an order, exactly, and other sources fill the rest', async () => {
  const { sandbox } = service;
  const low = await sandbox.publisher();
  const other = await sandbox.publisher();
  await setQuality(service, low.botId, { level: 'low' });
  const order = await sandbox.advertise({ quantity: 29 });
  const users = [freshUser(), freshUser(), freshUser(), freshUser(), freshUser()];
  for (const user of users) {
    assert.equal((await sandbox.getSponsors(low.token, user)).length, 1);
    await sandbox.join(order.chatId, user);
  }
  const outcomes = await Promise.all(users.map((user) => sandbox.confirm(low.token, user, order.orderId)));
  assert.deepEqual(outcomes.map(({ code }) => String(code)).sort(), [
    'counted',
    'counted',
    'order_full',
    'order_full',
    'order_full',
  ]);
  assert.deepEqual(await sandbox.getSponsors(low.token, freshUser()), [], 'its users see the order no more');
  const { body: why } = await sandbox.api(low.token, 'explain', { user_id: freshUser() });
  assert.equal(why.matching_orders, 0);
  assert.ok(why.removed.share_cap >= 1, 'explain names the cap');
  assert.equal((await sandbox.subscribe(other.token, order, freshUser())).code, 'counted');

  await setQuality(service, low.botId, { level: 'good' });
  assert.equal((await sandbox.subscribe(low.token, order, freshUser())).code, 'counted');
  await sandbox.assertBalanced();
});
