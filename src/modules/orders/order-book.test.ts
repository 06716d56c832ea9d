import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { buyOrder, channel, openRichAccount } from '../../../test/support/advertiser.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { systemClock } from '../../core/clock.ts';
import { createOrderBook, type OrderBook } from './order-book.ts';

const NOTHING_KNOWN = [] as const;
/** More than are looked at again at a time. */
const MANY = 120;

let database: TestDatabase;
let orderIds: number[];
let book: OrderBook;

before(async () => {
  database = await createTestDatabase();
  const accountId = await openRichAccount(database.db, 100_000_000n);
  orderIds = [];
  for (let i = 0; i < MANY; i++) {
    orderIds.push(await buyOrder(database.db, { accountId, resource: channel(-1_002_000 - i), quantity: 5 }));
  }
});
after(() => database.drop());

beforeEach(async () => {
  await database.db.query("UPDATE orders SET status = 'active', pause_reason = NULL, title = 'A channel'");
  await database.db.query('UPDATE order_progress SET shown_total = 0, confirmed_total = 0, reserved_count = 0');
  book = createOrderBook(database.db, systemClock);
  await book.reloadAll();
  assert.equal(matching().length, MANY);
});

/** Past the service, and so without a word to anybody. */
function write(sql: string, orderId: number | undefined): Promise<unknown[]> {
  return database.db.query(sql, [orderId]);
}

const matching = (): number[] => book.match(NOTHING_KNOWN, 1_000, () => true).map(({ id }) => id);

/** Every order is looked at again once. */
async function lookAtAll(): Promise<number> {
  for (let calls = 1; calls <= 10; calls++) if ((await book.refresh()) === 1) return calls;
  return assert.fail('the round does not end');
}

describe('looking at the orders again', () => {
  test('goes through all of them, a few at a time, round and round', async () => {
    assert.equal(await lookAtAll(), 2);
    assert.equal(await lookAtAll(), 2);
    assert.equal(matching().length, MANY);
  });

  for (const place of ['first', 'last'] as const) {
    const orderId = (): number | undefined => (place === 'first' ? orderIds[0] : orderIds.at(-1));

    test(`finds that the ${place} has no room, and that it has some again`, async () => {
      await write('UPDATE order_progress SET reserved_count = 5 WHERE order_id = $1', orderId());
      await lookAtAll();
      assert.deepEqual([matching().length, matching().includes(orderId() ?? 0)], [MANY - 1, false]);
      await write('UPDATE order_progress SET reserved_count = 4 WHERE order_id = $1', orderId());
      await lookAtAll();
      assert.equal(matching().length, MANY);
    });

    test(`finds what was changed in the ${place} without a word`, async () => {
      await write("UPDATE orders SET title = 'Another channel' WHERE id = $1", orderId());
      await lookAtAll();
      assert.equal(book.recall([orderId() ?? 0])?.get(orderId() ?? 0)?.title, 'Another channel');
    });

    test(`finds that the ${place} is not active any more, and that it is again`, async () => {
      await write("UPDATE orders SET status = 'paused', pause_reason = 'owner' WHERE id = $1", orderId());
      await lookAtAll();
      assert.equal(matching().includes(orderId() ?? 0), false);
      assert.equal([...book.active()].length, MANY - 1);
      await write("UPDATE orders SET status = 'active', pause_reason = NULL WHERE id = $1", orderId());
      await lookAtAll();
      assert.equal(matching().length, MANY);
    });

    test(`ranks by what orders earn by now: the ${place} before all others`, async () => {
      await write('UPDATE order_progress SET shown_total = 100, confirmed_total = 100 WHERE order_id = $1', orderId());
      await lookAtAll();
      assert.equal(matching()[0], orderId());
    });
  }

  test('proposes again what the writer had found full, and which has room', async () => {
    const [orderId = 0] = orderIds;
    book.markFull(orderId);
    assert.equal(matching().includes(orderId), false);
    await lookAtAll();
    assert.equal(matching().length, MANY);
  });
});
