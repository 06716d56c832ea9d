import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts';
import { addSeconds, systemClock } from '../../../core/clock.ts';
import { recordHeard, recordLoss } from '../../audience/index.ts';
import { available, escrow, external, hold, openAccounts, platform, postTransfers } from '../../ledger/index.ts';
import { createOrderBook } from '../../orders/index.ts';
import type { MembershipChecker, MembershipStatus } from '../membership.ts';
import { insertOrders, NOON, writeTasks } from '../task.fixture.ts';
import { recordMembershipUpdate } from './record-membership.ts';
import { settleDueTasks } from './settle-due.ts';

const PUBLISHER = 2;
const DAY = 24 * 60 * 60;
const END = addSeconds(NOON, DAY);

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  const { db } = database;
  await db.query('SELECT sandbox.empty_service_tables()');
  await insertOrders(db, 1);
  await db.query('UPDATE order_progress SET counted_count = 5, unsettled_count = 5, spent_kopecks = 5000');
  const to = [hold(PUBLISHER), platform(1)];
  await db.transaction(async (tx) => {
    await openAccounts(tx, [...to, available(PUBLISHER), escrow(1), available(1), external(1)]);
    const fund = to.map((account) => ({
      kind: 'deposit' as const,
      key: account.kind,
      from: external(1),
      to: account,
      amountKopecks: 5_000n,
    }));
    await postTransfers(tx, fund, NOON);
  });
});
after(() => database.drop());

const HELD = { orderId: 1, resourceId: 1, accountId: PUBLISHER, releaseAt: END, windowEndsAt: END, nextCheckAt: END };

interface Check {
  readonly statuses?: Readonly<Record<number, MembershipStatus>>;
  readonly now?: Date;
  readonly signal?: AbortSignal;
  readonly checkerIds?: readonly number[];
}

/** Runs the job. Fails when it checks a user without a status. Returns the number of due tasks. */
function settle({ statuses = {}, now = END, signal, checkerIds }: Check): Promise<number> {
  const clock = { now: () => now };
  const { db } = database;
  const membershipChecker = {
    checkInTurn: async (_: unknown, userId: number) => statuses[userId] ?? assert.fail(`asked about ${userId}`),
  } as unknown as MembershipChecker;
  const book = createOrderBook(db, clock);
  const bots = checkerIds && { checkerIds: () => checkerIds };
  return settleDueTasks({ db, clock, membershipChecker, book, operatorIds: new Set(), ...bots }, signal);
}

async function states(): Promise<Record<string, string>> {
  const rows = await database.db.query<{ user_id: bigint; state: string }>('SELECT user_id, state FROM tasks');
  return Object.fromEntries(rows.map((row) => [row.user_id, row.state]));
}

test('a member keeps the reward, a user who left loses it', async () => {
  await writeTasks(database.db, [
    { ...HELD, userId: 1 },
    { ...HELD, userId: 2 },
    { ...HELD, userId: 3, nextCheckAt: addSeconds(END, 1) },
  ]);
  assert.equal(await settle({ statuses: { 1: 'member', 2: 'left' }, signal: AbortSignal.abort() }), 0);
  assert.equal(await settle({ statuses: { 1: 'member', 2: 'left' } }), 2);
  assert.deepEqual(await states(), { 1: 'settled', 2: 'reversed', 3: 'held' });
});

test('a protected task, or one whose user left after the window, needs no check', async () => {
  await writeTasks(database.db, [
    { ...HELD, userId: 1 },
    { ...HELD, userId: 2 },
  ]);
  await database.db.query('UPDATE tasks SET kept_at = $1 WHERE user_id = 1', [NOON]);
  await database.db.query(
    `INSERT INTO memberships (user_id, chat_id, is_member, first_member_at, joined_at, source, observed_at)
     VALUES (2, -1, false, $1, $1, 'update', $2)`,
    [NOON, addSeconds(END, 1)],
  );
  assert.equal(await settle({ now: addSeconds(END, 2) }), 2);
  assert.deepEqual(await states(), { 1: 'settled', 2: 'settled' });
});

test('a late check reverses nothing, and a removed user keeps the reward', async () => {
  await writeTasks(database.db, [
    { ...HELD, userId: 1 },
    { ...HELD, userId: 2 },
  ]);
  assert.equal(await settle({ statuses: { 1: 'left', 2: 'removed' }, now: addSeconds(END, 601) }), 2);
  assert.deepEqual(await states(), { 1: 'settled', 2: 'settled' });
  const kept = await database.db.query<{ user_id: bigint }>('SELECT user_id FROM tasks WHERE kept_at IS NOT NULL');
  assert.deepEqual(kept, [{ user_id: 2n }]);
});

test('a task whose check fails waits for its lease, at most for a day', async () => {
  await writeTasks(database.db, [
    { ...HELD, userId: 1 },
    { ...HELD, userId: 2 },
  ]);
  const statuses = { 1: 'unavailable', 2: 'no_access' } as const;
  assert.equal(await settle({ statuses }), 2);
  assert.deepEqual(await states(), { 1: 'held', 2: 'held' });
  assert.deepEqual(await database.db.query('SELECT resource_id, user_id FROM access_rechecks'), [
    { resource_id: 1n, user_id: 2n },
  ]);
  assert.equal(await settle({ statuses, now: addSeconds(END, 29) }), 0);
  assert.equal(await settle({ statuses, now: addSeconds(END, 30) }), 2);
  assert.equal(await settle({ statuses, now: addSeconds(END, DAY) }), 2);
  assert.deepEqual(await states(), { 1: 'settled', 2: 'settled' });
});

