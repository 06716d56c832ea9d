import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { systemClock } from '../../src/core/clock.ts';
import type { Transaction } from '../../src/core/database.ts';
import { createSecrets } from '../../src/core/secrets.ts';
import { saveBan } from '../../src/modules/accounts/index.ts';
import { banAccount } from '../../src/modules/operators/index.ts';
import { type CreateOrderOutcome, moveOwnOrder, type ResourceResolver } from '../../src/modules/orders/index.ts';
import { channel, openRichAccount, orderIn } from '../support/advertiser.ts';
import { assertBooks, query } from '../support/books.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually, gate } from '../support/eventually.ts';
import { range } from '../support/users.ts';

const secrets = createSecrets('x'.repeat(32));

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());

const richAccount = (): Promise<number> => openRichAccount(database.db);

const buyIn = (tx: Transaction, accountId: number): Promise<CreateOrderOutcome> =>
  orderIn(tx, { accountId, resource: channel(-1_002_000), quantity: 5 });

const ban = (accountId: number) =>
  banAccount(
    { db: database.db, clock: systemClock, operatorIds: new Set<number>() },
    {
      accountId,
      reason: 'A test.',
      operatorId: 1,
    },
  );

const resume = (accountId: number, orderId: number) => {
  const { db } = database;
  const notNeeded = () => assert.fail('nothing has to be looked at');
  const resolver: ResourceResolver = { resolve: notNeeded, nameOfBot: notNeeded };
  const deps = { db, clock: systemClock, secrets, resolver };
  return moveOwnOrder(deps, { accountId, orderId }, 'active');
};

const statusesOf = async (accountId: number): Promise<string[]> =>
  (
    await query<{ status: string }>(database.url, 'SELECT status FROM orders WHERE account_id = $1 ORDER BY id', [
      accountId,
    ])
  ).map(({ status }) => status);

/** Waits until the work is done or waits for a lock of the transaction that the test holds open. */
async function untilDoneOrHeldUp(work: Promise<unknown>): Promise<void> {
  let isDone = false;
  const done = () => {
    isDone = true;
  };
  work.then(done, done);
  await eventually('the other is done or waits for a lock', async () => {
    if (isDone) return true;
    const waiting = await query(
      database.url,
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    return waiting.length > 0;
  });
}

/** Runs `first` in a transaction, starts `second` before the commit, and waits for both. */
async function overtaken<A, B>(first: (tx: Transaction) => Promise<A>, second: () => Promise<B>): Promise<[A, B]> {
  const begun = gate();
  const mayCommit = gate();
  const holding = database.db.transaction(async (tx) => {
    const result = await first(tx);
    begun.open();
    await mayCommit.promise;
    return result;
  });
  await Promise.race([begun.promise, holding]);
  const coming = second();
  await untilDoneOrHeldUp(coming);
  mayCommit.open();
  const [held, came] = await Promise.allSettled([holding, coming]);
  if (held.status === 'rejected') throw held.reason;
  if (came.status === 'rejected') throw came.reason;
  return [held.value, came.value];
}

const banIn = (tx: Transaction, accountId: number) =>
  saveBan(tx, { accountId, reason: 'A test.', at: systemClock.now() });

test('a ban pauses an order whose purchase has not committed yet', async () => {
  const accountId = await richAccount();
  const [created, banned] = await overtaken(
    (tx) => buyIn(tx, accountId),
    () => ban(accountId),
  );
  assert.ok(created.kind === 'created');
  assert.deepEqual(banned, { kind: 'banned', pausedOrderIds: [created.orderId] });
  assert.deepEqual(await statusesOf(accountId), ['paused']);
  await assertBooks(database.url);
});

test('a purchase during a ban of its owner is refused and costs nothing', async () => {
  const accountId = await richAccount();
  const [, outcome] = await overtaken(
    (tx) => banIn(tx, accountId),
    () => database.db.transaction((tx) => buyIn(tx, accountId)),
  );
  assert.deepEqual(outcome, { kind: 'owner_banned' });
  assert.deepEqual(await statusesOf(accountId), []);
  await assertBooks(database.url);
});

test('an order resumed during a ban of its owner stays paused', async () => {
  const accountId = await richAccount();
  const created = await database.db.transaction((tx) => buyIn(tx, accountId));
  assert.ok(created.kind === 'created');
  await query(database.url, "UPDATE orders SET status = 'paused', pause_reason = 'owner' WHERE id = $1", [
    created.orderId,
  ]);
  const resuming = overtaken(
    (tx) => banIn(tx, accountId),
    () => resume(accountId, created.orderId),
  );
  await assert.rejects(resuming, { name: 'ApiError', code: 'invalid_token' });
  assert.deepEqual(await statusesOf(accountId), ['paused']);
});

test('no order bought around a ban is active afterwards, and later purchases are refused', async () => {
  const trials = range(15).map(async () => {
    const accountId = await richAccount();
    const buy = () => database.db.transaction((tx) => buyIn(tx, accountId));
    const [first, banned, ...rest] = await Promise.all([buy(), ban(accountId), buy(), buy()]);
    assert.equal(banned.kind, 'banned');
    const bought = [first, ...rest].filter((outcome) => outcome.kind === 'created').length;
    assert.deepEqual(
      await statusesOf(accountId),
      range(bought).map(() => 'paused'),
    );
    assert.deepEqual(await buy(), { kind: 'owner_banned' });
  });
  await Promise.all(trials);
  await assertBooks(database.url);
});
