import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { systemClock } from '../../src/core/clock.ts';
import { changeOrderStatus } from '../../src/modules/orders/index.ts';
import { assertBooks, kopecksIn, query, taskStates } from '../support/books.ts';
import type { Advertised, Publisher } from '../support/sandbox.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { newUsers, range } from '../support/users.ts';

const USERS = 40;
const TRIALS = 12;
const DAY_SECONDS = 24 * 3600;

let service: TestService;
let url: string;
before(async () => {
  // The high limit lets the service check every showing, so that every join is dated without an update.
  service = await startTestService({ TELEGRAM_CHECKS_PER_SECOND: '1000' });
  url = service.database.url;
  await service.sandbox.pauseAllOrders();
});
after(() => service.stop());

interface Stage {
  readonly publisher: Publisher;
  readonly order: Advertised;
  readonly users: readonly number[];
}

/** Creates users who were shown a new order and joined its channel, so that each of them is payable. */
async function stage({ quantity = USERS, shown = USERS } = {}): Promise<Stage> {
  const { sandbox } = service;
  const publisher = await sandbox.publisher({ max_sponsors: 1 });
  await sandbox.pauseAllOrders();
  const order = await sandbox.advertise({ price_per_sub: 10, quantity });
  const users = newUsers(shown);
  await Promise.all(users.map((user) => sandbox.getSponsors(publisher.token, user)));
  assert.deepEqual(await taskStates(url, order.orderId), { shown: shown });
  await Promise.all(users.map((user) => sandbox.join(order.chatId, user, true)));
  return { publisher, order, users };
}

const money = async ({ publisher, order }: Stage) => ({
  available: await kopecksIn(url, 'available', publisher.accountId),
  hold: await kopecksIn(url, 'hold', publisher.accountId),
  escrow: await kopecksIn(url, 'escrow', order.orderId),
});

test('a user who leaves during the confirm never gets a settled reward', async () => {
  const { sandbox } = service;
  const staged = await stage();
  const { publisher, order, users } = staged;

  const [bodies] = await Promise.all([
    Promise.all(users.map((user) => sandbox.confirm(publisher.token, user, order.orderId))),
    Promise.all(users.map((user) => sandbox.leave(order.chatId, user))),
  ]);

  for (const body of bodies) assert.ok(body.code === 'counted' || body.code === 'not_subscribed', JSON.stringify(body));
  const counted = bodies.filter((body) => body.code === 'counted').length;
  const { held = 0, reversed = 0 } = await taskStates(url, order.orderId);
  assert.equal(held + reversed, counted);
  await assertBooks(url);

  await sandbox.advance(DAY_SECONDS);
  assert.equal((await taskStates(url, order.orderId)).reversed ?? 0, counted);
  assert.deepEqual(await money(staged), { available: 0, hold: 0, escrow: USERS * 1_000 });
  await assertBooks(url);
});

test('an order that is paused during confirms still pays them', async () => {
  const { sandbox } = service;
  const staged = await stage();
  const { publisher, order, users } = staged;

  const [bodies] = await Promise.all([
    Promise.all(users.map((user) => sandbox.confirm(publisher.token, user, order.orderId))),
    sandbox.control('POST', `/orders/${order.orderId}/pause`),
  ]);

  assert.deepEqual(new Set(bodies.map((body) => body.code)), new Set(['counted']));
  assert.deepEqual(await money(staged), { available: 0, hold: USERS * 700, escrow: 0 });
  await assertBooks(url);
});

