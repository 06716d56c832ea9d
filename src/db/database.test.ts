import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { createEmptyDatabase } from '../../test/support/database.ts';
import { eventually, gate } from '../../test/support/eventually.ts';
import { DatabaseUnavailable, type Queryable, type Transaction } from '../core/database.ts';
import { type OpenDatabase, openDatabase } from './database.ts';

const POOL_SIZE = 4;
let server: Awaited<ReturnType<typeof createEmptyDatabase>>;
let db: OpenDatabase;
const connectionErrors: Error[] = [];

/** Collects uncaught errors: the test runner reports them and continues, but they would end the service. */
const uncaught: unknown[] = [];
process.on('uncaughtException', (error) => uncaught.push(error));

before(async () => {
  server = await createEmptyDatabase();
  db = openDatabase({ url: server.url, poolSize: POOL_SIZE, onError: (error) => connectionErrors.push(error) });
  await db.query('CREATE TABLE notes (id integer PRIMARY KEY, text text NOT NULL)');
});
beforeEach(() => db.query('TRUNCATE notes'));
after(async () => {
  await db.close();
  await server.drop();
});

const write = (on: Queryable, id: number, text = 'note') =>
  on.query('INSERT INTO notes (id, text) VALUES ($1, $2)', [id, text]);
const writtenIds = async () => (await db.query<{ id: number }>('SELECT id FROM notes ORDER BY id')).map(({ id }) => id);
const failsWith = (code: string) => (error: unknown) => (error as { code?: string }).code === code;

/** Ends a connection as a restart of the server would, and waits until the server has closed it. */
async function terminate(pid: number | undefined): Promise<void> {
  await db.query('SELECT pg_terminate_backend($1)', [pid]);
  await eventually('the connection has ended', async () => {
    return (await db.query('SELECT 1 FROM pg_stat_activity WHERE pid = $1', [pid])).length === 0;
  });
}

