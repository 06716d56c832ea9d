import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import pg from 'pg';
import { forgetLists, LIST_DAYS, TASK_DAYS } from '../../src/modules/tasks/index.ts';
import { assertBooks } from '../support/books.ts';
import { sandboxTime } from '../support/platform-ledger.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { newUsers, range } from '../support/users.ts';

const DAY = 24 * 60 * 60;
/** One day for the round, the retention, and one more day. */
const OVER = (LIST_DAYS + 2) * DAY;

let service: TestService;
before(async () => {
  service = await startTestService({ ROLES: 'api,bot', RESERVATION_MINUTES: '60' });
});
beforeEach(async () => {
  await service.sandbox.pauseAllOrders();
  await service.database.db.query('TRUNCATE job_cursors');
});
after(() => service.stop());

/** Pauses the job, because moving the clock runs all due jobs and these tests run this one themselves. */
const holdBack = () =>
  service.database.db.query(
    `INSERT INTO job_cursors (job, paused_until) VALUES ('task_lists', 'infinity')
     ON CONFLICT (job) DO UPDATE SET paused_until = 'infinity'`,
  );
const letGo = () => service.database.db.query('TRUNCATE job_cursors');

async function forget(limit?: number): Promise<number> {
  const now = await sandboxTime(service.sandbox);
  return forgetLists({ db: service.database.db, clock: { now: () => now } }, undefined, limit);
}

async function usersWithList(users: readonly number[]): Promise<number[]> {
  const rows = await service.database.db.query<{ user_id: bigint }>(
    'SELECT user_id FROM task_lists WHERE user_id = ANY($1::bigint[]) ORDER BY user_id',
    [users],
  );
  return rows.map((row) => Number(row.user_id));
}

test('a task list is deleted a month after its round, and a returning user starts a new one', async () => {
  const { sandbox } = service;
  const { orderId } = await sandbox.advertise();
  const { token } = await sandbox.publisher();
  const users = newUsers(1);
  const [user = 0] = users;
  const shown = async () => (await sandbox.getSponsors(token, user)).map(({ ads_id }) => ads_id);
  assert.deepEqual(await shown(), [orderId]);
  await holdBack();
  await sandbox.advance(LIST_DAYS * DAY);
  await letGo();
  await forget();
  assert.deepEqual(await usersWithList(users), users, 'its round ended a day less ago');

  await sandbox.advance(2 * DAY);
  assert.deepEqual(await usersWithList(users), []);
  await assertBooks(service.database.url);
  assert.deepEqual(await shown(), [orderId]);
  assert.deepEqual(await usersWithList(users), users);
  await assertBooks(service.database.url);
});

test('a task list with an open task is kept after its round', async () => {
  const { sandbox, database } = service;
  await sandbox.advertise();
  const { token } = await sandbox.publisher();
  const users = newUsers(2);
  for (const user of users) await sandbox.getSponsors(token, user);
  await database.db.query(
    "UPDATE task_lists SET ends_at = ends_at - interval '1 year' WHERE user_id = ANY($1::bigint[])",
    [users],
  );
  assert.equal(await forget(), 0);
  assert.deepEqual(await usersWithList(users), users);
  await holdBack();
  await sandbox.advance(2 * 60 * 60); // the tasks expire and their reservations are released
  await letGo();
  assert.equal(await forget(), 2);
  await assertBooks(database.url);
});

test('task lists have a shorter retention than tasks', () => {
  assert.ok(LIST_DAYS + 30 < TASK_DAYS);
});

test('users who return while their task lists are deleted get tasks, and no slot is reserved twice', async () => {
  const { sandbox, database } = service;
  const order = await sandbox.advertise({ quantity: 60 });
  const { token } = await sandbox.publisher();
  const users = newUsers(30);
  for (let round = 1; round <= 3; round++) {
    for (const user of users) await sandbox.getSponsors(token, user);
    await holdBack();
    await sandbox.advance(OVER);
    await letGo();
    const walks = range(4).map(() => forget(3));
    const answers = await Promise.all(users.map((user) => sandbox.getSponsors(token, user)));
    await Promise.all(walks);
    for (const tasks of answers) {
      assert.deepEqual(
        tasks.map(({ ads_id }) => ads_id),
        [order.orderId],
      );
    }
    assert.deepEqual(await usersWithList(users), users);
    await assertBooks(database.url);
  }
});

test('simultaneous scans delete each task list once and skip locked ones', async () => {
  const { sandbox, database } = service;
  await sandbox.advertise({ quantity: 50 });
  const { token } = await sandbox.publisher();
  const users = newUsers(40);
  await holdBack();
  for (const user of users) await sandbox.getSponsors(token, user);
  await sandbox.advance(OVER);
  await letGo();
  const busy = new pg.Client({ connectionString: database.url });
  await busy.connect();
  try {
    await busy.query('BEGIN');
    await busy.query('SELECT 1 FROM task_lists WHERE user_id = $1 FOR UPDATE', [users[7]]);
    const counts = await Promise.all([forget(5), forget(5), forget(5)]);
    counts.push(await forget(5));
    assert.ok(counts.reduce((sum, count) => sum + count, 0) >= users.length - 1);
    assert.deepEqual(await usersWithList(users), [users[7]]);
  } finally {
    await busy.end();
  }
});
