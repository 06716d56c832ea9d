import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshUser } from '../support/sandbox.ts';
import { useService } from './use-service.ts';

const service = useService();

async function idsShown(token: string, user: number, extra: Record<string, unknown> = {}): Promise<number[]> {
  return (await service.sandbox.getSponsors(token, user, extra)).map((task) => task.ads_id);
}

async function advertiseMany(count: number): Promise<{ orderId: number; chatId: number; accountId: number }[]> {
  const orders = [];
  for (let i = 1; i <= count; i++) orders.push(await service.sandbox.advertise({ price_per_sub: i }));
  return orders;
}

test('a round returns its tasks in the same order on every request', async () => {
  const { token } = await service.sandbox.publisher();
  await advertiseMany(4);
  const user = freshUser();
  const first = await idsShown(token, user);
  assert.equal(first.length, 4);
  assert.deepEqual(await idsShown(token, user), first);
  await service.sandbox.advance(45 * 60); // long enough for the tasks to be renewed
  assert.deepEqual(await idsShown(token, user), first);
});

test('a round returns only undone tasks, in their order', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const orders = await advertiseMany(3);
  const user = freshUser();
  const [first, second, third] = await idsShown(token, user);
  const chatOfSecond = orders.find((order) => order.orderId === second)?.chatId ?? 0;
  await sandbox.join(chatOfSecond, user);
  await sandbox.confirm(token, user, second ?? 0);
  assert.deepEqual(await idsShown(token, user), [first, third]);
});

test('a task stays in the round until it is confirmed, even when the user has joined', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const { orderId, chatId } = await sandbox.advertise();
  const user = freshUser();
  assert.deepEqual(await idsShown(token, user), [orderId]);
  await sandbox.join(chatId, user);
  assert.deepEqual(await idsShown(token, user), [orderId]);
  await sandbox.confirm(token, user, orderId);
  assert.deepEqual(await idsShown(token, user), []);
});

test('a finished round stays `ok` until it ends, even when a new order appears', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher({ round_minutes: 10 });
  const first = await sandbox.advertise();
  const user = freshUser();
  await sandbox.subscribe(token, first, user);
  const second = await sandbox.advertise();
  assert.deepEqual(await idsShown(token, user), []);
  await sandbox.advance(9 * 60);
  assert.deepEqual(await idsShown(token, user), []);
  await sandbox.advance(61);
  assert.deepEqual(await idsShown(token, user), [second.orderId]);
});

test('a new round opens exactly when the round length of the bot is over', async () => {
  const { sandbox } = service;
  const short = await sandbox.publisher({ round_minutes: 5 });
  const usual = await sandbox.publisher();
  const first = await sandbox.advertise();
  const users = { short: freshUser(), usual: freshUser() };
  await sandbox.subscribe(short.token, first, users.short);
  await sandbox.subscribe(usual.token, first, users.usual);
  const second = await sandbox.advertise();

  await sandbox.advance(5 * 60);
  assert.deepEqual(await idsShown(short.token, users.short), [second.orderId]);
  assert.deepEqual(await idsShown(usual.token, users.usual), []);
  await sandbox.advance(23 * 3600);
  assert.deepEqual(await idsShown(usual.token, users.usual), []);
  await sandbox.advance(3600);
  assert.deepEqual(await idsShown(usual.token, users.usual), [second.orderId]);
});

test('a task still open when its round ends leads the next round', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher({ round_minutes: 5, max_sponsors: 1 });
  const { orderId } = await sandbox.advertise({ price_per_sub: 1 });
  const user = freshUser();
  assert.deepEqual(await idsShown(token, user), [orderId]);
  const better = await sandbox.advertise({ price_per_sub: 100 });
  await sandbox.advance(6 * 60);
  assert.deepEqual(await idsShown(token, user, { max_sponsors: 2 }), [orderId, better.orderId]);
});

test('a larger max_sponsors adds tasks at the end of the round', async () => {
  const { token } = await service.sandbox.publisher();
  await advertiseMany(3);
  const user = freshUser();
  const first = await idsShown(token, user, { max_sponsors: 1 });
  assert.equal(first.length, 1);
  const all = await idsShown(token, user, { max_sponsors: 3 });
  assert.equal(all.length, 3);
  assert.deepEqual(all.slice(0, 1), first);
  assert.equal(new Set(all).size, 3);
});

test('done tasks count when tasks are added, so a round never exceeds max_sponsors', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const orders = await advertiseMany(4);
  const user = freshUser();
  const [done = 0] = await idsShown(token, user, { max_sponsors: 1 });
  await sandbox.join(orders.find((order) => order.orderId === done)?.chatId ?? 0, user);
  await sandbox.confirm(token, user, done);
  const topped = await idsShown(token, user, { max_sponsors: 3 });
  assert.equal(topped.length, 2);
  assert.ok(!topped.includes(done));
});

test('a smaller max_sponsors only shortens the response, and the round keeps the other tasks', async () => {
  const { token } = await service.sandbox.publisher();
  await advertiseMany(3);
  const user = freshUser();
  const all = await idsShown(token, user, { max_sponsors: 3 });
  assert.equal(all.length, 3);
  assert.deepEqual(await idsShown(token, user, { max_sponsors: 2 }), all.slice(0, 2));
  assert.deepEqual(await idsShown(token, user, { max_sponsors: 3 }), all);
});

test('max_sponsors defaults to the setting of the bot, which is five by default', async () => {
  await advertiseMany(6);
  const two = await service.sandbox.publisher({ max_sponsors: 2 });
  const usual = await service.sandbox.publisher();
  assert.equal((await idsShown(two.token, freshUser())).length, 2);
  assert.equal((await idsShown(usual.token, freshUser())).length, 5);
  assert.equal((await idsShown(two.token, freshUser(), { max_sponsors: 50 })).length, 6);
});

test('an empty response opens no round, so a new order is shown at once', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const user = freshUser();
  assert.deepEqual(await idsShown(token, user), []);
  const { orderId } = await sandbox.advertise();
  assert.deepEqual(await idsShown(token, user), [orderId]);
});

test('rounds of one user in two bots are independent', async () => {
  const { sandbox } = service;
  const [one, other] = [await sandbox.publisher(), await sandbox.publisher()];
  const orders = await advertiseMany(2);
  const user = freshUser();
  const before = await idsShown(one.token, user);
  await idsShown(other.token, user, { max_sponsors: 1 });
  assert.deepEqual(await idsShown(one.token, user), before);
  assert.equal(before.length, orders.length);
});
