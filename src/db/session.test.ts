import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createEmptyDatabase } from '../../test/support/database.ts';
import { eventually } from '../../test/support/eventually.ts';
import { DatabaseUnavailable } from '../core/database.ts';
import { type OpenDatabase, openDatabase } from './database.ts';

let server: Awaited<ReturnType<typeof createEmptyDatabase>>;
let db: OpenDatabase;
before(async () => {
  server = await createEmptyDatabase();
  db = openDatabase({ url: server.url, poolSize: 1, onError: () => undefined });
  await db.query('CREATE TABLE notes (id integer PRIMARY KEY)');
});
after(async () => {
  await db.close();
  await server.drop();
});

const openSessions = async () => {
  const rows = await db.query("SELECT FROM pg_stat_activity WHERE application_name = 'sponsorgate counting'");
  return rows.length;
};

describe('a session', () => {
  test('keeps temporary tables between statements, each of which commits, and takes no connection of the pool', async () => {
    const found = await db.session('counting', async (session) => {
      await session.query('CREATE TEMP TABLE found AS SELECT 7 AS id');
      await session.query('INSERT INTO notes SELECT id FROM found');
      // The pool has one connection.
      const seen = await db.query<{ id: number }>('SELECT id FROM notes');
      assert.equal(await openSessions(), 1);
      return [...seen, ...(await session.query<{ id: number }>('SELECT id FROM found'))];
    });
    assert.deepEqual(found, [{ id: 7 }, { id: 7 }]);
    await eventually('the session is closed', async () => (await openSessions()) === 0);
  });

  test('rejects with the error of a statement and closes its connection', async () => {
    await assert.rejects(
      db.session('counting', (session) => session.query('SELECT FROM missing')),
      { code: '42P01' },
    );
    await eventually('the session is closed', async () => (await openSessions()) === 0);
  });

  test('reports a server that cannot be reached', async () => {
    const away = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none', onError: () => undefined });
    await assert.rejects(
      away.session('counting', () => Promise.resolve()),
      DatabaseUnavailable,
    );
    await away.close();
  });
});
