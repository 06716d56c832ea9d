import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { buyOrder, channel, openRichAccount } from '../../../test/support/advertiser.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { systemClock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import { createOrderBook, type OrderBook } from './order-book.ts';

const NOTHING_KNOWN = [] as const;
/** More orders than one refresh reads. */
const MANY = 120;
const UNKNOWN = 999_999;

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

/** Writes to the database without a notification to the order book. */
function write(sql: string, orderId: number | undefined): Promise<unknown[]> {
  return database.db.query(sql, [orderId]);
}

const matching = (): number[] => book.match(NOTHING_KNOWN, 1_000, () => true).map(({ id }) => id);

/** Refreshes every order once and returns the number of calls. */
async function lookAtAll(): Promise<number> {
  for (let calls = 1; calls <= 10; calls++) if ((await book.refresh()) === 1) return calls;
  return assert.fail('the round does not end');
}

describe('refresh', () => {
  test('reads all orders, some at a time, and then starts again', async () => {
    assert.equal(await book.refresh(), 100 / MANY, 'the share of the book that it was');
    assert.equal(await book.refresh(), 1);
    assert.equal(await lookAtAll(), 2);
    assert.equal(matching().length, MANY);
  });

  for (const place of ['first', 'last'] as const) {
    const orderId = (): number | undefined => (place === 'first' ? orderIds[0] : orderIds.at(-1));

    test(`detects that the ${place} order is full, and that it has a slot again`, async () => {
      await write('UPDATE order_progress SET reserved_count = 5 WHERE order_id = $1', orderId());
      await lookAtAll();
      assert.deepEqual([matching().length, matching().includes(orderId() ?? 0)], [MANY - 1, false]);
      await write('UPDATE order_progress SET reserved_count = 4 WHERE order_id = $1', orderId());
      await lookAtAll();
      assert.equal(matching().length, MANY);
    });

    test(`detects a change of the ${place} order that was not published`, async () => {
      await write("UPDATE orders SET title = 'Another channel' WHERE id = $1", orderId());
      await lookAtAll();
      assert.equal(book.recall([orderId() ?? 0])?.get(orderId() ?? 0)?.title, 'Another channel');
    });

    test(`detects that the ${place} order is no longer active, and that it is active again`, async () => {
      await write("UPDATE orders SET status = 'paused', pause_reason = 'owner' WHERE id = $1", orderId());
      await lookAtAll();
      assert.equal(matching().includes(orderId() ?? 0), false);
      assert.equal([...book.active()].length, MANY - 1);
      await write("UPDATE orders SET status = 'active', pause_reason = NULL WHERE id = $1", orderId());
      await lookAtAll();
      assert.equal(matching().length, MANY);
    });

    test(`ranks by current earnings: the ${place} order moves to the top`, async () => {
      await write('UPDATE order_progress SET shown_total = 100, confirmed_total = 100 WHERE order_id = $1', orderId());
      await lookAtAll();
      assert.equal(matching()[0], orderId());
    });
  }

  test('proposes an order again that was marked as full and has slots', async () => {
    const [orderId = 0] = orderIds;
    book.markFull(orderId);
    assert.equal(matching().includes(orderId), false);
    await lookAtAll();
    assert.equal(matching().length, MANY);
  });
});

const only = async (sql: string, orderId: number) => {
  await write(sql, orderId);
  await book.reload([orderId]);
  return [...book.active()].find(({ id }) => id === orderId);
};

describe('a confirm between the reads of counters and money does not hide the last slot', () => {
  const [reserved, confirmed] = [
    { reserved: 1, slotsPaid: 2 },
    { reserved: 0, slotsPaid: 1 },
  ];
  let isArmed = false;
  /** Confirms after the next read of the order's counters or money. */
  const interrupted = (): Database => ({
    ...database.db,
    async query(sql, params) {
      const rows = await database.db.query(sql, params);
      if (isArmed && /order_progress|ledger_accounts/.test(sql)) {
        isArmed = false;
        await setState(confirmed);
      }
      return rows as never;
    },
  });
  const setState = async (state: { reserved: number; slotsPaid: number }): Promise<void> => {
    await write(
      `UPDATE order_progress SET reserved_count = ${state.reserved}, reserved_kopecks = ${state.reserved} * o.charge_kopecks
       FROM orders o WHERE o.id = $1 AND order_id = o.id`,
      orderIds[0],
    );
    await write(
      `UPDATE ledger_accounts SET balance_kopecks = ${state.slotsPaid} * o.charge_kopecks
       FROM orders o WHERE o.id = $1 AND kind = 'escrow' AND owner_id = o.id`,
      orderIds[0],
    );
  };
  beforeEach(async () => {
    await setState(reserved);
    book = createOrderBook(interrupted(), systemClock);
    await book.reloadAll();
    isArmed = true;
  });
  after(() => setState({ reserved: 0, slotsPaid: 5 }));

  for (const [name, read] of [
    ['reload', () => book.reload([orderIds[0] ?? 0])],
    ['refresh', () => book.refresh()],
  ] as const) {
    test(name, async () => {
      await read();
      assert.equal(isArmed, false, 'the confirm came in between');
      assert.ok(matching().includes(orderIds[0] ?? 0));
    });
  }
});

