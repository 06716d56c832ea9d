import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { assertBooks } from '../support/books.ts';
import { readFigures } from '../support/figures.ts';
import { type Advertised, freshUser, type Publisher } from '../support/sandbox.ts';
import { startTestService, type TestService } from '../support/service.ts';

/** Longer than a confirm may wait, so a request cannot wait until the flood wait ends. */
const LONG_SECONDS = 600;

let service: TestService;
before(async () => {
  service = await startTestService({ TELEGRAM_CHECKS_PER_SECOND: '1000' });
});
after(() => service.stop());
beforeEach(() => service.sandbox.pauseAllOrders());
afterEach(() => service.sandbox.fault({ mode: 'none' }));

interface Shown {
  readonly publisher: Publisher;
  readonly orders: readonly Advertised[];
}

/** Creates orders for channels and shows them to all users. */
async function show(users: readonly number[], orderCount: number): Promise<Shown> {
  const { sandbox } = service;
  const publisher = await sandbox.publisher({ max_sponsors: orderCount });
  const orders = await Promise.all(Array.from({ length: orderCount }, () => sandbox.advertise({ quantity: 50 })));
  for (const user of users) {
    const shown = await sandbox.getSponsors(publisher.token, user);
    assert.deepEqual(new Set(shown.map((task) => task.ads_id)), new Set(orders.map((order) => order.orderId)));
  }
  return { publisher, orders };
}

const joinSilently = (order: Advertised | undefined, user: number) =>
  service.sandbox.join(order?.chatId ?? 0, user, true);
const confirm = async ({ token }: Publisher, user: number, order: Advertised | undefined): Promise<string> =>
  (await service.sandbox.confirmOnce(token, user, order?.orderId ?? 0)).code;

/** Returns a function that counts the membership checks that Telegram accepted and refused since this call. */
async function countCalls(): Promise<() => Promise<{ answered: number; refused: number }>> {
  const read = async () => {
    const figures = await readFigures(service.url);
    const count = (outcome: string) => figures.count('telegram_call_seconds', { method: 'getChatMember', outcome });
    return { answered: count('ok'), refused: count('flood') };
  };
  const before = await read();
  return async () => {
    const now = await read();
    return { answered: now.answered - before.answered, refused: now.refused - before.refused };
  };
}

test('a flood wait of one request applies to all: no request checks that chat until it is over', async () => {
  const { sandbox } = service;
  const users = Array.from({ length: 12 }, freshUser);
  const { publisher, orders } = await show(users, 1);
  await Promise.all(users.map((user) => joinSilently(orders[0], user)));
  const calls = await countCalls();
  // The fault applies to one call. Every later check would succeed, so uncounted users prove that no check was sent.
  await sandbox.fault({
    mode: 'too_many_requests',
    retry_after: LONG_SECONDS,
    count: 1,
    method: 'getChatMember',
    chat_id: orders[0]?.chatId,
  });

  assert.equal(await confirm(publisher, users[0] ?? 0, orders[0]), 'check_unavailable');
  const codes = await Promise.all(users.map((user) => confirm(publisher, user, orders[0])));
  assert.deepEqual(new Set(codes), new Set(['check_unavailable']));
  assert.deepEqual(await calls(), { answered: 0, refused: 1 });
  const waits = async () => (await readFigures(service.url)).value('telegram_flood_waits', { scope: 'chat' });
  assert.equal(await waits(), 1);

  await sandbox.advance(LONG_SECONDS);
  assert.equal(await waits(), 0);
  const again = await Promise.all(users.map((user) => confirm(publisher, user, orders[0])));
  assert.deepEqual(new Set(again), new Set(['counted']));
  await assertBooks(service.database.url);
});