test('a join without a date is not paid, unless updates were lost or may still arrive', async () => {
  const { db } = database;
  const undated = { ...HELD, wasOutside: false, userId: 1 };
  await writeTasks(db, [undated]);
  const statuses = { 1: 'member', 2: 'member' } as const;
  assert.equal(await settle({ statuses }), 1);
  assert.deepEqual(await states(), { 1: 'held' }, 'no updates were fetched yet, so some may be waiting');
  await db.transaction((tx) => recordHeard(tx, { at: END, machineAt: systemClock.now() }));
  assert.equal(await settle({ statuses, now: addSeconds(END, 30) }), 1);
  assert.deepEqual(await states(), { 1: 'notgetted' });
});

test('a join without a date is paid when updates stay away for a day', async () => {
  await writeTasks(database.db, [{ ...HELD, wasOutside: false, userId: 1 }]);
  const statuses = { 1: 'member' } as const;
  assert.equal(await settle({ statuses }), 1);
  assert.equal(await settle({ statuses, now: addSeconds(END, DAY) }), 1);
  assert.deepEqual(await states(), { 1: 'settled' });
});

test('a pending task without a decision is rejected, an approved one settles', async () => {
  const { db } = database;
  await db.query("UPDATE resources SET type = 'bot'");
  await writeTasks(db, [
    { ...HELD, userId: 1, state: 'pending' },
    { ...HELD, userId: 2, state: 'held' },
  ]);
  assert.equal(await settle({}), 2);
  assert.deepEqual(await states(), { 1: 'rejected', 2: 'settled' });
});

/** Makes a checker bot serve the only channel. */
async function serveBy(checkerId: number): Promise<void> {
  await database.db.query(
    "INSERT INTO checkers (bot_id, username, token_encrypted, added_at) VALUES ($1, 'a_checker_bot', '', $2)",
    [checkerId, NOON],
  );
  await database.db.query('UPDATE resources SET checker_id = $1', [checkerId]);
}

test('with checker bots every due task is settled once, whichever bot serves its channel', async () => {
  await writeTasks(database.db, [
    { ...HELD, userId: 1 },
    { ...HELD, userId: 2 },
  ]);
  assert.equal(await settle({ statuses: { 1: 'member', 2: 'left' }, checkerIds: [50, 51] }), 2);
  assert.deepEqual(await states(), { 1: 'settled', 2: 'reversed' });
  await serveBy(51);
  await writeTasks(database.db, [{ ...HELD, userId: 3 }]);
  assert.equal(await settle({ statuses: { 3: 'member' }, checkerIds: [50] }), 0, 'the list is a moment behind');
  assert.equal(await settle({ statuses: { 3: 'member' }, checkerIds: [50, 51] }), 1);
  assert.deepEqual(await states(), { 1: 'settled', 2: 'reversed', 3: 'settled' });
});

test('a join counts as lost only when the updates of the bot that serves the channel were lost', async () => {
  const { db } = database;
  await serveBy(51);
  const undated = { ...HELD, wasOutside: false };
  const heard = { at: END, machineAt: systemClock.now() };
  await db.transaction((tx) => recordHeard(tx, heard));
  await db.transaction((tx) => recordHeard(tx, heard, 51));
  await recordLoss(db, { startedAt: NOON, endedAt: END });
  await writeTasks(db, [{ ...undated, userId: 1 }]);
  await settle({ statuses: { 1: 'member' }, checkerIds: [51] });
  assert.deepEqual(await states(), { 1: 'notgetted' });
  await recordLoss(db, { startedAt: NOON, endedAt: END }, 51);
  await writeTasks(db, [{ ...undated, userId: 2 }]);
  await settle({ statuses: { 2: 'member' }, checkerIds: [51] });
  assert.deepEqual(await states(), { 1: 'notgetted', 2: 'settled' });
});

test('a join that an update dates after the showing releases a reward without hold; an older join does not', async () => {
  const { db } = database;
  const waiting = { ...HELD, holdSeconds: 0, wasOutside: false, releaseAt: NOON };
  await writeTasks(db, [
    { ...waiting, userId: 1 },
    { ...waiting, userId: 2 },
    { ...waiting, userId: 3, releaseAt: END },
  ]);
  const now = addSeconds(NOON, 60);
  const membershipChecker = {} as unknown as MembershipChecker;
  const deps = {
    ...{ db, clock: { now: () => now }, membershipChecker, operatorIds: new Set<number>() },
    book: createOrderBook(db, { now: () => now }),
  };
  const join = (userId: number, at: Date) =>
    recordMembershipUpdate(deps, { userId, chatId: -1, isMember: true, wasMember: false, isRemoval: false, at });
  await join(1, addSeconds(NOON, 30));
  await join(2, addSeconds(NOON, -30));
  await join(3, addSeconds(NOON, 30));
  assert.deepEqual(await states(), { 1: 'paid', 2: 'held', 3: 'held' });
});
