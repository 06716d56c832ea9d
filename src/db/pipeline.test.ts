import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import fc from 'fast-check';
import pg from 'pg';
import { createEmptyDatabase } from '../../test/support/database.ts';
import type { Queryable, Transaction } from '../core/database.ts';
import { type OpenDatabase, openDatabase } from './database.ts';
import { StatementSkipped } from './errors.ts';

fc.configureGlobal({ seed: 1 });

let server: Awaited<ReturnType<typeof createEmptyDatabase>>;
let db: OpenDatabase;

/** Several promises reject at once here. The test runner reports uncaught errors, but they would end the service. */
const unheard: unknown[] = [];
process.on('uncaughtException', (error) => unheard.push(error));
process.on('unhandledRejection', (error) => unheard.push(error));

before(async () => {
  server = await createEmptyDatabase();
  db = openDatabase({ url: server.url, poolSize: 4, onError: () => undefined });
  await db.query('CREATE TABLE notes (id integer PRIMARY KEY, text text)');
});
beforeEach(() => db.query('TRUNCATE notes'));
afterEach(() => assert.deepEqual(unheard.splice(0), []));
after(async () => {
  await db.close();
  await server.drop();
});

const write = (on: Queryable, id: number, text: string | null = 'note') =>
  on.query<{ id: number }>('INSERT INTO notes (id, text) VALUES ($1, $2) RETURNING id', [id, text]);
