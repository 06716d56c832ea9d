import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { type Database, DatabaseUnavailable } from '../../core/database.ts';
import { createClickCounter } from './click-counter.ts';
import { clicksBy } from './click-store.ts';
import type { Visitor } from './link.ts';
import { createLink } from './manage-links.ts';

const WHO: Visitor = { country: 'RU', city: undefined, deviceType: 'smartphone', os: undefined };
const at = new Date('2026-01-10T20:59:59.999Z');
let database: TestDatabase;
let linkId = 0;
before(async () => {
  database = await createTestDatabase();
  linkId = await database.db.transaction(async (tx) => {
    const [account] = await tx.query<{ id: bigint }>(
      "INSERT INTO accounts (telegram_user_id, name, created_at) VALUES (1, 'owner', $1) RETURNING id",
      [at],
    );
    const made = await createLink(tx, { accountId: Number(account?.id), url: 'https://example.com/', at });
    assert.equal(made.kind, 'saved');
    return made.link.id;
  });
});
after(() => database.drop());

const days = () => clicksBy(database.db, 'day', { linkId, from: '2000-01-01', to: '2999-01-01' });

test('a click counts on the business day of the click, even when it is written on the next day', async () => {
  const counter = createClickCounter(database.db, assert.ifError);
  const nextDay = new Date(at.getTime() + 1);
  for (const time of [at, nextDay, nextDay]) counter.count(linkId, WHO, time);
  await counter.drain();
  assert.deepEqual(await days(), [
    { value: '2026-01-10', clicks: 1 },
    { value: '2026-01-11', clicks: 2 },
  ]);
});

test('clicks made while the database is unavailable are stored later', async () => {
  const before = (await days()).reduce((sum, { clicks }) => sum + clicks, 0);
  let isAway = true;
  const errors: unknown[] = [];
  const flaky: Database = {
    ...database.db,
    query: (sql, params) => (isAway ? Promise.reject(new DatabaseUnavailable('away')) : database.db.query(sql, params)),
  };
  const counter = createClickCounter(flaky, (error) => errors.push(error));
  for (let i = 0; i < 5; i++) counter.count(linkId, WHO, at);
  await counter.drain();
  counter.count(linkId, WHO, at);
  isAway = false;
  const stored = async () => (await days()).reduce((sum, { clicks }) => sum + clicks, 0) - before;
  await eventually('all six are stored', async () => (await stored()) === 6);
  assert.equal(errors.length, 1);
});

test('a click on a deleted link does not affect the other clicks of the batch', async () => {
  const [before] = await days();
  const counter = createClickCounter(database.db, assert.ifError);
  counter.count(999_999, WHO, at);
  counter.count(linkId, WHO, at);
  await counter.drain();
  const [now] = await days();
  assert.equal(now?.clicks, (before?.clicks ?? 0) + 1);
});
