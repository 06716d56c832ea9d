import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { assertBooks, query, taskStates } from '../support/books.ts';
import { createDataDir, type DataDir, isGone } from '../support/data-dir.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { scaledLimitMs } from '../support/machine.ts';
import { killAll, runCommand, type ServiceProcess, startProcess } from '../support/process.ts';
import { newUsers } from '../support/users.ts';
import { moveClock, tick } from '../support/workers.ts';

/** The limit that the contract guarantees on an ordinary machine. */
const STOP_LIMIT_MS = 10_000;
const USERS = 10;

let dataDir: DataDir | undefined;
let database: TestDatabase | undefined;
afterEach(async () => {
  await killAll();
  await dataDir?.remove();
  await database?.drop();
  dataDir = undefined;
  database = undefined;
});

/** Creates users who were shown an order and have joined its channel. */
async function stage({ sandbox }: ServiceProcess) {
  await sandbox.pauseAllOrders();
  const publisher = await sandbox.publisher();
  const order = await sandbox.advertise({ price_per_sub: 10, quantity: 2 * USERS });
  const users = newUsers(USERS);
  await Promise.all(users.map((user) => sandbox.getSponsors(publisher.token, user)));
  await Promise.all(users.map((user) => sandbox.join(order.chatId, user, true)));
  return { token: publisher.token, orderId: order.orderId, users };
}

/** Waits until the service refuses connections. It does so at once, although open requests may take seconds more. */
async function untilClosed({ url }: ServiceProcess): Promise<void> {
  const isRefused = () =>
    fetch(`${url}/api/v1/health`).then(
      () => false,
      () => true,
    );
  await eventually('nobody is let in any more', isRefused);
}

const ASKED_FOR = 1_000_000;

/** Makes Telegram slow. Returns a function that returns the number of membership checks since then. */
async function slowDown({ sandbox }: ServiceProcess, url: string, delayMs: number): Promise<() => Promise<number>> {
  await sandbox.fault({ mode: 'slow', method: 'getChatMember', delay_ms: delayMs, count: ASKED_FOR });
  return async () => {
    const [fault] = await query<{ remaining: number }>(url, 'SELECT remaining FROM sandbox.tg_faults');
    return ASKED_FOR - (fault?.remaining ?? ASKED_FOR);
  };
}

test('requests in progress at SIGTERM get a full response, and the process and its PostgreSQL exit with 0', async () => {
  dataDir = await createDataDir();
  const service = await startProcess({ DATA_DIR: dataDir.path });
  const postmaster = await dataDir.postmasterPid();
  const { token, orderId, users } = await stage(service);
  const questions = await slowDown(service, await dataDir.url(), 2_500);

  const confirms = users.map((user) =>
    service.sandbox.api(token, 'confirm-subscription', { user_id: user, ads_id: orderId }),
  );
  await eventually('every confirm waits for Telegram', async () => (await questions()) === USERS);
  const ending = service.end('SIGTERM');
  await untilClosed(service);

  const answers = await Promise.all(confirms);
  assert.deepEqual(
    answers.map((answer) => [answer.status, answer.body.code]),
    answers.map(() => [200, 'counted']),
  );
  const end = await ending;
  assert.deepEqual({ code: end.code, signal: end.signal }, { code: 0, signal: null }, service.stderr());
  assert.ok(end.milliseconds < scaledLimitMs(STOP_LIMIT_MS), `it took ${end.milliseconds} ms`);
  assert.ok(await isGone(postmaster), 'PostgreSQL was left running');

  const books = await runCommand(['verify-ledger'], { DATA_DIR: dataDir.path });
  assert.deepEqual([books.code, books.stdout.includes('The ledger is balanced.')], [0, true], books.stderr);
});

test('a process stopped during a settlement with a slow Telegram exits with 0 in time and loses nothing', async () => {
  database = await createTestDatabase();
  const { url } = database;
  const service = await startProcess({ DATABASE_URL: url });
  const { token, orderId, users } = await stage(service);
  await Promise.all(users.map((user) => service.sandbox.confirm(token, user, orderId)));
  const questions = await slowDown(service, url, 4_500);
  await moveClock(url, 24 * 3600);
  await tick(url, 'settle-tasks');
  await eventually('the worker waits for Telegram', async () => (await questions()) === USERS);

  const ending = service.end('SIGTERM');
  await untilClosed(service);
  const end = await ending;
  assert.deepEqual({ code: end.code, signal: end.signal }, { code: 0, signal: null }, service.stderr());
  assert.ok(end.milliseconds < scaledLimitMs(STOP_LIMIT_MS), `it took ${end.milliseconds} ms`);
  await assertBooks(url);

  const next = await startProcess({ DATABASE_URL: url });
  await next.sandbox.fault({ mode: 'none' });
  await next.sandbox.advance(60);
  assert.equal((await taskStates(url, orderId)).settled, USERS);
  await assertBooks(url);
});

test('a second signal does not shorten the draining', async () => {
  dataDir = await createDataDir();
  const service = await startProcess({ DATA_DIR: dataDir.path });
  const postmaster = await dataDir.postmasterPid();
  // Ctrl-C under npm sends the signal twice: once from the terminal and once from npm.
  process.kill(service.pid, 'SIGINT');
  process.kill(service.pid, 'SIGTERM');
  await eventually('it has begun to stop', () => service.stderr().includes('stopping'));
  process.kill(service.pid, 'SIGINT');
  assert.deepEqual(await service.exited, { code: 0, signal: null });
  assert.ok(await isGone(postmaster), 'PostgreSQL was left running');
});

for (const moment of ['its PostgreSQL has been launched', 'it listens and has not started its jobs'] as const) {
  test(`a process told to stop when ${moment} exits with 0 and leaves no PostgreSQL running`, async () => {
    dataDir = await createDataDir();
    const until = moment.startsWith('its') ? 'launched' : 'listening';
    const service = await startProcess({ DATA_DIR: dataDir.path }, until);
    const postmaster = await dataDir.postmasterPid();

    const end = await service.end('SIGTERM');
    assert.deepEqual({ code: end.code, signal: end.signal }, { code: 0, signal: null }, service.stderr());
    assert.ok(end.milliseconds < scaledLimitMs(STOP_LIMIT_MS), `it took ${end.milliseconds} ms`);
    assert.ok(await isGone(postmaster), 'PostgreSQL was left running');
  });
}