describe('entries of the order book', () => {
  test('an order without slots, money or time has the reason why it is not shown', async () => {
    const [orderId = 0] = orderIds;
    const availability = async (sql: string): Promise<string | undefined> => (await only(sql, orderId))?.availability;
    assert.equal(await availability('UPDATE orders SET daily_limit = 4 WHERE id = $1'), 'open');
    const reserve = (count: number): string =>
      `UPDATE order_progress SET reserved_count = ${count} WHERE order_id = $1`;
    assert.equal(await availability(reserve(4)), 'paced', 'all of this day is promised');
    assert.equal(await availability(reserve(5)), 'out_of_budget');
    assert.equal(matching().includes(orderId), false);
    assert.equal(await availability(reserve(3)), 'open');
    assert.equal(matching().includes(orderId), true);
    const anotherHour = (new Date().getUTCHours() + 12) % 24;
    assert.equal(await availability(`UPDATE orders SET active_hours = '{${anotherHour}}' WHERE id = $1`), 'paced');
    assert.equal(await availability('UPDATE orders SET active_hours = NULL, daily_limit = NULL WHERE id = $1'), 'open');
  });

  test('the approval rate is known from five replies on', async () => {
    const [orderId = 0] = orderIds;
    const answers = async (approved: number, declined: number): Promise<number | undefined> => {
      const sql = `UPDATE order_progress SET approved_total = ${approved}, declined_total = ${declined} WHERE order_id = $1`;
      const entry = await only(sql, orderId);
      assert.equal(book.approvalPercent(orderId), entry?.approvalPercent);
      return entry?.approvalPercent;
    };
    assert.deepEqual([await answers(1, 3), await answers(1, 4), await answers(5, 0)], [undefined, 20, 100]);
    assert.equal(await answers(0, 0), undefined);
    assert.equal(book.approvalPercent(UNKNOWN), undefined);
  });

  test('orders are cached by id, active or not, and unknown ids are missing', async () => {
    const [orderId = 0, other = 0] = orderIds;
    await only("UPDATE orders SET status = 'paused', pause_reason = 'owner' WHERE id = $1", orderId);
    assert.equal(book.recall([orderId, other])?.get(orderId)?.status, 'paused');
    assert.equal(book.recall([orderId, UNKNOWN]), undefined);
    assert.deepEqual([...(await book.lookup([orderId, UNKNOWN])).keys()], [orderId]);
    assert.equal(book.recall([UNKNOWN]), undefined);
    assert.equal([...book.active()].length, MANY - 1);
  });

  test('a looked-up order is cached, unless an order changed during the query', async () => {
    const [orderId = 0] = orderIds;
    let reads = 0;
    let meanwhile = async (): Promise<unknown> => undefined;
    const query = async <Row extends object>(sql: string, params?: readonly unknown[]): Promise<Row[]> => {
      reads += 1;
      const rows = await database.db.query<Row>(sql, params);
      await meanwhile();
      return rows;
    };
    const empty = createOrderBook({ query }, systemClock);
    const look = async (): Promise<number> => {
      reads = 0;
      assert.equal((await empty.lookup([orderId])).get(orderId)?.id, orderId);
      return reads;
    };
    meanwhile = async () => {
      meanwhile = async () => undefined;
      await empty.reload([UNKNOWN]);
    };
    await look();
    assert.equal(empty.recall([orderId]), undefined, 'used once and not kept');
    assert.deepEqual([await look(), await look()], [1, 0]);
  });

  test('an order looks the same until its link, title or resource changes', async () => {
    const [orderId = 0] = orderIds;
    const order = book.recall([orderId])?.get(orderId);
    assert.ok(order);
    assert.equal(book.looksTheSame(order), true);
    await book.reload([orderId]);
    assert.equal(book.looksTheSame(order), true, 'read again, with the same content');
    assert.equal(book.looksTheSame({ ...order }), true);
    for (const other of [
      { title: 'Another' },
      { link: 'https://t.me/another' },
      { id: UNKNOWN },
      { resource: { ...order.resource, id: UNKNOWN } },
      { resource: { ...order.resource, type: 'bot' as const } },
    ]) {
      assert.equal(book.looksTheSame({ ...order, ...other }), false, JSON.stringify(other));
    }
  });

  test('match returns only wanted orders, up to the limit', () => {
    const [, second = 0] = orderIds;
    const wanted = book.match(NOTHING_KNOWN, 1_000, ({ id }) => id === second);
    assert.deepEqual(
      wanted.map(({ id }) => id),
      [second],
    );
    assert.equal(book.match(NOTHING_KNOWN, 3, () => true).length, 3);
  });

  test('after many changes the index is rebuilt and finds the same orders', async () => {
    for (let round = 0; round < 3; round++) {
      await database.db.query('UPDATE order_progress SET reserved_count = 5');
      await book.reload(orderIds);
      assert.deepEqual(matching(), []);
      await database.db.query('UPDATE order_progress SET reserved_count = 0');
      await book.reload(orderIds);
      assert.equal(matching().length, MANY);
    }
  });
});
