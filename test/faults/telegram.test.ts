import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { assertBooks, kopecksIn, taskStates } from '../support/books.ts';
import { eventually } from '../support/eventually.ts';
import { scaledLimitMs } from '../support/machine.ts';
import type { Advertised, Publisher } from '../support/sandbox.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { newUsers } from '../support/users.ts';

const DAY_SECONDS = 24 * 3600;
const USERS = 40;
/** A confirm may wait 4 s for Telegram and a get-sponsors 0.25 s. The rest of each limit allows for a slow machine. */
const CONFIRM_LIMIT_MS = 8_000;
const ASK_LIMIT_MS = 4_000;

let service: TestService;
let url: string;
before(async () => {
  // The shortest value in use, because these tests measure how long a request waits for Telegram.
  service = await startTestService({ TELEGRAM_CANDIDATE_CHECK_MS: '250', TELEGRAM_CHECKS_PER_SECOND: '1000' });
  url = service.database.url;
});
after(() => service.stop());
afterEach(() => service.sandbox.fault({ mode: 'none' }));

interface Stage {
  readonly publisher: Publisher;
  readonly order: Advertised;
  readonly users: readonly number[];
}

/** Creates users who were shown a new order and have joined its resource. */
async function stage({ type = 'channel' as 'channel' | 'bot', count = USERS } = {}): Promise<Stage> {
  const { sandbox } = service;
  await sandbox.pauseAllOrders();
  const publisher = await sandbox.publisher({ max_sponsors: 1 });
  const order = await sandbox.advertise({ type, price_per_sub: 10, quantity: 2 * count });
  const users = newUsers(count);
  await Promise.all(users.map((user) => sandbox.getSponsors(publisher.token, user)));
  assert.deepEqual(await taskStates(url, order.orderId), { shown: count });
  await Promise.all(users.map((user) => sandbox.join(order.chatId, user, true)));
  return { publisher, order, users };
}

async function timed<T>(work: Promise<T>): Promise<{ value: T; milliseconds: number }> {
  const begin = performance.now();
  const value = await work;
  return { value, milliseconds: performance.now() - begin };
}

const FAULTS = [
  { name: 'is down', fault: { mode: 'down' } },
  { name: 'takes a minute to answer', fault: { mode: 'slow', delay_ms: 60_000 } },
  { name: 'asks to wait for an hour', fault: { mode: 'too_many_requests', retry_after: 3_600 } },
] as const;

for (const { name, fault } of FAULTS) {
  for (const type of ['channel', 'bot'] as const) {
    test(`while Telegram ${name}, requests about a ${type} get a response in bounded time, and nothing is lost`, async () => {
      const { sandbox } = service;
      const { publisher, order, users } = await stage({ type });
      await sandbox.fault(fault);

      const newcomers = newUsers(USERS);
      const [confirms, asks] = await Promise.all([
        Promise.all(users.map((user) => timed(sandbox.confirmOnce(publisher.token, user, order.orderId)))),
        Promise.all(newcomers.map((user) => timed(sandbox.getSponsors(publisher.token, user)))),
      ]);

      for (const { value: body, milliseconds } of confirms) {
        assert.deepEqual(
          { status: body.status, subscribed: body.subscribed, code: body.code, grant_access: body.grant_access },
          { status: 'warning', subscribed: false, code: 'check_unavailable', grant_access: false },
        );
        assert.ok(milliseconds < scaledLimitMs(CONFIRM_LIMIT_MS), `a confirm took ${milliseconds} ms`);
      }
      // When the check of a candidate fails, the service shows the task.
      for (const { value: tasks, milliseconds } of asks) {
        assert.equal(tasks[0]?.ads_id, order.orderId);
        assert.ok(milliseconds < scaledLimitMs(ASK_LIMIT_MS), `a get-sponsors took ${milliseconds} ms`);
      }
      assert.deepEqual(await taskStates(url, order.orderId), { shown: 2 * USERS });

      await sandbox.fault({ mode: 'none' });
      const again = await Promise.all(users.map((user) => sandbox.confirmOnce(publisher.token, user, order.orderId)));
      assert.deepEqual(new Set(again.map((body) => body.code)), new Set(['counted']));
      assert.equal(await kopecksIn(url, 'hold', publisher.accountId), USERS * 700);
      await assertBooks(url);
    });
  }

  test(`while Telegram ${name}, settlement waits, and it continues when Telegram recovers`, async () => {
    const { sandbox } = service;
    const { publisher, order, users } = await stage({ count: 10 });
    await Promise.all(users.map((user) => sandbox.confirm(publisher.token, user, order.orderId)));
    await sandbox.leave(order.chatId, users[0] ?? 0, true);
    await sandbox.fault(fault);

    await sandbox.advance(DAY_SECONDS);
    assert.deepEqual(await taskStates(url, order.orderId), { held: 10 });
    assert.equal(await kopecksIn(url, 'hold', publisher.accountId), 7_000);

    await sandbox.fault({ mode: 'none' });
    await sandbox.advance(60);
    assert.deepEqual(await taskStates(url, order.orderId), { reversed: 1, settled: 9 });
    assert.equal(await kopecksIn(url, 'available', publisher.accountId), 6_300);
    await assertBooks(url);
  });
}

test('a confirm waits out a short flood wait within the request', async () => {
  const { sandbox } = service;
  const { publisher, order, users } = await stage({ count: 1 });
  await sandbox.fault({ mode: 'too_many_requests', retry_after: 1, count: 1, method: 'getChatMember' });
  const { value: body, milliseconds } = await timed(sandbox.confirm(publisher.token, users[0] ?? 0, order.orderId));
  assert.equal(body.code, 'counted');
  assert.ok(milliseconds >= 1_000, `it asked again after ${milliseconds} ms although it was told to wait a second`);
});

test('a user who leaves while Telegram refuses to deliver updates loses the reward once it delivers again', async () => {
  const { sandbox } = service;
  const { publisher, order, users } = await stage({ count: 1 });
  const user = users[0] ?? 0;
  await sandbox.confirm(publisher.token, user, order.orderId);
  await sandbox.fault({ mode: 'down', method: 'getUpdates', count: 3 });
  await sandbox.leave(order.chatId, user);
  const isReversed = async () => (await taskStates(url, order.orderId)).reversed === 1;
  await eventually('the leaving is reversed', isReversed);
  await assertBooks(url);
});
