import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertBooks, kopecksIn, query, taskStates } from '../support/books.ts';
import { type ServiceGroup, startServiceGroup } from '../support/service-group.ts';
import { newUsers, range } from '../support/users.ts';

const USERS = 30;

let database: ServiceGroup['database'];
let reach: ServiceGroup['reach'];
let stop: ServiceGroup['stop'];

before(async () => {
  ({ database, reach, stop } = await startServiceGroup({}, {}));
});
after(() => stop());

test('simultaneous confirms of one order through two bots credit one of the bots', async () => {
  const publishers = [await reach(0).publisher(), await reach(0).publisher()] as const;
  const order = await reach(0).advertise({ price_per_sub: 10, quantity: 2 * USERS });
  const users = newUsers(USERS);
  for (const { token } of publishers) {
    await Promise.all(
      users.map(async (user) => assert.equal((await reach(0).getSponsors(token, user))[0]?.ads_id, order.orderId)),
    );
  }
  await Promise.all(users.map((user) => reach(0).join(order.chatId, user, true)));

  const pairs = await Promise.all(
    users.map((user) => Promise.all(publishers.map(({ token }, i) => reach(i).confirm(token, user, order.orderId)))),
  );

  for (const bodies of pairs) {
    assert.deepEqual(
      bodies.map((body) => Number(body.credited)).sort((a, b) => a - b),
      [0, 7],
    );
    assert.ok(bodies.every((body) => body.status === 'ok' && body.subscribed === true && body.grant_access === true));
  }
  assert.deepEqual(await taskStates(database.url, order.orderId), { held: USERS, notgetted: USERS });
  const credited = await Promise.all(publishers.map(({ accountId }) => kopecksIn(database.url, 'hold', accountId)));
  assert.equal(
    credited.reduce((sum, kopecks) => sum + kopecks, 0),
    USERS * 700,
  );
  await assertBooks(database.url);
  await reach(0).control('POST', `/orders/${order.orderId}/pause`);
});

test('simultaneous confirms of two orders for one channel charge one of the orders', async () => {
  const publishers = [await reach(0).publisher(), await reach(0).publisher()] as const;
  const first = await reach(0).advertise({ price_per_sub: 10, quantity: USERS });
  const users = newUsers(USERS);
  await Promise.all(users.map((user) => reach(0).getSponsors(publishers[0].token, user)));
  const second = await reach(0).advertise({ price_per_sub: 20, quantity: USERS, chat_id: first.chatId });
  await Promise.all(users.map((user) => reach(0).getSponsors(publishers[1].token, user)));
  assert.deepEqual(
    [await taskStates(database.url, first.orderId), await taskStates(database.url, second.orderId)],
    [{ shown: USERS }, { shown: USERS }],
  );
  await Promise.all(users.map((user) => reach(0).join(first.chatId, user, true)));

  const pairs = await Promise.all(
    users.map((user, i) =>
      Promise.all([
        reach(i).confirm(publishers[0].token, user, first.orderId),
        reach(i + 1).confirm(publishers[1].token, user, second.orderId),
      ]),
    ),
  );

  for (const [one, other] of pairs) {
    assert.ok((one.credited === 7 && other.credited === 0) || (one.credited === 0 && other.credited === 14));
  }
  const counted = await query<{ count: number }>(
    database.url,
    `SELECT count(*)::int AS count FROM tasks WHERE order_id IN ($1, $2) AND state = 'held'`,
    [first.orderId, second.orderId],
  );
  assert.deepEqual(counted, [{ count: USERS }]);
  await assertBooks(database.url);
  for (const { orderId } of [first, second]) await reach(0).control('POST', `/orders/${orderId}/pause`);
});

test('50 simultaneous requests for one user open one round and return the same tasks', async () => {
  const { token, botId } = await reach(0).publisher({ max_sponsors: 3 });
  for (const price of [10, 20, 30, 40, 50]) await reach(0).advertise({ price_per_sub: price, quantity: 5 });
  const [user = 0] = newUsers(1);

  const answers = await Promise.all(range(50).map((n) => reach(n).getSponsors(token, user)));

  const [first = []] = answers;
  assert.equal(first.length, 3);
  for (const tasks of answers) assert.deepEqual(tasks, first);
  const written = await query<{ rounds: number; tasks: number }>(
    database.url,
    `SELECT (SELECT max(number) FROM task_lists WHERE user_id = $1 AND bot_id = $2) AS rounds,
            (SELECT count(*)::int FROM all_tasks WHERE user_id = $1 AND bot_id = $2) AS tasks`,
    [user, botId],
  );
  assert.deepEqual(written, [{ rounds: 1, tasks: 3 }]);
  await assertBooks(database.url);
});

test('50 simultaneous confirms of one task credit once and return the same response', async () => {
  const { token, accountId } = await reach(0).publisher({ max_sponsors: 1 });
  const order = await reach(0).advertise({ price_per_sub: 100, quantity: 5 });
  const [user = 0] = newUsers(1);
  assert.equal((await reach(0).getSponsors(token, user))[0]?.ads_id, order.orderId);
  await reach(0).join(order.chatId, user, true);

  const bodies = await Promise.all(range(50).map((n) => reach(n).confirm(token, user, order.orderId)));

  for (const body of bodies) assert.deepEqual(body, bodies[0]);
  assert.equal(bodies[0].credited, 70);
  assert.equal(await kopecksIn(database.url, 'hold', accountId), 7_000);
  await assertBooks(database.url);
});
