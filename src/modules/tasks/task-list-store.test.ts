import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { banUser } from '../audience/index.ts';
import { readShowFacts, type StoredList } from './show/show-store.ts';
import { minutesLater, NOON } from './task.fixture.ts';
import type { TaskList } from './task-list.ts';
import { insertLists, saveLists } from './task-list-store.ts';

const PAIR = { userId: 7, botId: 3 };
const LIST: TaskList = {
  ...PAIR,
  accountId: 9,
  round: { ...PAIR, number: 2, requested: 5, endsAt: minutesLater(600) },
  tasks: [],
};

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());

async function readLists(keys: readonly { userId: number; botId: number; cachedVersion: number | undefined }[]) {
  const queries = keys.map((key) => ({ ...key, now: NOON, withRecord: false }));
  return (await readShowFacts(database.db, queries)).map(({ list }) => list);
}

async function read(cachedVersion?: number): Promise<StoredList | undefined> {
  const [list] = await readLists([{ ...PAIR, cachedVersion }]);
  return list;
}

describe('a cached list', () => {
  let version: number;
  beforeEach(async () => {
    await database.db.query('TRUNCATE task_lists, banned_users');
    await database.db.transaction((tx) => insertLists(tx, [LIST]));
    version = (await read())?.version ?? 0;
  });

  test('is not read again after a lock without a write', async () => {
    assert.notEqual(version, 0);
    await database.db.transaction((tx) => tx.query('SELECT 1 FROM task_lists FOR UPDATE'));
    assert.equal(await read(version), undefined);
  });

  test('is read again after any write, even of the same content', async () => {
    await database.db.transaction((tx) => saveLists(tx, [LIST]));
    const found = await read(version);
    assert.deepEqual([found?.round, found?.packedTasks], [LIST.round, '[]']);
    assert.notEqual(found?.version, version);
  });

  test('that was deleted is returned as absent', async () => {
    await database.db.query('DELETE FROM task_lists');
    assert.deepEqual(await read(version), {
      ...PAIR,
      isBanned: false,
      round: undefined,
      packedTasks: undefined,
      version: undefined,
      lostOrders: [],
      humanCheck: undefined,
    });
  });

  test('of a banned user is read again', async () => {
    await database.db.transaction((tx) => banUser(tx, { userId: PAIR.userId, reason: 'spam', at: NOON }));
    assert.equal((await read(version))?.isBanned, true);
  });

  test('has its own version: each query gets its own list, in order', async () => {
    const other = { userId: 8, botId: 3, cachedVersion: version };
    const lists = await readLists([other, { ...PAIR, cachedVersion: version }, { ...PAIR, cachedVersion: undefined }]);
    assert.deepEqual(
      lists.map((list) => [list?.userId, list?.version]),
      [
        [8, undefined],
        [undefined, undefined],
        [7, version],
      ],
    );
  });
});
