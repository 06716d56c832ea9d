import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import pg from 'pg';
import { createEmptyDatabase } from '../../test/support/database.ts';
import type { Queryable } from '../core/database.ts';
import { type OpenDatabase, openDatabase } from './database.ts';

let server: Awaited<ReturnType<typeof createEmptyDatabase>>;
let db: OpenDatabase;
const unheard: unknown[] = [];
process.on('unhandledRejection', (error) => unheard.push(error));

before(async () => {
  server = await createEmptyDatabase();
  db = openDatabase({ url: server.url, poolSize: 1, onError: () => undefined });
  await db.query(
    'CREATE TABLE notes (id integer PRIMARY KEY, part_of integer REFERENCES notes DEFERRABLE INITIALLY DEFERRED)',
  );
});
beforeEach(() => db.query('TRUNCATE notes'));
afterEach(() => assert.deepEqual(unheard.splice(0), []));
after(async () => {
  await db.close();
  await server.drop();
});

const write = (on: Queryable, id: number, partOf: number | null = null) =>
  on.query<{ id: number }>('INSERT INTO notes (id, part_of) VALUES ($1, $2) RETURNING id', [id, partOf]);
const writtenIds = async () => (await db.query<{ id: number }>('SELECT id FROM notes ORDER BY id')).map(({ id }) => id);
const failsWith = (code: string) => (error: unknown) => error instanceof pg.DatabaseError && error.code === code;

describe('the last writes of a transaction', () => {
  test('get the decision, commit with the rest and return the result of the transaction', async () => {
    const answer = await db.transaction(
      async (tx) => {
        const [first] = await write(tx, 1);
        return (first?.id ?? 0) + 1;
      },
      async (tx, decided) => {
        const [second, third] = await Promise.all([write(tx, decided), write(tx, decided + 1)]);
        return [...second, ...third];
      },
    );
    assert.deepEqual(answer, [{ id: 2 }, { id: 3 }]);
    assert.deepEqual(await writtenIds(), [1, 2, 3]);
  });

  test('a last write that fails rolls back everything, and its error rejects the transaction', async () => {
    const attempt = db.transaction(
      async (tx) => void (await write(tx, 1)),
      (tx) => Promise.all([write(tx, 2), write(tx, 1), write(tx, 3)]),
    );
    await assert.rejects(attempt, failsWith('23505'));
    assert.deepEqual(await writtenIds(), []);
  });

  test('are retried together with the work after a serialisation failure', async () => {
    let runs = 0;
    await db.transaction(
      async (tx) => void (await write(tx, 1)),
      (tx) => {
        const busy = `DO $$ BEGIN RAISE EXCEPTION 'busy' USING ERRCODE = '40001'; END $$`;
        return Promise.all([tx.query(runs++ < 2 ? busy : 'SELECT 1 AS one'), write(tx, 2)]);
      },
    );
    assert.deepEqual([runs, await writtenIds()], [3, [1, 2]]);
  });

  test('reject when the COMMIT fails', async () => {
    const attempt = db.transaction(
      async () => undefined,
      (tx) => write(tx, 1, 99),
    );
    await assert.rejects(attempt, failsWith('23503'));
    assert.deepEqual(await writtenIds(), []);
  });

  test('reject after a failed statement whose error the work swallowed', async () => {
    const nothing = db.transaction(
      async (tx) => void (await tx.query('SELECT 1/0').catch(() => undefined)),
      async () => 'fine',
    );
    await assert.rejects(nothing, /not committed/);
    const something = db.transaction(
      async (tx) => void (await tx.query('SELECT 1/0').catch(() => undefined)),
      (tx) => write(tx, 1).catch(() => 'fine'),
    );
    await assert.rejects(something, /current transaction is aborted/);
    assert.deepEqual(await writtenIds(), []);
  });

  test('a statement sent after an await is rejected, and the error says that the rest is committed', async () => {
    const attempt = db.transaction(
      async () => undefined,
      async (tx) => {
        await write(tx, 1);
        await write(tx, 2);
      },
    );
    await assert.rejects(attempt, /failed after the commit/);
    assert.deepEqual(await writtenIds(), [1]);
  });

  test('are not requested when the work throws', async () => {
    const fault = new Error('changed my mind');
    let isAsked = false;
    const attempt = db.transaction(
      async (tx) => {
        await write(tx, 1);
        throw fault;
      },
      async () => {
        isAsked = true;
      },
    );
    await assert.rejects(attempt, (error) => error === fault);
    assert.deepEqual([isAsked, await writtenIds()], [false, []]);
  });
});

describe('the end of a transaction', () => {
  test('a statement after the end of its transaction is rejected: another caller may use the connection', async () => {
    let late: Queryable | undefined;
    await db.transaction(async (tx) => {
      late = tx;
      await write(tx, 1);
    });
    assert.ok(late);
    await assert.rejects(write(late, 2), /after the COMMIT/);
    assert.deepEqual(await writtenIds(), [1]);
  });

  test('statements that the work does not await belong to it: they commit with it, or roll it back', async () => {
    await db.transaction(async (tx) => void write(tx, 1));
    assert.deepEqual(await writtenIds(), [1]);
    const attempt = db.transaction(async (tx) => {
      await write(tx, 2);
      void write(tx, 1);
    });
    await assert.rejects(attempt);
    const thrown = db.transaction(async (tx) => {
      void write(tx, 3);
      void write(tx, 3);
      throw new Error('changed my mind');
    });
    await assert.rejects(thrown, /changed my mind/);
    assert.deepEqual(await writtenIds(), [1]);
  });
});