const pidOf = async (tx: Transaction) => (await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid'))[0]?.pid;

describe('values', () => {
  test('bigint columns become exact bigints, dates become text, timestamps become Date', async () => {
    const [row] = await db.query(
      `SELECT 9223372036854775807::bigint AS most, (-1)::bigint AS less, NULL::bigint AS none, count(*) AS counted,
              '{1,NULL,9007199254740993}'::bigint[] AS many, '{}'::bigint[] AS nobody, '2026-03-01'::date AS day, '2026-03-01T00:00:00+03'::timestamptz AS time, 7::integer AS small
       FROM notes`,
    );
    assert.deepEqual(row, {
      most: 9223372036854775807n,
      less: -1n,
      none: null,
      counted: 0n,
      many: [1n, null, 9007199254740993n],
      nobody: [],
      day: '2026-03-01',
      time: new Date('2026-02-28T21:00:00Z'),
      small: 7,
    });
  });

  test('parameters are sent as values, never as SQL', async () => {
    const text = `'); DROP TABLE notes; --`;
    await write(db, 1, text);
    assert.deepEqual(await db.query('SELECT text FROM notes WHERE text = $1', [text]), [{ text }]);
  });
});

describe('transaction', () => {
  test('a transaction commits all writes and returns the result of the work', async () => {
    const answer = await db.transaction(async (tx) => {
      await write(tx, 1);
      await write(tx, 2);
      assert.deepEqual(await writtenIds(), [], 'nobody else sees it before the commit');
      return 'done';
    });
    assert.equal(answer, 'done');
    assert.deepEqual(await writtenIds(), [1, 2]);
  });

  test('work that throws rolls back, rethrows the same error and releases its connection', async () => {
    const fault = new Error('changed my mind');
    for (let i = 0; i < POOL_SIZE * 3; i++) {
      const attempt = db.transaction(async (tx) => {
        await write(tx, i);
        throw fault;
      });
      await assert.rejects(attempt, (error) => error === fault);
    }
    assert.deepEqual(await writtenIds(), []);
  });

  test('a transaction rejects when the work swallows the error of a failed statement', async () => {
    const attempt = db.transaction(async (tx) => {
      await write(tx, 1);
      await write(tx, 1).catch(() => undefined);
      return 'fine';
    });
    await assert.rejects(attempt);
    assert.deepEqual(await writtenIds(), []);
  });

  test('a rejected statement fails with the error of PostgreSQL and is not retried', async () => {
    await write(db, 1);
    let runs = 0;
    const attempt = db.transaction(async (tx) => {
      runs++;
      await write(tx, 1);
    });
    await assert.rejects(attempt, failsWith('23505'));
    assert.equal(runs, 1);
  });

  test('both transactions of a deadlock commit: the loser is retried', async () => {
    await write(db, 1, '');
    await write(db, 2, '');
    const bothHoldOne = [gate(), gate()] as const;
    let runs = 0;
    const append = (mark: string, order: readonly [number, number], mine: 0 | 1) =>
      db.transaction(async (tx) => {
        runs++;
        await tx.query('UPDATE notes SET text = text || $2 WHERE id = $1', [order[0], mark]);
        bothHoldOne[mine].open();
        await Promise.all(bothHoldOne.map(({ promise }) => promise));
        await tx.query('UPDATE notes SET text = text || $2 WHERE id = $1', [order[1], mark]);
      });
    await Promise.all([append('a', [1, 2], 0), append('b', [2, 1], 1)]);
    const texts = await db.query<{ text: string }>('SELECT text FROM notes');
    for (const { text } of texts) assert.equal([...text].sort().join(''), 'ab');
    assert.ok(runs >= 3, 'the winner once, the loser once more');
  });

  test('a serialisation failure is retried from a clean start, and fails after five attempts', async () => {
    let runs = 0;
    const failing = (times: number) =>
      db.transaction(async (tx) => {
        runs++;
        await write(tx, 1);
        if (runs <= times) await tx.query(`DO $$ BEGIN RAISE EXCEPTION 'busy' USING ERRCODE = '40001'; END $$`);
      });
    await failing(4);
    assert.deepEqual([runs, await writtenIds()], [5, [1]]);
    await db.query('TRUNCATE notes');
    runs = 0;
    await assert.rejects(failing(Number.POSITIVE_INFINITY), failsWith('40001'));
    assert.deepEqual([runs, await writtenIds()], [5, []]);
  });
});

describe('savepoint', () => {
  test('a savepoint that throws is rolled back alone, and the transaction continues', async () => {
    await db.transaction(async (tx) => {
      await write(tx, 1);
      await assert.rejects(
        tx.savepoint(async () => {
          await write(tx, 2);
          await write(tx, 1);
        }),
        failsWith('23505'),
      );
      assert.equal(await tx.savepoint(async () => 'kept'), 'kept');
      await tx.savepoint(() => write(tx, 3));
    });
    assert.deepEqual(await writtenIds(), [1, 3]);
  });

  test('an outer savepoint rolls back all its writes, also after an inner savepoint was rolled back', async () => {
    await db.transaction(async (tx) => {
      const undone = new Error('undo');
      const outer = tx.savepoint(async () => {
        await write(tx, 1);
        const inner = tx.savepoint(async () => {
          await write(tx, 2);
          throw undone;
        });
        await assert.rejects(inner, undone);
        await write(tx, 3);
        throw undone;
      });
      await assert.rejects(outer, undone);
      await write(tx, 4);
    });
    assert.deepEqual(await writtenIds(), [4]);
  });
});

describe('notify', () => {
  test('a notification arrives when the transaction commits, never before, and never after a rollback', async () => {
    const heard: string[] = [];
    const subscription = await db.listen('news', {
      onNotify: (payload) => heard.push(payload),
      onReconnect: () => undefined,
    });
    const say = (text: string) => db.transaction((tx) => tx.notify('news', text));

    await db.transaction(async (tx) => {
      await tx.notify('news', 'inside');
      await say('meanwhile');
      await eventually('the other message is heard', () => heard.includes('meanwhile'));
      assert.deepEqual(heard, ['meanwhile']);
    });
    const undone = db.transaction(async (tx) => {
      await tx.notify('news', 'never');
      throw new Error('undo');
    });
    await assert.rejects(undone);
    await say('last');
    await eventually('the last message is heard', () => heard.includes('last'));
    await subscription.close();
    assert.deepEqual(heard, ['meanwhile', 'inside', 'last']);
  });
});

describe('a lost server', () => {
  afterEach(() => assert.deepEqual(uncaught.splice(0), []));

  test('a rejected statement or an unsendable parameter is not reported as an unavailable database', async () => {
    const isOurs = (error: unknown) => !(error instanceof DatabaseUnavailable);
    await assert.rejects(db.query('SELECT 1/0'), isOurs);
    await assert.rejects(db.query('SELECT $1::jsonb', [{ amount: 1n }]), isOurs);
    await assert.rejects(
      db.transaction((tx) => tx.query('SELECT $1::jsonb', [{ amount: 1n }])),
      isOurs,
    );
  });

  test('an address without a server fails the work with DatabaseUnavailable', async () => {
    const nowhere = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none', onError: () => undefined });
    await assert.rejects(nowhere.query('SELECT 1'), DatabaseUnavailable);
    await assert.rejects(
      nowhere.transaction(async () => undefined),
      DatabaseUnavailable,
    );
    await nowhere.close();
  });

  test('a connection lost between two statements fails the transaction, not the process', async () => {
    const attempt = db.transaction(async (tx) => {
      await write(tx, 1);
      await terminate(await pidOf(tx));
      await write(tx, 2);
    });
    await assert.rejects(attempt, DatabaseUnavailable);
    assert.deepEqual(await writtenIds(), []);
  });

  test('a connection lost after the last statement fails the transaction, not the process', async () => {
    const attempt = db.transaction(async (tx) => {
      await write(tx, 1);
      await terminate(await pidOf(tx));
    });
    await assert.rejects(attempt, DatabaseUnavailable);
    assert.deepEqual(await writtenIds(), []);
  });

  test('a connection lost during a statement fails the transaction, not the process', async () => {
    const attempt = db.transaction(async (tx) => {
      await write(tx, 1);
      const pid = await pidOf(tx);
      const statement = tx.query('SELECT pg_sleep(60)');
      await Promise.all([statement, terminate(pid)]);
    });
    await assert.rejects(attempt, DatabaseUnavailable);
    assert.deepEqual(await writtenIds(), []);
  });

  test('lost idle connections are reported and replaced', async () => {
    connectionErrors.length = 0;
    const keeper = openDatabase({ url: server.url, poolSize: 1, onError: () => undefined });
    await keeper.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    await eventually('the loss is reported', () => connectionErrors.length > 0);
    await eventually('queries work again', () =>
      db.query('SELECT 1').then(
        () => true,
        () => false,
      ),
    );
    await keeper.close();
  });
});
