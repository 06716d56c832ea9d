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

test('a round keeps its order on every call', async () => {
  const { token } = await service.sandbox.publisher();
  await advertiseMany(4);
  const user = freshUser();
  const first = await idsShown(token, user);
  assert.equal(first.length, 4);
  assert.deepEqual(await idsShown(token, user), first);
  await service.sandbox.advance(45 * 60); // long enough for the tasks to be written anew
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

test('a task is outstanding until it is confirmed, even when the user has joined', async () => {
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

test('a finished round stays `ok` until it ends, although a new order appears', async () => {
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

test('a new round opens when the length that the bot set is over, and no later than that', async () => {
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

test('a larger max_sponsors tops the round up behind the tasks that are there', async () => {
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

test('topping up counts the tasks that were done: no more than max_sponsors in one round', async () => {
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

test('a smaller max_sponsors only cuts the answer, and the round keeps the rest', async () => {
  const { token } = await service.sandbox.publisher();
  await advertiseMany(3);
  const user = freshUser();
  const all = await idsShown(token, user, { max_sponsors: 3 });
  assert.equal(all.length, 3);
  assert.deepEqual(await idsShown(token, user, { max_sponsors: 2 }), all.slice(0, 2));
  assert.deepEqual(await idsShown(token, user, { max_sponsors: 3 }), all);
});

test('without max_sponsors the number set for the bot is used, five when none was set', async () => {
  await advertiseMany(6);
  const two = await service.sandbox.publisher({ max_sponsors: 2 });
  const usual = await service.sandbox.publisher();
  assert.equal((await idsShown(two.token, freshUser())).length, 2);
  assert.equal((await idsShown(usual.token, freshUser())).length, 5);
  assert.equal((await idsShown(two.token, freshUser(), { max_sponsors: 50 })).length, 6);
});

test('an empty answer opens no round: the first order that appears is shown at once', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const user = freshUser();
  assert.deepEqual(await idsShown(token, user), []);
  const { orderId } = await sandbox.advertise();
  assert.deepEqual(await idsShown(token, user), [orderId]);
});

test('rounds of one user in two bots do not touch each other', async () => {
  const { sandbox } = service;
  const [one, other] = [await sandbox.publisher(), await sandbox.publisher()];
  const orders = await advertiseMany(2);
  const user = freshUser();
  const before = await idsShown(one.token, user);
  await idsShown(other.token, user, { max_sponsors: 1 });
  assert.deepEqual(await idsShown(one.token, user), before);
  assert.equal(before.length, orders.length);
});
