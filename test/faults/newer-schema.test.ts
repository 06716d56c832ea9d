import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { query } from '../support/books.ts';
import { createEmptyDatabase } from '../support/database.ts';
import { killAll, runCommand, startProcess } from '../support/process.ts';
import { freshUser } from '../support/sandbox.ts';

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let token: string;
before(async () => {
  database = await createEmptyDatabase();
  const service = await startProcess({ DATABASE_URL: database.url });
  await service.sandbox.pauseAllOrders();
  ({ token } = await service.sandbox.publisher());
  const order = await service.sandbox.advertise({ price_per_sub: 10, quantity: 5 });
  await service.sandbox.subscribe(token, order, freshUser());
  await service.end('SIGTERM');
});
afterEach(killAll);
after(() => database.drop());

/** Stores a migration that only a later version has, as that version would. */
async function migrateAsNewer(version: number, name: string, requires: number | null): Promise<void> {
  await query(
    database.url,
    "INSERT INTO schema_migrations (set_name, version, name, checksum, requires) VALUES ('service', $1, $2, 'x', $3)",
    [version, name, requires],
  );
}

const rowsOf = async (): Promise<object[]> =>
  query(database.url, 'SELECT kind, owner_id, balance_kopecks FROM ledger_accounts ORDER BY 1, 2');

test('an older process works on a newer schema and logs one line with its migrations', async () => {
  await migrateAsNewer(9998, '9998-add-size.sql', null);
  const service = await startProcess({ DATABASE_URL: database.url });
  const lines = service
    .stderr()
    .split('\n')
    .filter((line) => line.includes('the database is newer than this version of the service'));
  assert.equal(lines.length, 1, service.stderr());
  assert.deepEqual(JSON.parse(lines[0] ?? '').migrations, ['9998-add-size.sql']);
  assert.equal((await service.sandbox.api(token, 'get-sponsors', { user_id: freshUser() })).status, 200);
  await service.sandbox.assertBalanced();
});

test('a schema that lacks what this version uses stops the start with one line and changes nothing', async () => {
  await migrateAsNewer(9999, '9999-drop-size.sql', 9998);
  const before = await rowsOf();
  const started = await runCommand(['start'], { DATABASE_URL: database.url, PORT: '0' });
  assert.equal(started.code, 1);
  const lines = started.stderr.trim().split('\n');
  assert.match(lines.at(-1) ?? '', /^sponsorgate: the database is newer than this version .*9999-drop-size\.sql/);
  assert.deepEqual(await rowsOf(), before);
});