test('an order that is cancelled during confirms pays them and refunds the rest exactly', async () => {
  const { sandbox, database } = service;
  const idle = 10;
  const staged = await stage({ quantity: 2 * USERS, shown: USERS + idle });
  const { publisher, order, users } = staged;
  const cancel = () =>
    database.db.transaction((tx) =>
      changeOrderStatus(tx, { orderId: order.orderId, to: 'cancelled', at: systemClock.now() }),
    );

  const [bodies, outcome] = await Promise.all([
    Promise.all(users.slice(idle).map((user) => sandbox.confirm(publisher.token, user, order.orderId))),
    cancel(),
  ]);

  assert.equal(outcome.kind, 'changed');
  assert.deepEqual(new Set(bodies.map((body) => body.code)), new Set(['counted']));
  // The reservations of the idle users stay in escrow until their tasks expire. The rest is refunded.
  assert.deepEqual(await money(staged), { available: 0, hold: USERS * 700, escrow: idle * 1_000 });
  assert.equal(await kopecksIn(url, 'available', order.accountId), (USERS - idle) * 1_000);
  await assertBooks(url);

  await sandbox.advance(3_601);
  assert.deepEqual(await taskStates(url, order.orderId), { expired: idle, held: USERS });
  assert.equal(await kopecksIn(url, 'escrow', order.orderId), 0);
  assert.equal(await kopecksIn(url, 'available', order.accountId), USERS * 1_000);
  await assertBooks(url);
});

test('a cancellation that races with one confirm leaves nothing in escrow', async () => {
  const { sandbox, database } = service;
  await sandbox.pauseAllOrders();
  const publisher = await sandbox.publisher({ max_sponsors: 1 });
  for (const user of newUsers(TRIALS)) {
    const order = await sandbox.advertise({ price_per_sub: 10, quantity: 3 });
    assert.equal((await sandbox.getSponsors(publisher.token, user))[0]?.ads_id, order.orderId);
    await sandbox.join(order.chatId, user, true);
    const change = { orderId: order.orderId, to: 'cancelled', at: systemClock.now() } as const;
    const [body] = await Promise.all([
      sandbox.confirm(publisher.token, user, order.orderId),
      database.db.transaction((tx) => changeOrderStatus(tx, change)),
    ]);
    assert.equal(body.code, 'counted');
    assert.equal(await kopecksIn(url, 'escrow', order.orderId), 0);
    assert.equal(await kopecksIn(url, 'available', order.accountId), 2_000);
  }
  await assertBooks(url);
});

test('a task whose reservation expires during its confirm is paid once, from its own slot', async () => {
  const { sandbox } = service;
  const staged = await stage();
  const { publisher, order, users } = staged;

  const confirms = users.map((user) => sandbox.confirm(publisher.token, user, order.orderId));
  const [bodies] = await Promise.all([Promise.all(confirms), sandbox.advance(3_601)]);
  await sandbox.advance(1); // expires tasks that the first run skipped because a confirm had locked them

  assert.deepEqual(new Set(bodies.map((body) => body.code)), new Set(['counted']));
  const states = await query<{ user_id: number; state: string }>(
    url,
    'SELECT user_id::float8 AS user_id, state FROM all_tasks WHERE order_id = $1',
    [order.orderId],
  );
  assert.deepEqual([states.length, new Set(states.map(({ state }) => state))], [USERS, new Set(['held'])]);
  assert.deepEqual(await money(staged), { available: 0, hold: USERS * 700, escrow: 0 });
  await assertBooks(url);
});

test('simultaneous settlements, repeated confirms and leaves move each reward once', async () => {
  const { sandbox } = service;
  const staged = await stage();
  const { publisher, order, users } = staged;
  const leavers = users.slice(0, 10);
  const firstBodies = await Promise.all(users.map((user) => sandbox.confirm(publisher.token, user, order.orderId)));
  assert.deepEqual(new Set(firstBodies.map((body) => body.code)), new Set(['counted']));

  const [repeats] = await Promise.all([
    Promise.all(users.slice(10).map((user) => sandbox.confirm(publisher.token, user, order.orderId))),
    Promise.all(range(4).map(() => sandbox.advance(DAY_SECONDS / 4))),
    Promise.all(leavers.map((user) => sandbox.leave(order.chatId, user))),
  ]);
  await sandbox.advance(60);

  for (const body of repeats) assert.deepEqual(body, firstBodies[0]);
  const { settled = 0, reversed = 0, ...others } = await taskStates(url, order.orderId);
  assert.deepEqual(others, {});
  assert.equal(settled + reversed, USERS);
  assert.ok(reversed <= leavers.length, 'somebody who stayed lost the reward');
  assert.deepEqual(await money(staged), { available: settled * 700, hold: 0, escrow: reversed * 1_000 });
  await assertBooks(url);
});
