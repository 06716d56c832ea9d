import assert from 'node:assert/strict';
import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { createEmptyDatabase } from '../../test/support/database.ts';
import { eventually, gate } from '../../test/support/eventually.ts';
import { StartError } from '../core/errors.ts';
import { type OpenDatabase, openDatabase } from './database.ts';
import { type MigrationSet, migrate, readMigrationSets, serviceMigrations } from './migrate.ts';

let server: Awaited<ReturnType<typeof createEmptyDatabase>>;
let db: OpenDatabase;
let folder: string;
let own: MigrationSet;
let endTransaction: () => Promise<void>;

beforeEach(async () => {
  server = await createEmptyDatabase();
  db = openDatabase({ url: server.url, onError: () => undefined });
  folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  own = { set: 'own', folder };
  endTransaction = async () => undefined;
});
afterEach(async () => {
  await endTransaction(); // a failed test may have left it open, and the pool waits for its connection
  await db.close();
  await server.drop();
  await rm(folder, { recursive: true });
});

const write = (name: string, sql: string) => writeFile(join(folder, name), sql);
/** Runs a statement in a transaction of another connection that stays open until `endTransaction`. */
async function openTransaction(sql: string): Promise<void> {
  const [begun, ended] = [gate(), gate()];
  const transaction = db.transaction(async (tx) => {
    await tx.query(sql);
    begun.open();
    await ended.promise;
  });
  endTransaction = () => {
    ended.open();
    return transaction;
  };
  await begun.promise;
}
const appliedNames = async () => {
  const rows = await db.query<{ name: string }>('SELECT name FROM schema_migrations ORDER BY applied_at, version');
  return rows.map(({ name }) => name);
};
const tables = async () => {
  const rows = await db.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE 'schema_migration%' ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
};

test('files are applied once in the order of their numbers, and a later run applies only new files', async () => {
  await write('0002-grow.sql', 'ALTER TABLE plants ADD COLUMN height integer');
  await write('0001-plant.sql', 'CREATE TABLE plants (id integer); INSERT INTO plants VALUES (1)');
  await write('notes.txt', 'not SQL');
  await migrate(server.url, [own]);
  await migrate(server.url, [own]);
  assert.deepEqual(await db.query('SELECT * FROM plants'), [{ id: 1, height: null }]);
  await write('0010-prune.sql', 'ALTER TABLE plants DROP COLUMN height');
  await migrate(server.url, [own]);
  assert.deepEqual(await appliedNames(), ['0001-plant.sql', '0002-grow.sql', '0010-prune.sql']);
  assert.deepEqual(await db.query('SELECT * FROM plants WHERE id > 0'), [{ id: 1 }]);
});

test('processes that start together migrate once, and each waits for the end of the migration', async () => {
  await write('0001-slow.sql', 'SELECT pg_sleep(0.3); CREATE TABLE slow (id integer); INSERT INTO slow VALUES (1)');
  await Promise.all(
    Array.from({ length: 5 }, async () => {
      await migrate(server.url, [own]);
      assert.deepEqual(await tables(), ['slow']);
    }),
  );
  assert.deepEqual(await db.query('SELECT id FROM slow'), [{ id: 1 }]);
});

test('each set has its own numbers', async () => {
  await write('0001-first.sql', 'CREATE TABLE first (id integer)');
  await migrate(server.url, [own]);
  const other = await mkdtemp(join(tmpdir(), 'migrations-'));
  await writeFile(join(other, '0001-second.sql'), 'CREATE TABLE second (id integer)');
  await migrate(server.url, [own, { set: 'other', folder: other }]);
  await rm(other, { recursive: true });
  assert.deepEqual(await tables(), ['first', 'second']);
});

test('a file that changed after it was applied stops the start and is named', async () => {
  await write('0001-plant.sql', 'CREATE TABLE plants (id integer)');
  await migrate(server.url, [own]);
  await write('0001-plant.sql', 'CREATE TABLE plants (id bigint)');
  await write('0002-more.sql', 'CREATE TABLE more (id integer)');
  await assert.rejects(migrate(server.url, [own]), /0001-plant\.sql was changed after it had been applied/);
  assert.deepEqual(await tables(), ['plants']);
});

test('a file that fails is rolled back, keeps the earlier files and can be corrected', async () => {
  await write('0001-good.sql', 'CREATE TABLE good (id integer)');
  await write('0002-bad.sql', 'CREATE TABLE half (id integer); SELECT 1/0; CREATE TABLE other_half (id integer)');
  await write('0003-after.sql', 'CREATE TABLE behind (id integer)');
  await assert.rejects(migrate(server.url, [own]), /migration 0002-bad\.sql failed: division by zero/);
  assert.deepEqual([await tables(), await appliedNames()], [['good'], ['0001-good.sql']]);

  await write('0002-bad.sql', 'CREATE TABLE half (id integer)');
  await migrate(server.url, [own]);
  assert.deepEqual(await tables(), ['behind', 'good', 'half']);
});

