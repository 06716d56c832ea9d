import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { query } from '../support/books.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { killAll, runCommand } from '../support/process.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await killAll();
  await database.drop();
});

const USER = 5_000_000_123;
const run = (...args: string[]) => runCommand(['user-data', ...args], { DATABASE_URL: database.url });

test('an operator can print and delete what is stored about a user, and other users keep theirs', async () => {
  for (const userId of [USER, USER + 1]) {
    await query(
      database.url,
      `WITH mark AS (
         INSERT INTO device_marks (mark, user_id, kind, source, seen_at)
         VALUES ('\\x00112233445566778899aabbccddeeff', $1, 'device', 'mini_app', now())
       ), value AS (
         INSERT INTO audience_values (user_id, field, value, source, learned_at)
         VALUES ($1, 'country', '"RU"', 'smart_link', now())
       )
       INSERT INTO human_checks (user_id, passed_at) VALUES ($1, now())`,
      [userId],
    );
  }
  const shown = await run(String(USER));
  assert.deepEqual([shown.code, shown.stderr], [0, '']);
  for (const part of ['audience_values:', '"RU"', 'device_marks:', 'human_checks:']) {
    assert.ok(shown.stdout.includes(part), `${part} in ${shown.stdout}`);
  }
  assert.ok(!shown.stdout.includes('Deleted'));

  const deleted = await run(String(USER), '--delete');
  assert.match(deleted.stdout, new RegExp(`Deleted 3 rows about user ${USER}\\.`));
  assert.equal((await run(String(USER))).stdout, `Nothing is stored about user ${USER}.\n`);
  assert.match((await run(String(USER + 1))).stdout, /device_marks:/);
});

test('a wrong argument is refused in one line and deletes nothing', async () => {
  await query(database.url, 'INSERT INTO human_checks (user_id, passed_at) VALUES ($1, now())', [USER]);
  for (const args of [[], ['all'], ['-1'], [String(USER), '--remove'], [String(USER), '7']]) {
    const { code, stdout, stderr } = await run(...args);
    assert.deepEqual([code, stdout], [1, ''], args.join(' '));
    assert.match(stderr, /^sponsorgate: use: sponsorgate user-data <telegram_user_id> \[--delete\]\n$/);
  }
  assert.equal((await query(database.url, 'SELECT 1 FROM human_checks')).length, 1);
});
