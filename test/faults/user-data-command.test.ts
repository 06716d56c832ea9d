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

test('rows that prevent a second payment are printed and stay; cases lose the user', async () => {
  const evidence = {
    figures: { counted: 2 },
    examples: [
      { at: '2026-05-20T12:00:00Z', user_id: USER, note: 'settled, shared_device' },
      { at: '2026-05-20T12:00:00Z', user_id: USER + 1 },
    ],
    graph: {
      nodes: [USER, USER + 1].map((id) => ({ id: `user:${id}`, type: 'user', label: String(id) })),
      edges: [USER, USER + 1].map((id) => ({ from: `user:${id}`, to: 'device:1' })),
    },
  };
  await query(
    database.url,
    `WITH member AS (
       INSERT INTO memberships (user_id, chat_id, is_member, source, observed_at) VALUES ($1, -5, true, 'update', now())
     ), stay AS (
       INSERT INTO stay_checks (user_id, bot_id, order_id, stayed, checked_at) VALUES ($1, 1, 1, true, now())
     ), account AS (
       INSERT INTO accounts (telegram_user_id, name, created_at) VALUES (77, 'Eve', now()) RETURNING id
     )
     INSERT INTO cases (kind, subject_type, subject_id, account_id, status, risk_kopecks, evidence, opened_at, updated_at)
     SELECT 'low_quality', 'bot', 1, id, 'open', 0, $2, now(), now() FROM account`,
    [USER, JSON.stringify(evidence)],
  );
  const shown = (await run(String(USER))).stdout;
  for (const part of [/^memberships \(kept: .*-5/ms, /^stay_checks:/m, /^cases:.*shared_device/ms])
    assert.match(shown, part);
  assert.match((await run(String(USER), '--delete')).stdout, /Deleted 2 rows/);
  const after = (await run(String(USER))).stdout;
  assert.match(after, /^memberships/);
  assert.doesNotMatch(after, /cases|stay_checks/);
  const [stored] = await query<{ evidence: typeof evidence }>(database.url, 'SELECT evidence FROM cases');
  assert.equal(JSON.stringify(stored).includes(`:${USER}`), false, JSON.stringify(stored));
  assert.deepEqual(stored?.evidence.examples, evidence.examples.slice(1));
  assert.deepEqual(stored?.evidence.graph.edges, evidence.graph.edges.slice(1));
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
