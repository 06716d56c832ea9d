import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertBooks, kopecksIn, query, taskStates } from '../support/books.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { scaledLimitMs } from '../support/machine.ts';
import { killAll, startProcess } from '../support/process.ts';
import { newUsers } from '../support/users.ts';
import { moveClock, tick } from '../support/workers.ts';

const DAY_SECONDS = 24 * 3600;
const USERS = 150;
const LEAVERS = 10;

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(async () => {
  await killAll();
  await database.drop();
});

/**
 * The service has recovered when all due tasks are settled, including the claimed tasks of the killed worker. The time
 * counts in real seconds from the worker's last step. The test restarts nothing and triggers no job: the other worker
 * does it all.
 */
test('another worker settles the tasks of a killed worker once, within 60 seconds', async () => {
  const { url } = database;
  // The service checks every shown task, so that every join has a date although no update reports it.
  const front = await startProcess({
    DATABASE_URL: url,
    ROLES: 'api,bot',
    TELEGRAM_CHECKS_PER_SECOND: '1000',
    TELEGRAM_CANDIDATE_CHECK_MS: '5000',
  });
  const { sandbox } = front;
  await sandbox.pauseAllOrders();
  const publisher = await sandbox.publisher({ max_sponsors: 1 });
  const order = await sandbox.advertise({ price_per_sub: 10, quantity: USERS });
  const users = newUsers(USERS);
  await Promise.all(users.map((user) => sandbox.getSponsors(publisher.token, user)));
  await Promise.all(users.map((user) => sandbox.join(order.chatId, user, true)));
  await Promise.all(users.map((user) => sandbox.confirm(publisher.token, user, order.orderId)));
  assert.deepEqual(await taskStates(url, order.orderId), { held: USERS });
  await Promise.all(users.slice(0, LEAVERS).map((user) => sandbox.leave(order.chatId, user, true)));

  const doomed = await startProcess({ DATABASE_URL: url, ROLES: 'worker' });
  await sandbox.fault({ mode: 'slow', method: 'getChatMember', delay_ms: 4_500 });
  await moveClock(url, DAY_SECONDS);
  await tick(url, 'settle-tasks');
  const claimed = async (): Promise<number> => {
    const [row] = await query<{ count: number }>(
      url,
      `SELECT count(*)::int AS count FROM tasks WHERE order_id = $1 AND next_check_at > release_at`,
      [order.orderId],
    );
    return row?.count ?? 0;
  };
  await eventually('the worker has tasks in its hands', async () => (await claimed()) > 0);
  // Freeze the worker, so that it still holds its tasks when the other worker is up and the kill happens.
  doomed.freeze();
  const fellSilentAt = performance.now();
  assert.deepEqual(await taskStates(url, order.orderId), { held: USERS }, 'it has settled something already');
  await startProcess({ DATABASE_URL: url, ROLES: 'worker' });
  await doomed.end('SIGKILL');
  await sandbox.fault({ mode: 'none' });

  const isSettled = async () => (await taskStates(url, order.orderId)).held === undefined;
  await eventually('everything due is settled', isSettled, { everyMs: 250 });
  const recoveredMs = performance.now() - fellSilentAt;
  assert.ok(recoveredMs < scaledLimitMs(60_000), `it took ${recoveredMs} ms`);

  assert.deepEqual(await taskStates(url, order.orderId), { reversed: LEAVERS, settled: USERS - LEAVERS });
  assert.equal(await kopecksIn(url, 'available', publisher.accountId), (USERS - LEAVERS) * 700);
  assert.equal(await kopecksIn(url, 'hold', publisher.accountId), 0);
  await assertBooks(url);
});
