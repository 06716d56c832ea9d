import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { systemClock } from '../../src/core/clock.ts';
import { topUpOrder } from '../../src/modules/orders/index.ts';
import { channel, openRichAccount, orderIn } from '../support/advertiser.ts';
import { assertBooks, kopecksIn, query } from '../support/books.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { range } from '../support/users.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());

const richAccount = (kopecks: bigint): Promise<number> => openRichAccount(database.db, kopecks);

function buy(accountId: number, chatId: number) {
  return database.db.transaction((tx) => orderIn(tx, { accountId, resource: channel(chatId), quantity: 5 }));
}

test('100 simultaneous purchases from a balance for 10 create 10 orders and overdraw nothing', async () => {
  const accountId = await richAccount(10n * 5_000n + 4_999n);

  const outcomes = await Promise.all(range(100).map((n) => buy(accountId, -1_000_000 - (n % 3))));

  assert.equal(outcomes.filter((outcome) => outcome.kind === 'created').length, 10);
  assert.equal(outcomes.filter((outcome) => outcome.kind === 'insufficient_funds').length, 90);
  const [stored] = await query<{ orders: number; escrow: number }>(
    database.url,
    `SELECT count(*)::int AS orders, sum(a.balance_kopecks)::float8 AS escrow
     FROM orders o JOIN ledger_accounts a ON a.kind = 'escrow' AND a.owner_id = o.id WHERE o.account_id = $1`,
    [accountId],
  );
  assert.deepEqual(stored, { orders: 10, escrow: 50_000 });
  assert.equal(await kopecksIn(database.url, 'available', accountId), 4_999);
  await assertBooks(database.url);
});

test('a top-up sent 20 times at once is charged once', async () => {
  const accountId = await richAccount(100_000n);
  const created = await buy(accountId, -1_000_010);
  assert.ok(created.kind === 'created');
  const { orderId } = created;

  const outcomes = await Promise.all(
    range(20).map(() =>
      database.db.transaction((tx) => topUpOrder(tx, { orderId, quantity: 3, key: 'one', at: systemClock.now() })),
    ),
  );

  assert.deepEqual(new Set(outcomes.map((outcome) => outcome.kind)), new Set(['topped_up']));
  assert.equal(await kopecksIn(database.url, 'escrow', orderId), 8_000);
  assert.deepEqual(await query(database.url, 'SELECT quantity FROM orders WHERE id = $1', [orderId]), [
    { quantity: 8 },
  ]);
  await assertBooks(database.url);
});