test('two files with the same number and a file without a number are rejected', async () => {
  await write('0001-one.sql', 'CREATE TABLE one (id integer)');
  await write('0001-two.sql', 'CREATE TABLE two (id integer)');
  await assert.rejects(migrate(server.url, [own]), /0001-two\.sql/);
  await rm(join(folder, '0001-two.sql'));
  await write('later.sql', 'CREATE TABLE later (id integer)');
  await assert.rejects(migrate(server.url, [own]), /later\.sql/);
  assert.deepEqual(await tables(), ['one']);
});

test('a failed or finished run does not block the next run', async () => {
  await write('0001-bad.sql', 'SELECT 1/0');
  await assert.rejects(migrate(server.url, [own]));
  await assert.rejects(migrate(server.url, [own]), /division by zero/, 'and not a wait for a lock');
  await write('0001-bad.sql', 'SELECT 1');
  await migrate(server.url, [own]);
  await eventually('no lock is left', async () => {
    const locks = await db.query(
      `SELECT 1 FROM pg_locks JOIN pg_database d ON d.oid = database
       WHERE locktype = 'advisory' AND d.datname = current_database()`,
    );
    return locks.length === 0;
  });
});

test('a connection lost during a migration fails the start with the file name, without a crash', async () => {
  const uncaught: unknown[] = [];
  const catchIt = (error: unknown) => uncaught.push(error);
  process.on('uncaughtException', catchIt);
  await write('0001-good.sql', 'CREATE TABLE good (id integer)');
  await write('0002-cut.sql', 'CREATE TABLE half (id integer); SELECT pg_terminate_backend(pg_backend_pid())');
  await assert.rejects(migrate(server.url, [own]), /migration 0002-cut\.sql failed: terminating connection/);
  process.off('uncaughtException', catchIt);
  assert.deepEqual(uncaught, []);
  assert.deepEqual(await tables(), ['good']);
});

test('a locked table rolls the migration back after its attempts, names the setting, and lets requests pass', async () => {
  await write('0001-plant.sql', 'CREATE TABLE plants (id integer)');
  await migrate(server.url, [own]);
  await write('0002-grow.sql', 'CREATE TABLE half (id integer); ALTER TABLE plants ADD COLUMN height integer');
  await openTransaction('SELECT 1 FROM plants');
  const limits = { lockSeconds: 1, statementSeconds: 600 };
  await assert.rejects(migrate(server.url, [own], limits), (error: Error) => {
    assert.ok(error instanceof StartError);
    assert.match(
      error.message,
      /^migration 0002-grow\.sql failed: a table was locked by another transaction in 5 attempts/,
    );
    return /rolled back and nothing has changed: .*MIGRATION_LOCK_SECONDS/.test(error.message);
  });
  assert.deepEqual(await tables(), ['plants']);
  await endTransaction();
  await migrate(server.url, [own], limits);
  assert.deepEqual(await tables(), ['half', 'plants']);
});

test('a migration gets its lock in a later attempt when the other transaction ends', async () => {
  await write('0001-plant.sql', 'CREATE TABLE plants (id integer)');
  await migrate(server.url, [own]);
  await write('0002-grow.sql', 'ALTER TABLE plants ADD COLUMN height integer');
  await openTransaction('SELECT 1 FROM plants');
  // Five attempts of 4 s: a busy machine may stand still for seconds.
  const migrating = migrate(server.url, [own], { lockSeconds: 4, statementSeconds: 600 });
  const isWaiting = async () =>
    (await db.query("SELECT 1 FROM pg_locks WHERE relation = 'plants'::regclass AND NOT granted")).length > 0;
  await eventually('the migration waits for the table', isWaiting);
  await eventually('the first attempt has ended', async () => !(await isWaiting()));
  await endTransaction();
  await migrating;
  assert.deepEqual(await db.query('SELECT height FROM plants'), []);
});

test('a statement that takes too long rolls the migration back and names the setting', async () => {
  await write('0001-slow.sql', 'CREATE TABLE half (id integer); SELECT pg_sleep(60)');
  await assert.rejects(
    migrate(server.url, [own], { lockSeconds: 1, statementSeconds: 1 }),
    /migration 0001-slow\.sql failed: a statement took longer than 1 s; it was rolled back .*MIGRATION_TIMEOUT_SECONDS/,
  );
  assert.deepEqual(await tables(), []);
});

test('a process does not wait for ever for another one that migrates', async () => {
  await write('0001-plant.sql', 'CREATE TABLE plants (id integer)');
  await migrate(server.url, [own]);
  await openTransaction('SELECT pg_advisory_xact_lock(7303014110)');
  await assert.rejects(
    migrate(server.url, [own], { lockSeconds: 1, statementSeconds: 1 }),
    /another process has been migrating this database for 1 s: start again when it has finished/,
  );
});

