import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { banUser } from '../audience/index.ts';
import { minutesLater, NOON } from './task.fixture.ts';
import type { TaskList } from './task-list.ts';
import { insertLists, type KnownList, readLists, saveLists } from './task-list-store.ts';

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

async function read(remembered?: number): Promise<KnownList | undefined> {
  const [list] = await readLists(database.db, [{ ...PAIR, remembered }]);
  return list;
}

describe('a list that is remembered', () => {
  let version: number;
  beforeEach(async () => {
    await database.db.query('TRUNCATE task_lists, banned_users');
    await database.db.transaction((tx) => insertLists(tx, [LIST]));
    version = (await read())?.version ?? 0;
  });

  test('is not read while it stands as it was written, however often it is locked', async () => {
    assert.notEqual(version, 0);
    await database.db.transaction((tx) => tx.query('SELECT 1 FROM task_lists FOR UPDATE'));
    assert.equal(await read(version), undefined);
  });

  test('is read when anybody has written it, even as it was', async () => {
    await database.db.transaction((tx) => saveLists(tx, [LIST]));
    const found = await read(version);
    assert.deepEqual([found?.round, found?.written], [LIST.round, '[]']);
    assert.notEqual(found?.version, version);
  });

  test('is missed when it is gone', async () => {
    await database.db.query('DELETE FROM task_lists');
    assert.deepEqual(await read(version), {
      ...PAIR,
      isBanned: false,
      round: undefined,
      written: undefined,
      version: undefined,
      lostOrders: [],
    });
  });

  test('does not hide that its user is banned', async () => {
    await database.db.transaction((tx) => banUser(tx, { userId: PAIR.userId, reason: 'spam', at: NOON }));
    assert.equal((await read(version))?.isBanned, true);
  });

  test('of one is no list of another: each question gets its own answer, in order', async () => {
    const other = { userId: 8, botId: 3, remembered: version };
    const lists = await readLists(database.db, [
      other,
      { ...PAIR, remembered: version },
      { ...PAIR, remembered: undefined },
    ]);
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
