import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import pg from 'pg';
import { forgetMemberships, MEMBERSHIP_DAYS } from '../../src/modules/tasks/index.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { TestClock } from '../support/money-desk.ts';
import { range } from '../support/users.ts';

const DAY_SECONDS = 24 * 60 * 60;
const OLD = MEMBERSHIP_DAYS + 1;
const YOUNG = MEMBERSHIP_DAYS - 1;
/** The chat of resource 1. `OTHER` is a chat without a resource. */
const ADVERTISED = -100;
const OTHER = -200;

let database: TestDatabase;
let clock: TestClock;
/** Users of one partition in ascending order: each partition has its own scan. */
let users: number[];
const PARTITION = 'memberships_00';
before(async () => {
  database = await createTestDatabase();
  const rows = await database.db.query<{ id: bigint }>(
    `SELECT id FROM generate_series(1, 10000) AS id
     WHERE satisfies_hash_partition('memberships'::regclass, 16, 0, id::bigint) ORDER BY id LIMIT 60`,
  );
  users = rows.map(({ id }) => Number(id));
});
beforeEach(async () => {
  clock = new TestClock();
  await database.db.query('SELECT sandbox.empty_service_tables()');
  await database.db.query("INSERT INTO resources (type, chat_id, created_at) VALUES ('channel', $1, $2)", [
    ADVERTISED,
    clock.now(),
  ]);
});
after(() => database.drop());

const daysAgo = (days: number): Date => new Date(clock.now().getTime() - days * DAY_SECONDS * 1000);

interface Case {
  readonly chatId?: number;
  /** True when the row stores the start of the membership. */
  readonly wasMember: boolean;
  readonly isMember?: boolean;
  readonly observedDaysAgo: number;
  readonly isCounted?: boolean;
  /** The state of the user's task for the advertised chat. */
  readonly task?: string;
}

async function add(userId: number, { chatId = ADVERTISED, wasMember, isMember = false, ...rest }: Case): Promise<void> {
  const { db } = database;
  const at = daysAgo(rest.observedDaysAgo);
  await db.query(
    `INSERT INTO memberships (user_id, chat_id, is_member, first_member_at, source, observed_at)
     VALUES ($1, $2, $3, $4, 'update', $5)`,
    [userId, chatId, isMember, wasMember ? at : null, at],
  );
  if (rest.isCounted === true)
    await db.query('INSERT INTO counted_subscriptions VALUES ($1, 1, 1, 1, $2)', [userId, at]);
  if (rest.task === undefined) return;
  await db.query(
    `INSERT INTO tasks (user_id, bot_id, order_id, account_id, resource_id, round, position, state, charge_kopecks,
                         reward_kopecks, hold_seconds, refund, shown_at, expires_at, confirmed_at)
     VALUES ($1, 1, 1, 1, 1, 1, 1, $2, 1000, 700, 86400, true, $3, $3, $3)`,
    [userId, rest.task, at],
  );
}

const forget = (limit?: number, db = database.db, signal?: AbortSignal) =>
  forgetMemberships({ db, clock }, signal, limit);

async function usersLeft(): Promise<number[]> {
  const rows = await database.db.query<{ user_id: bigint }>('SELECT user_id FROM memberships ORDER BY user_id');
  return rows.map((row) => Number(row.user_id));
}

/** Memberships that the job must keep. Each key names the reason. */
const KEPT: Readonly<Record<string, Case>> = {
  'one that says since when a payable user has belonged to a chat': {
    wasMember: true,
    observedDaysAgo: 10 * OLD,
  },
  'the same of a chat that may be advertised tomorrow': { chatId: OTHER, wasMember: true, observedDaysAgo: 10 * OLD },
  'one of a counted user who was observed recently': {
    wasMember: true,
    observedDaysAgo: YOUNG,
    isCounted: true,
  },
  'one of a counted user whose reward waits for the end of its hold': {
    wasMember: true,
    observedDaysAgo: OLD,
    isCounted: true,
    task: 'held',
  },
  'one of a counted user whose reward can still be taken back': {
    wasMember: true,
    observedDaysAgo: OLD,
    isCounted: true,
    task: 'paid',
  },
  'one of a leaving that decides about a subscription in doubt': {
    wasMember: false,
    observedDaysAgo: OLD,
    task: 'pending',
  },
  'one of a leaving not so long ago': { wasMember: false, observedDaysAgo: YOUNG },
};