test('an unreachable database is a StartError without the password', async () => {
  const url = 'postgres://nobody:hunter2@127.0.0.1:1/none';
  await assert.rejects(migrate(url, [own]), (error: Error) => {
    return error instanceof StartError && error.message.includes('ECONNREFUSED') && !error.message.includes('hunter2');
  });
});

test('the applied sets can be read before any change', async () => {
  assert.deepEqual(await readMigrationSets(server.url), new Set());
  assert.deepEqual(await db.query("SELECT to_regclass('schema_migrations') AS made"), [{ made: null }]);
  await write('0001-one.sql', 'CREATE TABLE one (id integer)');
  await migrate(server.url, [own]);
  assert.deepEqual(await readMigrationSets(server.url), new Set(['own']));
});

test('the schema of the service can be created from an empty database, and a second run changes nothing', async () => {
  await migrate(server.url, [serviceMigrations]);
  const made = await tables();
  assert.ok(made.includes('tasks') && made.includes('ledger_transfers'), made.join());
  await migrate(server.url, [serviceMigrations]);
  assert.deepEqual(await tables(), made);
});

test('a database from before the first release stops the start with one clear line', async () => {
  await migrate(server.url, [serviceMigrations]);
  await db.query("UPDATE schema_migrations SET name = '0001-foundation.sql', checksum = 'x' WHERE version = 1");
  await assert.rejects(migrate(server.url, [serviceMigrations]), (error: Error) => {
    return error instanceof StartError && /^this database was made by an unreleased version/.test(error.message);
  });
});

test('no function stores a setting: only a superuser could restore it from a dump', async () => {
  await migrate(server.url, [serviceMigrations]);
  const stored = await db.query<{ proname: string }>('SELECT proname FROM pg_proc WHERE proconfig IS NOT NULL');
  assert.deepEqual(stored, []);
});

test('every table of the service has a comment', async () => {
  await migrate(server.url, [serviceMigrations]);
  const without = await db.query(
    `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'v')
       AND relname NOT LIKE 'schema_migration%' AND obj_description(oid, 'pg_class') IS NULL`,
  );
  assert.deepEqual(without, []);
});

const PARTITIONED = '0060-partitioned-memberships.sql';

test('an empty table of memberships is partitioned, and one with rows stays whole and keeps them', async () => {
  const kind = async () =>
    (await db.query<{ kind: string }>("SELECT relkind AS kind FROM pg_class WHERE oid = 'memberships'::regclass"))[0]
      ?.kind;
  const shape = () =>
    db.query(
      `SELECT column_name, data_type, is_nullable FROM information_schema.columns WHERE table_name = 'memberships'
       ORDER BY ordinal_position`,
    );
  const names = (await readdir(serviceMigrations.folder)).filter((name) => name < PARTITIONED);
  for (const name of names) await copyFile(join(serviceMigrations.folder, name), join(folder, name));
  await migrate(server.url, [{ ...serviceMigrations, folder }]);
  const before = await shape();
  await db.query(
    "INSERT INTO memberships (user_id, chat_id, is_member, source, observed_at) VALUES (1, -1, true, 'update', now())",
  );
  await migrate(server.url, [serviceMigrations]);
  assert.equal(await kind(), 'r');
  assert.equal((await db.query('SELECT FROM memberships')).length, 1);

  await db.query('DELETE FROM memberships');
  await db.query('DELETE FROM schema_migrations WHERE name = $1', [PARTITIONED]);
  await migrate(server.url, [serviceMigrations]);
  assert.equal(await kind(), 'p');
  assert.deepEqual(await shape(), before, 'the version before finds the same columns');
});

test('an older version runs on a newer schema and names its migrations, unless one requires newer code', async () => {
  await write('0001-plant.sql', 'CREATE TABLE plants (id integer)');
  assert.deepEqual(await migrate(server.url, [own]), { newer: [] });
  await write('0002-grow.sql', 'ALTER TABLE plants ADD COLUMN height integer');
  await migrate(server.url, [own]);
  await rm(join(folder, '0002-grow.sql'));
  assert.deepEqual(await migrate(server.url, [own]), { newer: ['0002-grow.sql'] });

  await write('0002-grow.sql', 'ALTER TABLE plants ADD COLUMN height integer');
  await write('0003-prune.sql', '-- requires: 0002\nALTER TABLE plants DROP COLUMN id');
  await migrate(server.url, [own]);
  await rm(join(folder, '0003-prune.sql'));
  assert.deepEqual(await migrate(server.url, [own]), { newer: ['0003-prune.sql'] });
  await rm(join(folder, '0002-grow.sql'));
  await assert.rejects(migrate(server.url, [own]), (error) => {
    assert.ok(error instanceof StartError);
    assert.match(error.message, /^the database is newer than this version of Sponsorgate \(migration 0003-prune.sql\)/);
    return true;
  });
});