test('a flood wait of one chat delays neither confirms nor candidate checks of another chat', async () => {
  const { sandbox } = service;
  const users = Array.from({ length: 6 }, freshUser);
  const { publisher, orders } = await show(users, 2);
  const [flooded, quiet] = orders;
  await Promise.all(users.flatMap((user) => [joinSilently(flooded, user), joinSilently(quiet, user)]));
  const calls = await countCalls();
  await sandbox.fault({ mode: 'too_many_requests', retry_after: 3_600, chat_id: flooded?.chatId });

  assert.equal(await confirm(publisher, users[0] ?? 0, flooded), 'check_unavailable');
  for (const user of users) {
    assert.equal(await confirm(publisher, user, flooded), 'check_unavailable');
    assert.equal(await confirm(publisher, user, quiet), 'counted');
  }
  assert.deepEqual(await calls(), { answered: users.length, refused: 1 });

  // A member of both chats gets the task of the chat that cannot be checked, and not the other task.
  const newcomer = freshUser();
  await Promise.all([joinSilently(flooded, newcomer), joinSilently(quiet, newcomer)]);
  const shown = await sandbox.getSponsors(publisher.token, newcomer);
  assert.deepEqual(
    shown.map((task) => task.ads_id),
    [flooded?.orderId],
  );
  assert.deepEqual(await calls(), { answered: users.length + 1, refused: 1 });
});

test('after refusals in several chats the whole bot waits and checks no further chats', async () => {
  const { sandbox } = service;
  const user = freshUser();
  const { publisher, orders } = await show([user], 8);
  await Promise.all(orders.map((order) => joinSilently(order, user)));
  const calls = await countCalls();
  await sandbox.fault({ mode: 'too_many_requests', retry_after: LONG_SECONDS, method: 'getChatMember' });

  for (const order of orders) assert.equal(await confirm(publisher, user, order), 'check_unavailable');
  assert.deepEqual(await calls(), { answered: 0, refused: 5 });
  const figures = await readFigures(service.url);
  assert.deepEqual(
    [figures.value('telegram_flood_waits', { scope: 'chat' }), figures.value('telegram_flood_waits', { scope: 'bot' })],
    [5, 1],
  );
  // get-sponsors does not wait for the flood wait.
  assert.equal((await sandbox.getSponsors(publisher.token, freshUser())).length, orders.length);
  assert.deepEqual(await calls(), { answered: 0, refused: 5 });

  await sandbox.fault({ mode: 'none' });
  for (const order of orders) assert.equal(await confirm(publisher, user, order), 'counted');
});

test('a join that an update reported counts while the chat cannot be checked', async () => {
  const { sandbox } = service;
  const [stranger, known] = [freshUser(), freshUser()];
  const { publisher, orders } = await show([stranger, known], 1);
  await joinSilently(orders[0], stranger);
  await sandbox.join(orders[0]?.chatId ?? 0, known);
  await sandbox.fault({ mode: 'too_many_requests', retry_after: 3_600, method: 'getChatMember' });
  assert.equal(await confirm(publisher, stranger, orders[0]), 'check_unavailable');
  assert.equal(await confirm(publisher, known, orders[0]), 'counted');
  assert.equal(await confirm(publisher, stranger, orders[0]), 'check_unavailable');
  await assertBooks(service.database.url);
});

test('settlement skips a chat with a flood wait and continues with the others', async () => {
  const { sandbox } = service;
  const users = Array.from({ length: 4 }, freshUser);
  const { publisher, orders } = await show(users, 2);
  const [flooded, quiet] = orders;
  for (const user of users) {
    for (const order of orders) {
      await joinSilently(order, user);
      assert.equal(await confirm(publisher, user, order), 'counted');
    }
  }
  const calls = await countCalls();
  await sandbox.fault({ mode: 'too_many_requests', retry_after: 3_600, chat_id: flooded?.chatId });
  await sandbox.advance(24 * 3600);
  assert.deepEqual(await sandbox.money(publisher.token), { balance: 28, hold_balance: 28 });
  assert.equal((await sandbox.order(quiet?.orderId ?? 0)).subscribers, users.length);
  const { refused } = await calls();
  // The worker checks these tasks concurrently, so each can send one call before the first refusal arrives.
  await sandbox.advance(60);
  assert.equal((await calls()).refused, refused, 'the wait lasts, so it was not asked again');
  assert.ok(refused >= 1 && refused <= users.length, `${refused} calls`);

  await sandbox.fault({ mode: 'none' });
  await sandbox.advance(60);
  assert.deepEqual(await sandbox.money(publisher.token), { balance: 56, hold_balance: 0 });
});
