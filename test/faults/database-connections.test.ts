import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertBooks, kopecksIn, query, taskStates } from '../support/books.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { killAll, type ServiceProcess, startProcess } from '../support/process.ts';
import { newUsers, range } from '../support/users.ts';
import { moveClock } from '../support/workers.ts';

const USERS = 250;
const CALLERS = 16;
const CUTS = 5;

let database: TestDatabase;
let service: ServiceProcess;
before(async () => {
  database = await createTestDatabase();
  service = await startProcess({ DATABASE_URL: database.url });
  await service.sandbox.pauseAllOrders();
});
after(async () => {
  await killAll();
  await database.drop();
});

/** Ends every connection to the database except the current one: pools, listeners, locks and the job queue. */
async function cutConnections(): Promise<number> {
  const cut = await query(
    database.url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'sponsorgate%'`,
  );
  return cut.length;
}

test('a service whose database connections are cut under load responds correctly or with 503, and neither loses nor repeats a confirm', async () => {
  const { sandbox } = service;
  const publisher = await sandbox.publisher({ max_sponsors: 1 });
  const order = await sandbox.advertise({ price_per_sub: 10, quantity: USERS });
  const users = newUsers(USERS);
  await Promise.all(users.map((user) => sandbox.getSponsors(publisher.token, user)));
  await Promise.all(users.map((user) => sandbox.join(order.chatId, user, true)));

  const waiting = [...users];
  const answers: { user: number; status: number; body: Record<string, unknown> }[] = [];
  const load = Promise.all(
    range(CALLERS).map(async () => {
      for (let user = waiting.shift(); user !== undefined; user = waiting.shift()) {
        const { status, body } = await sandbox.api(publisher.token, 'confirm-subscription', {
          user_id: user,
          ads_id: order.orderId,
        });
        answers.push({ user, status, body });
      }
    }),
  );
  for (const cut of range(CUTS)) {
    const due = ((cut + 0.5) * USERS) / CUTS;
    await eventually(`${due} answers`, () => answers.length >= due || waiting.length === 0, { everyMs: 1 });
    assert.ok((await cutConnections()) > 0, 'there was nothing to cut');
  }
  await load;

  const counted = answers.filter(({ status, body }) => status === 200 && body.code === 'counted');
  for (const { status, body } of answers) {
    if (status === 503) assert.equal(body.code, 'database_unavailable');
    // A membership check can fail too, because the emulator uses the same connections.
    else
      assert.ok(status === 200 && (body.code === 'counted' || body.code === 'check_unavailable'), JSON.stringify(body));
  }
  const { held = 0 } = await taskStates(database.url, order.orderId);
  assert.ok(held >= counted.length, `${counted.length} were acknowledged, ${held} are there`);
  await assertBooks(database.url);

  // The test restarts nothing: the service has to reconnect by itself.
  const retry = async (user: number): Promise<boolean> => {
    const { status, body } = await sandbox.api(publisher.token, 'confirm-subscription', {
      user_id: user,
      ads_id: order.orderId,
    });
    return status === 200 && body.code === 'counted';
  };
  await Promise.all(users.map((user) => eventually(`${user} is counted`, () => retry(user))));
  assert.equal(await kopecksIn(database.url, 'hold', publisher.accountId), USERS * 700);
  await assertBooks(database.url);
});

test('after its connections are cut a service listens again and shows an order that another process creates', async () => {
  const other = await startProcess({ DATABASE_URL: database.url, ROLES: 'api' });
  const { token } = await other.sandbox.publisher({ max_sponsors: 1 });
  await cutConnections();
  await eventually('the service listens again', async () => (await listeners()) >= 2);
  // The full refresh of the order book every 5 s would also find the order. The notification is faster.
  for (const price of [50, 60, 70]) {
    const order = await other.sandbox.advertise({ price_per_sub: price, quantity: 100 });
    await eventually('the order is shown', async () => {
      const [user = 0] = newUsers(1);
      return (await service.sandbox.getSponsors(token, user))[0]?.ads_id === order.orderId;
    });
  }
});

test('after its connections are cut a service continues to read updates and to run its jobs', async () => {
  const { sandbox } = service;
  const publisher = await sandbox.publisher({ max_sponsors: 1 });
  const order = await sandbox.advertise({ price_per_sub: 100, quantity: 2 });
  const [leaver = 0, stayer = 0] = newUsers(2);
  for (const user of [leaver, stayer]) {
    assert.equal((await sandbox.getSponsors(publisher.token, user))[0]?.ads_id, order.orderId);
    await sandbox.join(order.chatId, user, true);
    await sandbox.confirm(publisher.token, user, order.orderId);
  }
  await cutConnections();

  const leaves = async () =>
    (await sandbox.call('DELETE', `/sandbox/chats/${order.chatId}/members/${leaver}`)).status === 204;
  await eventually('the sandbox answers again', leaves);
  const becomes = (state: string) => async () => (await taskStates(database.url, order.orderId))[state] === 1;
  await eventually('the leaving is heard of and reversed', becomes('reversed'));
  await moveClock(database.url, 24 * 3600);
  await eventually('the worker settles what is due', becomes('settled'));
  await assertBooks(database.url);
});

async function listeners(): Promise<number> {
  const [row] = await query<{ count: number }>(
    database.url,
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'sponsorgate listener'
       AND query = 'LISTEN "sponsorgate_changes"'`,
  );
  return row?.count ?? 0;
}