const FORGOTTEN: Readonly<Record<string, Case>> = {
  'one of a user who was counted there': { wasMember: true, isMember: true, observedDaysAgo: OLD, isCounted: true },
  'the same when the reward is settled': { wasMember: true, observedDaysAgo: OLD, isCounted: true, task: 'settled' },
  'one that never said since when': { wasMember: false, observedDaysAgo: OLD },
  'the same of a chat without an order': { chatId: OTHER, wasMember: false, observedDaysAgo: OLD },
};

for (const [what, one] of Object.entries(KEPT)) {
  test(`kept: ${what}`, async () => {
    await add(1, one);
    assert.equal(await forget(), 0);
    assert.deepEqual(await usersLeft(), [1]);
  });
}
for (const [what, one] of Object.entries(FORGOTTEN)) {
  test(`forgotten: ${what}`, async () => {
    await add(1, one);
    assert.equal(await forget(), 1);
    assert.deepEqual(await usersLeft(), []);
  });
}

/** Adds memberships of which the job may delete every third. */
async function addMany(count: number): Promise<void> {
  for (const n of range(count)) await add(users[n] ?? 0, { wasMember: n % 3 !== 0, observedDaysAgo: OLD });
}
const keptOf = (count: number): number[] => users.slice(0, count).filter((_, n) => n % 3 !== 0);

test('a stopped scan continues in any process and then pauses for a day', async () => {
  await addMany(30);
  const stop = new AbortController();
  const { db } = database;
  const stopping = new Proxy(db, {
    get(target, name) {
      if (name === 'transaction') stop.abort(); // stops the scan as soon as its first batch has started
      return Reflect.get(target, name) as unknown;
    },
  });
  assert.equal(await forget(6, stopping, stop.signal), 2);
  assert.equal(await forget(6), 8);
  assert.deepEqual(await usersLeft(), keptOf(30));

  await add(100, { wasMember: false, observedDaysAgo: OLD });
  clock.advance(DAY_SECONDS - 1);
  assert.equal(await forget(6), 0);
  clock.advance(1);
  assert.equal(await forget(6), 1);
});

test('simultaneous workers delete each membership once', async () => {
  await addMany(60);
  const counts = await Promise.all([forget(5), forget(5), forget(5)]);
  counts.push(await forget(5));
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    20,
  );
  assert.deepEqual(await usersLeft(), keptOf(60));
});

test('a killed scan loses neither its cursor nor a membership, and a hanging one blocks no other', async () => {
  await addMany(9);
  const worker = new pg.Client({ connectionString: database.url });
  worker.on('error', () => undefined);
  await worker.connect();
  await worker.query('INSERT INTO job_cursors (job) VALUES ($1)', [PARTITION]);
  await worker.query('BEGIN');
  await worker.query('UPDATE job_cursors SET user_id = $1', [users[5]]);
  await worker.query('DELETE FROM memberships WHERE user_id = $1', [users[0]]);
  assert.equal(await forget(3), 0);
  await worker.end();
  assert.equal(await forget(3), 3);
  assert.deepEqual(await usersLeft(), keptOf(9));
});

test('a locked membership is skipped', async () => {
  await addMany(3);
  const update = new pg.Client({ connectionString: database.url });
  await update.connect();
  await update.query('BEGIN');
  await update.query('UPDATE memberships SET is_member = true, observed_at = $1 WHERE user_id = $2', [
    clock.now(),
    users[0],
  ]);
  assert.equal(await forget(), 0);
  await update.query('COMMIT');
  await update.end();
  clock.advance(DAY_SECONDS);
  assert.equal(await forget(), 0);
  assert.deepEqual(await usersLeft(), users.slice(0, 3));
});
