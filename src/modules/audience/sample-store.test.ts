import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import type { Transaction } from '../../core/database.ts';
import { type Sample, sampleUsers } from './sample-store.ts';

const SIZE = 5_000;
const NOW = new Date('2026-05-01T12:00:00Z');

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());

/** Inserts users in ascending order; the first 30 % speak English. */
async function fill(count: number): Promise<void> {
  await database.db.query('TRUNCATE audience_users');
  await database.db.query(
    `INSERT INTO audience_users (user_id, first_seen_at, facts, facts_at)
     SELECT n, $2, jsonb_build_object('languageCode', CASE WHEN n <= $1 * 0.3 THEN 'en' ELSE 'ru' END,
              'isPremium', false, 'hasUsername', true, 'name', repeat('x', 60)), $2
     FROM generate_series(1, $1::int) n`,
    [count, NOW],
  );
}

const shareOfEnglish = ({ users }: Sample): number =>
  users.filter(({ facts }) => (facts as { languageCode: string }).languageCode === 'en').length / users.length;

function assertAbout(value: number, expected: number, tolerance: number, what: string): void {
  assert.ok(Math.abs(value - expected) <= tolerance, `${what}: ${value}, expected ${expected} ± ${tolerance}`);
}

describe('few users', () => {
  test('are all in the sample, each once, with their learned values', async () => {
    await fill(SIZE);
    await database.db.query(
      `INSERT INTO audience_values (user_id, field, value, source, learned_at) VALUES (7, 'city', '"Tver"', 'smart_link', $1)`,
      [NOW],
    );
    const { total, users } = await sampleUsers(database.db, SIZE, NOW);
    assert.equal(total, SIZE);
    assert.equal(new Set(users.map(({ userId }) => userId)).size, SIZE);
    assert.deepEqual(users.find(({ userId }) => userId === 7)?.learned, { city: 'Tver' });
    assert.deepEqual(users.find(({ userId }) => userId === 8)?.learned, {});
  });

  test('an empty table gives an empty sample', async () => {
    await fill(0);
    assert.deepEqual(await sampleUsers(database.db, SIZE, NOW), { total: 0, users: [] });
  });

  test('a few more than the sample size are counted exactly', async () => {
    await fill(2 * SIZE);
    const sample = await sampleUsers(database.db, SIZE, NOW);
    assert.equal(sample.total, 2 * SIZE);
    assertAbout(sample.users.length, SIZE, SIZE / 5, 'users sampled');
    assertAbout(shareOfEnglish(sample), 0.3, 0.05, 'share of the first three tenths');
  });
});

describe('many users', () => {
  const MANY = 200_000;
  let pages: number;
  before(async () => {
    await fill(MANY);
    const [size] = await database.db.query<{ pages: bigint }>(
      "SELECT pg_relation_size('audience_users') / current_setting('block_size')::bigint AS pages",
    );
    pages = Number(size?.pages);
    assert.ok(pages > 3_000, `${pages} pages are enough to tell a sample from a scan`);
  });

  /** Returns the pages of the table and its key that this transaction has read so far. */
  async function pagesRead(tx: Transaction): Promise<number> {
    const [read] = await tx.query<{ pages: bigint }>(
      `SELECT pg_stat_get_xact_blocks_fetched('audience_users'::regclass)
            + pg_stat_get_xact_blocks_fetched('audience_users_pkey'::regclass) AS pages`,
    );
    return Number(read?.pages);
  }

  for (const analysed of [false, true]) {
    test(`are sampled evenly from a part of the pages, ${analysed ? 'after' : 'before'} ANALYZE`, async () => {
      if (analysed) await database.db.query('ANALYZE audience_users');
      await database.db.transaction(async (tx) => {
        const readBefore = await pagesRead(tx);
        const sample = await sampleUsers(tx, SIZE, NOW);
        const read = (await pagesRead(tx)) - readBefore;
        assert.ok(read > 100 && read < 1_400, `${read} of ${pages} pages read`);
        assertAbout(sample.total, MANY, MANY / 6, 'users in all');
        assertAbout(sample.users.length, SIZE, SIZE / 2, 'users sampled');
        // The worst case: all users of one page are alike.
        assertAbout(shareOfEnglish(sample), 0.3, 0.08, 'share of the first three tenths');
      });
    });
  }
});
