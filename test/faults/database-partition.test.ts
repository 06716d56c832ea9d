import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type OpenDatabase, openDatabase } from '../../src/db/index.ts';
import { openCuttableProxy } from '../support/cuttable-proxy.ts';
import { createEmptyDatabase } from '../support/database.ts';
import { eventually, gate } from '../support/eventually.ts';

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let db: OpenDatabase;
before(async () => {
  database = await createEmptyDatabase();
  db = openDatabase({ url: database.url, onError: () => undefined });
  await db.query('CREATE TABLE hot (id integer PRIMARY KEY)');
  await db.query('INSERT INTO hot VALUES (1)');
});
after(async () => {
  await db.close();
  await database.drop();
});

const setting = (rows: readonly { value: string }[]): string | undefined => rows[0]?.value;
const ASK = "SELECT current_setting('idle_in_transaction_session_timeout') AS value";

test("every transaction sets an idle timeout on the server and leaves the connection's settings unchanged", async () => {
  assert.equal(setting(await db.transaction((tx) => tx.query<{ value: string }>(ASK))), '30s');
  assert.equal(setting(await db.query<{ value: string }>(ASK)), '0');
});

/** Simulates a machine that loses its power or its network in the middle of a transaction. */
test('the server releases the locks of a process that vanished without closing its connection', async () => {
  const wire = await openCuttableProxy(database.url);
  const other = openDatabase({ url: wire.url, onError: () => undefined });
  const locked = gate();
  const dead = other
    .transaction(async (tx) => {
      await tx.query('SELECT * FROM hot FOR UPDATE');
      wire.cut();
      locked.open();
      await tx.query('SELECT 1'); // gets no reply
    })
    .catch((error: unknown) => error);
  await locked.promise;
  await eventually(
    'the row can be locked',
    async () => (await db.query('SELECT * FROM hot FOR UPDATE SKIP LOCKED')).length === 1,
    { everyMs: 500 },
  );
  await wire.close();
  assert.ok((await dead) instanceof Error);
  await other.close();
});
