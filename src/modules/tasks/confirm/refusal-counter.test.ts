import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { type Database, DatabaseUnavailable } from '../../../core/database.ts';
import type { ConfirmOutcome } from './confirm-rules.ts';
import { createRefusalCounter, forgetRefusals } from './refusal-counter.ts';

const at = new Date('2026-01-10T20:59:59.999Z');
const REFUSED: ConfirmOutcome = { kind: 'not_subscribed' };
let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());

const stored = async (userId: number): Promise<(readonly [string, number])[]> =>
  (
    await database.db.query<{ day: string; refused: number }>(
      'SELECT day::text, refused FROM confirm_refusals WHERE user_id = $1 ORDER BY day',
      [userId],
    )
  ).map(({ day, refused }) => [day, refused] as const);

test('refused confirms are counted per user and business day, and others are not', async () => {
  const counter = createRefusalCounter(database.db, { onError: assert.ifError });
  const nextDay = new Date(at.getTime() + 1);
  counter.count(1, [REFUSED, { kind: 'not_shown' }, { kind: 'unavailable' }, { kind: 'not_counted' }], at);
  counter.count(1, [REFUSED], nextDay);
  counter.count(2, [{ kind: 'order_not_found' }, { kind: 'banned' }, { kind: 'order_full' }], at);
  await counter.drain();
  counter.count(1, [REFUSED], nextDay);
  await counter.drain();
  assert.deepEqual(await stored(1), [
    ['2026-01-10', 2],
    ['2026-01-11', 2],
  ]);
  assert.deepEqual(await stored(2), []);
});

test('the memory of the counter is bounded, and users already in it are counted on', async () => {
  const counter = createRefusalCounter(database.db, { onError: assert.ifError, maxUsers: 2 });
  for (const userId of [11, 12, 13, 11]) counter.count(userId, [REFUSED], at);
  await counter.drain();
  assert.deepEqual(
    [await stored(11), await stored(12), await stored(13)],
    [[['2026-01-10', 2]], [['2026-01-10', 1]], []],
  );
});

test('refusals counted while the database is unavailable are stored later', async () => {
  let isAway = true;
  const flaky: Database = {
    ...database.db,
    query: (sql, params) => (isAway ? Promise.reject(new DatabaseUnavailable('away')) : database.db.query(sql, params)),
  };
  const counter = createRefusalCounter(flaky);
  counter.count(21, [REFUSED], at);
  await counter.drain();
  isAway = false;
  await eventually('the refusal is stored', async () => (await stored(21)).length === 1);
});

test('refusals are deleted after 60 days, in chunks', async () => {
  const counter = createRefusalCounter(database.db, { onError: assert.ifError });
  for (const userId of [31, 32, 33]) counter.count(userId, [REFUSED], new Date('2025-11-01T12:00:00Z'));
  counter.count(34, [REFUSED], new Date('2025-12-01T12:00:00Z'));
  await counter.drain();
  const clock = { now: () => new Date('2026-01-10T12:00:00Z') };
  assert.equal(await forgetRefusals({ db: database.db, clock }, undefined, 2), 3);
  assert.deepEqual(await stored(31), []);
  assert.equal((await stored(34)).length, 1);
});
