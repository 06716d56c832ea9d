import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { DatabaseUnavailable, type Transaction } from '../../src/core/database.ts';
import { type OpenDatabase, openDatabase } from '../../src/db/index.ts';
import { type CuttableProxy, openCuttableProxy } from '../support/cuttable-proxy.ts';
import { createEmptyDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';

let server: Awaited<ReturnType<typeof createEmptyDatabase>>;
let proxy: CuttableProxy;
let db: OpenDatabase;
/** Connects directly, not through the proxy that the tests cut. */
let aside: OpenDatabase;
const unheard: unknown[] = [];
process.on('uncaughtException', (error) => unheard.push(error));
process.on('unhandledRejection', (error) => unheard.push(error));

before(async () => {
  server = await createEmptyDatabase();
  proxy = await openCuttableProxy(server.url);
  db = openDatabase({ url: proxy.url, poolSize: 2, onError: () => undefined });
  aside = openDatabase({ url: server.url, onError: () => undefined });
  await aside.query('CREATE TABLE notes (id integer PRIMARY KEY)');
});
afterEach(async () => {
  assert.deepEqual(unheard.splice(0), []);
  assert.deepEqual(await aside.query('SELECT id FROM notes'), [], 'nothing is left behind');
  // After any failure the next transaction gets a working connection.
  assert.deepEqual(await db.transaction((tx) => tx.query('SELECT 1 AS one')), [{ one: 1 }]);
});
after(async () => {
  await db.close();
  await aside.close();
  await proxy.close();
  await server.drop();
});

const write = (tx: Transaction, id: number) => tx.query('INSERT INTO notes VALUES ($1)', [id]);
const pause = (tx: Transaction) => tx.query('SELECT pg_sleep(60)');

/** Waits until the server sleeps in the middle of the statements. Returns the process id of that connection. */
async function sleeper(): Promise<number> {
  let pid = 0;
  await eventually('the statements are under way', async () => {
    const [row] = await aside.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()`,
    );
    pid = row?.pid ?? 0;
    return row !== undefined;
  });
  return pid;
}

async function allUnavailable(statements: readonly Promise<unknown>[]): Promise<void> {
  const results = await Promise.allSettled(statements);
  for (const result of results) {
    assert.ok(result.status === 'rejected' && result.reason instanceof DatabaseUnavailable, result.status);
  }
}

describe('pipelined statements', () => {
  test('when the server ends the connection, all of them fail and nothing is committed', async () => {
    const attempt = db.transaction(async (tx) => {
      const statements = [write(tx, 1), pause(tx), write(tx, 2)];
      await aside.query('SELECT pg_terminate_backend($1)', [await sleeper()]);
      await allUnavailable(statements.slice(1));
      await allUnavailable([write(tx, 3)]);
    });
    await assert.rejects(attempt, DatabaseUnavailable);
  });

  test('when the connection closes while the COMMIT is among them, the transaction fails', async () => {
    const attempt = db.transaction(
      async (tx) => void (await write(tx, 1)),
      (tx) => Promise.all([write(tx, 2), pause(tx)]),
    );
    const failure = assert.rejects(attempt, DatabaseUnavailable);
    const pid = await sleeper();
    proxy.hangUp();
    await failure;
    await aside.query('SELECT pg_terminate_backend($1)', [pid]);
  });

  test('without a reply they fail at the timeout, and later statements fail at once', async () => {
    const impatient = openDatabase({ url: proxy.url, poolSize: 1, onError: () => undefined, queryTimeoutMs: 2_000 });
    await impatient.query('SELECT 1');
    const attempt = impatient.transaction(async (tx) => {
      const endCut = proxy.cut();
      await allUnavailable([write(tx, 1), write(tx, 2)]);
      const later = write(tx, 3);
      const isFirst = await Promise.race([later.catch(() => true), new Promise((resolve) => setImmediate(resolve))]);
      assert.equal(isFirst, true, 'nothing is waited for');
      endCut();
      await later;
    });
    await assert.rejects(attempt, DatabaseUnavailable);
    assert.deepEqual(await impatient.query('SELECT 1 AS one'), [{ one: 1 }]);
    await impatient.close();
  });

  test('when the server cancels one of them, that one fails and the connection stays', async () => {
    const attempt = db.transaction(async (tx) => {
      const statements = [write(tx, 1), pause(tx), write(tx, 2)];
      await aside.query('SELECT pg_cancel_backend($1)', [await sleeper()]);
      await Promise.all(statements);
    });
    await assert.rejects(attempt, (error) => (error as { code?: string }).code === '57014');
  });
});