const writtenIds = async () => (await db.query<{ id: number }>('SELECT id FROM notes ORDER BY id')).map(({ id }) => id);
const failsWith = (code: string) => (error: unknown) => error instanceof pg.DatabaseError && error.code === code;
const isSkipped = (error: unknown) => error instanceof StatementSkipped && failsWith('23505')(error.cause);
const text = () => fc.string({ unit: 'grapheme', maxLength: 40 }).filter((value) => !value.includes('\0'));
const pidOf = async (tx: Transaction) => (await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid'))[0]?.pid;

describe('concurrent statements', () => {
  test('run in the order of the calls, and each gets its own result', async () => {
    const answers = await db.transaction((tx) =>
      Promise.all([
        write(tx, 1, null),
        tx.query('SELECT id, text FROM notes'),
        tx.query('UPDATE notes SET text = $1', ['changed']),
        write(tx, 2),
        tx.query('SELECT count(*) AS count FROM notes'),
        tx.query('SELECT text FROM notes WHERE id = $1', [1]),
        tx.query('SELECT text FROM notes WHERE id = $1', [9]),
        tx.query(''),
      ]),
    );
    assert.deepEqual(answers, [
      [{ id: 1 }],
      [{ id: 1, text: null }],
      [],
      [{ id: 2 }],
      [{ count: 2n }],
      [{ text: 'changed' }],
      [],
      [],
    ]);
    assert.deepEqual(await writtenIds(), [1, 2]);
  });

  test('any mix of statements returns the same results as one statement at a time', async () => {
    const step = fc.oneof(
      fc.record({ sql: fc.constant('SELECT $1::integer AS same'), params: fc.tuple(fc.integer({ max: 2 ** 31 - 1 })) }),
      fc.record({ sql: fc.constant('SELECT i FROM generate_series(1, $1::integer) i'), params: fc.tuple(fc.nat(50)) }),
      fc.record({
        sql: fc.constant('SELECT $1::text AS t, $2::text AS u'),
        params: fc.tuple(text(), fc.option(text())),
      }),
      fc.record({ sql: fc.constant('UPDATE notes SET text = $1 WHERE false'), params: fc.tuple(text()) }),
      fc.record({ sql: fc.constant('SELECT 1 / $1::integer AS part'), params: fc.tuple(fc.constantFrom(0, 1, 1, 1)) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { maxLength: 6 }), { maxLength: 6 }), async (transactions) => {
        const outcomes = await Promise.all(
          transactions.map((steps) =>
            db
              .transaction((tx) => Promise.all(steps.map(({ sql, params }) => tx.query(sql, params))))
              .catch((error: unknown) => (failsWith('22012')(error) ? 'failed' : error)),
          ),
        );
        for (const [i, steps] of transactions.entries()) {
          const isFaulty = steps.some(({ sql, params }) => sql.startsWith('SELECT 1 /') && params[0] === 0);
          const alone = isFaulty ? 'failed' : await Promise.all(steps.map(({ sql, params }) => db.query(sql, params)));
          assert.deepEqual(outcomes[i], alone);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('a failed statement among others', () => {
  test('rejects with the error of PostgreSQL; earlier statements succeed, later ones are skipped', async () => {
    const attempt = db.transaction(async (tx) => {
      const results = await Promise.allSettled([write(tx, 1), write(tx, 1), write(tx, 2), tx.query('SELECT nonsense')]);
      assert.deepEqual(results[0], { status: 'fulfilled', value: [{ id: 1 }] });
      const reasons = results.slice(1).map((result) => (result.status === 'rejected' ? result.reason : undefined));
      assert.deepEqual(
        [failsWith('23505'), isSkipped, isSkipped].map((holds, i) => holds(reasons[i])),
        [true, true, true],
      );
      return 'fine';
    });
    await assert.rejects(attempt, /not committed/);
    assert.deepEqual(await writtenIds(), []);
  });

  test('rejects the transaction once with the root cause, in any order of awaiting', async () => {
    let runs = 0;
    const attempt = db.transaction(async (tx) => {
      runs++;
      const [, wrong, skipped] = [write(tx, 1), write(tx, 1), write(tx, 2)];
      await skipped;
      await wrong;
    });
    await assert.rejects(attempt, failsWith('23505'));
    assert.equal(runs, 1);
  });

  test('a retryable error is retried, also when the work awaited only a skipped statement', async () => {
    let runs = 0;
    await db.transaction(async (tx) => {
      const busy = `DO $$ BEGIN RAISE EXCEPTION 'busy' USING ERRCODE = '40001'; END $$`;
      const [, written] = [tx.query(runs++ < 2 ? busy : 'SELECT 1 AS one'), write(tx, 1)];
      await written;
    });
    assert.deepEqual([runs, await writtenIds()], [3, [1]]);
  });

  test('a statement that failed to parse is parsed again later, and so are the statements after it', async () => {
    const one = openDatabase({ url: server.url, poolSize: 1, onError: () => undefined });
    const ask = () =>
      one.transaction((tx) => Promise.all([tx.query('SELECT id FROM later'), tx.query('SELECT 77 AS behind')]));
    for (let i = 0; i < 2; i++) await assert.rejects(ask(), failsWith('42P01'));
    await db.query('CREATE TABLE later (id integer)');
    for (let i = 0; i < 2; i++) assert.deepEqual(await ask(), [[], [{ behind: 77 }]]);
    await one.close();
  });

  test('leaves the connection usable for a transaction and for a single statement', async () => {
    const one = openDatabase({ url: server.url, poolSize: 1, onError: () => undefined });
    const pid = () => one.transaction(pidOf);
    const before = await pid();
    await assert.rejects(one.query('SELECT 1/0'), failsWith('22012'));
    await assert.rejects(
      one.transaction((tx) => Promise.all([write(tx, 1), write(tx, 1), write(tx, 2)])),
      failsWith('23505'),
    );
    assert.equal(await pid(), before);
    assert.deepEqual(await writtenIds(), []);
    await one.close();
  });

  test('a savepoint is rolled back also when more of its statements are still queued', async () => {
    await db.transaction(async (tx) => {
      await write(tx, 1);
      const piece = tx.savepoint(async () => {
        const failing = Promise.all([write(tx, 2), write(tx, 1)]);
        failing.catch(() => void write(tx, 3).catch(() => undefined));
        await failing;
      });
      await assert.rejects(piece, failsWith('23505'));
      await write(tx, 4);
    });
    assert.deepEqual(await writtenIds(), [1, 4]);
  });

  test('a deferred constraint fails the single statement that violates it', async () => {
    await db.query('CREATE TABLE late (id integer, UNIQUE (id) DEFERRABLE INITIALLY DEFERRED)');
    await assert.rejects(db.query('INSERT INTO late VALUES (1), (1)'), failsWith('23505'));
    assert.deepEqual(await db.query('SELECT 1 AS one'), [{ one: 1 }]);
  });

  test('a parameter that cannot be sent fails only its own statement', async () => {
    await db.transaction(async (tx) => {
      const circular: { self?: unknown } = {};
      circular.self = circular;
      const results = await Promise.allSettled([write(tx, 1), tx.query('SELECT $1::jsonb', [circular]), write(tx, 2)]);
      assert.deepEqual(
        results.map(({ status }) => status),
        ['fulfilled', 'rejected', 'fulfilled'],
      );
    });
    assert.deepEqual(await writtenIds(), [1, 2]);
  });
});
