import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { query } from '../support/books.ts';
import { createEmptyDatabase } from '../support/database.ts';
import { killAll, type ServiceProcess, startProcess } from '../support/process.ts';
import { freshUser } from '../support/sandbox.ts';
import { checkOutPrevious, type PreviousVersion } from './previous-version.ts';

const DAY_SECONDS = 24 * 60 * 60;

let previous: PreviousVersion;
let database: Awaited<ReturnType<typeof createEmptyDatabase>>;

before(async () => {
  previous = await checkOutPrevious();
  database = await createEmptyDatabase();
});
afterEach(killAll);
after(async () => {
  await database?.drop();
  await previous?.remove();
});

const startOld = (): Promise<ServiceProcess> => startProcess({ DATABASE_URL: database.url }, 'started', previous.bin);
const startNew = (): Promise<ServiceProcess> => startProcess({ DATABASE_URL: database.url });

/** Returns the lines at the level `error` or above. */
const errorsOf = (service: ServiceProcess): string[] =>
  service
    .stderr()
    .split('\n')
    .filter((line) => line.startsWith('{') && Number(JSON.parse(line).level) >= 50);

const migrationsOf = async (): Promise<string[]> => {
  const rows = await query<{ name: string }>(
    database.url,
    "SELECT name FROM schema_migrations WHERE set_name = 'service' ORDER BY version",
  );
  return rows.map(({ name }) => name);
};

test('the previous version and this one work side by side while this one migrates, and share every figure', async () => {
  const old = await startOld();
  await old.sandbox.pauseAllOrders();
  const { token } = await old.sandbox.publisher({ beta: true });
  const order = await old.sandbox.advertise({ price_per_sub: 10, quantity: 20, hold_hours: 24 });
  const early = freshUser();
  assert.equal((await old.sandbox.subscribe(token, order, early)).credit_status, 'hold');
  const shown = freshUser();
  await old.sandbox.getSponsors(token, shown);
  const before = await migrationsOf();

  const current = await startNew(); // migrates under the old process
  const migrated = await migrationsOf();
  assert.deepEqual(migrated.slice(0, before.length), before);
  assert.ok(migrated.length > before.length, `${previous.commit} has the schema of this version: nothing was compared`);

  // A task that one version shows, the other one confirms.
  await current.sandbox.join(order.chatId, shown);
  assert.equal((await current.sandbox.confirm(token, shown, order.orderId)).credit_status, 'hold');
  const late = freshUser();
  await current.sandbox.getSponsors(token, late);
  await old.sandbox.join(order.chatId, late);
  assert.equal((await old.sandbox.confirm(token, late, order.orderId)).credit_status, 'hold');
  assert.equal((await old.sandbox.confirm(token, shown, order.orderId)).credit_status, 'hold', 'a repeat pays nothing');
  assert.equal((await current.sandbox.confirm(token, early, order.orderId)).credit_status, 'hold');

  // An order that the new version created is served by the old one.
  const second = await current.sandbox.advertise({ price_per_sub: 10, quantity: 5, hold_hours: 0 });
  const reader = freshUser();
  const tasks = await old.sandbox.getSponsors(token, reader);
  assert.ok(tasks.some(({ ads_id }) => ads_id === second.orderId));

  // Each version settles what the other one counted.
  await old.sandbox.advance(DAY_SECONDS);
  await current.sandbox.advance(60);
  const money = { balance: 21, hold_balance: 0 };
  assert.deepEqual([await old.sandbox.money(token), await current.sandbox.money(token)], [money, money]);
  for (const { sandbox } of [old, current]) {
    assert.equal((await sandbox.statistic(token)).status, 200);
    await sandbox.assertBalanced();
  }
  assert.deepEqual([errorsOf(old), errorsOf(current)], [[], []]);
});

test('the previous version can be started again on the new schema', async () => {
  const old = await startOld();
  const { token } = await old.sandbox.publisher();
  const order = await old.sandbox.advertise({ price_per_sub: 10, quantity: 5, hold_hours: 0 });
  assert.equal((await old.sandbox.subscribe(token, order, freshUser())).credit_status, 'paid');
  await old.sandbox.assertBalanced();
  assert.deepEqual(errorsOf(old), []);
});
