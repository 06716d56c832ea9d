import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { assertBooks, kopecksIn, taskStates } from '../support/books.ts';
import { createDataDir, type DataDir, isGone } from '../support/data-dir.ts';
import { eventually } from '../support/eventually.ts';
import { killAll, type ServiceProcess, startProcess } from '../support/process.ts';
import { newUsers, range } from '../support/users.ts';

const USERS = 240;
const CALLERS = 16;
/** The test kills the service after this many acknowledged confirms. */
const ACKNOWLEDGED = 100;

let dataDir: DataDir | undefined;
let service: ServiceProcess | undefined;
afterEach(async () => {
  await service?.end('SIGTERM').catch(() => undefined);
  await killAll();
  await dataDir?.remove();
});

interface Acknowledged {
  readonly user: number;
  readonly body: unknown;
}

describe('a service killed in the middle of a load of confirms', () => {
  test('has every acknowledged confirm and exact books after a restart', async () => {
    await killAndRestart(async (running) => {
      await running.end('SIGKILL');
    });
  });

  test('has them also when its PostgreSQL is killed with it', async () => {
    await killAndRestart(async (running, folder) => {
      const postmaster = await folder.postmasterPid();
      // The server leads its own process group, so this kills all of its processes.
      process.kill(-postmaster, 'SIGKILL');
      await running.end('SIGKILL');
      await eventually('PostgreSQL is gone', () => isGone(postmaster));
    });
  });
});

async function killAndRestart(kill: (running: ServiceProcess, folder: DataDir) => Promise<void>): Promise<void> {
  dataDir = await createDataDir();
  const settings = { DATA_DIR: dataDir.path };
  const first = await startProcess(settings);
  service = first;
  const { sandbox } = first;
  await sandbox.pauseAllOrders();
  const publisher = await sandbox.publisher({ max_sponsors: 1 });
  const order = await sandbox.advertise({ price_per_sub: 10, quantity: 2 * USERS });
  const users = newUsers(USERS);
  await Promise.all(users.map((user) => sandbox.getSponsors(publisher.token, user)));
  await Promise.all(users.map((user) => sandbox.join(order.chatId, user, true)));

  const acknowledged: Acknowledged[] = [];
  const enough = Promise.withResolvers<void>();
  const waiting = [...users];
  const newcomers = newUsers(USERS);
  const callers = range(CALLERS).map(async () => {
    for (let user = waiting.shift(); user !== undefined; user = waiting.shift()) {
      const body: unknown = await sandbox.confirm(publisher.token, user, order.orderId);
      acknowledged.push({ user, body });
      if (acknowledged.length === ACKNOWLEDGED) enough.resolve();
      // Show tasks to other users at the same time: their reservations must not leak either.
      const newcomer = newcomers.shift();
      if (newcomer !== undefined) await sandbox.getSponsors(publisher.token, newcomer);
    }
  });
  const load = Promise.allSettled(callers);
  await Promise.race([enough.promise, load]);
  await kill(first, dataDir);
  const ends = await load;
  assert.ok(ends.some((end) => end.status === 'rejected') && waiting.length > 0, 'the kill came after the load');

  const second = await startProcess(settings);
  service = second;
  const url = await dataDir.url();
  await assertBooks(url);
  const { held = 0 } = await taskStates(url, order.orderId);
  assert.ok(held >= acknowledged.length, `${acknowledged.length} confirms were acknowledged, ${held} are there`);
  assert.equal(await kopecksIn(url, 'hold', publisher.accountId), held * 700);
  await Promise.all(
    acknowledged.map(async ({ user, body }) =>
      assert.deepEqual(await second.sandbox.confirm(publisher.token, user, order.orderId), body),
    ),
  );
  assert.equal(await kopecksIn(url, 'hold', publisher.accountId), held * 700, 'a repeat was credited again');

  // A caller without a response repeats the confirm.
  const isCounted = async (user: number): Promise<boolean> =>
    (await second.sandbox.confirm(publisher.token, user, order.orderId)).code === 'counted';
  await Promise.all(users.map((user) => eventually(`${user} is counted`, () => isCounted(user))));
  assert.equal(await kopecksIn(url, 'hold', publisher.accountId), USERS * 700);
  await assertBooks(url);
}
