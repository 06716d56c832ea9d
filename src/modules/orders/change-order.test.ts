import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { buyOrder, channel, openRichAccount, orderIn } from '../../../test/support/advertiser.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { freshUser } from '../../../test/support/sandbox.ts';
import type { Transaction } from '../../core/database.ts';
import { ApiError } from '../../core/errors.ts';
import { available, escrow, readBalances } from '../ledger/index.ts';
import {
  changeFilters,
  changeOrderStatus,
  changeTimetable,
  closeFinishedOrders,
  excludeSource,
  excludeSources,
  topUpOrder,
} from './change-order.ts';
import { findOwnOrder } from './find-own-order.ts';
import { listModeration, moderateOrder } from './moderate-order.ts';
import { findRejectReason } from './moderation-store.ts';
import type { Order } from './order.ts';
import { pauseForLostAccess, pauseOrdersOf } from './pause-orders.ts';
import { changeProgress, type ProgressChange, readProgress } from './progress-store.ts';
import { findOrders, listOrdersPage } from './store.ts';

const AT = new Date('2026-05-10T12:00:00Z');
const TODAY = '2026-05-10';
const UNKNOWN = 999_999;

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());

/** Opens an account with 1,000 ₽ and buys ten subscriptions at 10 ₽, so 900 ₽ are left. */
async function owner(fields: Partial<Parameters<typeof buyOrder>[1]> = {}) {
  const accountId = await openRichAccount(database.db, 100_000n);
  const orderId = await buyOrder(database.db, { resource: channel(-freshUser()), accountId, ...fields });
  return { accountId, orderId };
}

async function read(orderId: number): Promise<Order> {
  const [order] = await findOrders(database.db, [orderId]);
  assert.ok(order);
  return order;
}

const closedAt = async (orderId: number): Promise<Date | null | undefined> =>
  (await database.db.query<{ closed_at: Date | null }>('SELECT closed_at FROM orders WHERE id = $1', [orderId]))[0]
    ?.closed_at;

async function money({ accountId, orderId }: { accountId: number; orderId: number }): Promise<[bigint, bigint]> {
  const accounts = [available(accountId), escrow(orderId)] as const;
  const balanceOf = await readBalances(database.db, accounts);
  return [balanceOf(accounts[0]), balanceOf(accounts[1])];
}

/** Runs a change and returns its outcome with the published changes. */
async function run<T>(work: (tx: Transaction) => Promise<T>): Promise<{ outcome: T; announced: string[] }> {
  const announced: string[] = [];
  const outcome = await database.db.transaction((tx) =>
    work({
      query: (sql, params) => tx.query(sql, params),
      savepoint: (inner) => tx.savepoint(inner),
      notify: async (_, payload) => void announced.push(payload),
    }),
  );
  return { outcome, announced };
}

const progress = (changes: readonly ProgressChange[], day = TODAY): Promise<unknown> =>
  run((tx) => changeProgress(tx, changes, day));

test('a pause stores its reason, a resume clears it, and neither moves money', async () => {
  const mine = await owner();
  const { orderId } = mine;
  const paused = await run((tx) => changeOrderStatus(tx, { orderId, to: 'paused', at: AT }));
  assert.deepEqual(paused, { outcome: { kind: 'changed', from: 'active' }, announced: [`order:${orderId}`] });
  assert.deepEqual([(await read(orderId)).status, (await read(orderId)).pauseReason], ['paused', 'owner']);
  assert.equal(await closedAt(orderId), null);

  const again = await run((tx) => changeOrderStatus(tx, { orderId, to: 'paused', at: AT }));
  assert.deepEqual(again, { outcome: { kind: 'unchanged' }, announced: [] });
  await run((tx) => changeOrderStatus(tx, { orderId, to: 'active', at: AT }));
  assert.deepEqual([(await read(orderId)).status, (await read(orderId)).pauseReason], ['active', null]);
  await run((tx) => changeOrderStatus(tx, { orderId, to: 'paused', pauseReason: 'access_lost', at: AT }));
  assert.equal((await read(orderId)).pauseReason, 'access_lost');
  assert.deepEqual(await money(mine), [90_000n, 10_000n]);
});

test('a cancelled order refunds its unreserved money and cannot be reactivated', async () => {
  const mine = await owner();
  const { orderId } = mine;
  await progress([{ orderId, reserved: 2, reservedKopecks: 2_000n }]);
  await run((tx) => changeOrderStatus(tx, { orderId, to: 'cancelled', at: AT }));
  assert.deepEqual(await money(mine), [98_000n, 2_000n]);
  assert.deepEqual(await closedAt(orderId), AT);

  const revived = await run((tx) => changeOrderStatus(tx, { orderId, to: 'active', at: AT }));
  assert.deepEqual(revived.outcome, { kind: 'not_allowed', status: 'cancelled' });
  // When one task expires, its money is refunded too, with its own key.
  await progress([{ orderId, reserved: -1, reservedKopecks: -1_000n }]);
  await run((tx) => closeFinishedOrders(tx, [orderId], AT));
  assert.deepEqual(await money(mine), [99_000n, 1_000n]);
  await run((tx) => closeFinishedOrders(tx, [orderId], AT));
  assert.deepEqual(await money(mine), [99_000n, 1_000n]);
});

test('every change of an unknown order returns not_found', async () => {
  const orderId = UNKNOWN;
  const changes: readonly ((tx: Transaction) => Promise<object>)[] = [
    (tx) => changeOrderStatus(tx, { orderId, to: 'paused', at: AT }),
    (tx) => topUpOrder(tx, { orderId, quantity: 1, key: 'k', at: AT }),
    (tx) => changeFilters(tx, { orderId, filters: {} }),
    (tx) => excludeSources(tx, { orderId, botIds: [1] }),
    (tx) => excludeSource(tx, { orderId, botId: 1, isExcluded: true }),
    (tx) => changeTimetable(tx, { orderId, change: {} }),
    (tx) => moderateOrder(tx, { orderId, moderation: { kind: 'approve' }, at: AT }),
  ];
  for (const change of changes) assert.deepEqual(await run(change), { outcome: { kind: 'not_found' }, announced: [] });
});

test('a top-up buys once per key, up to the last kopeck of the balance', async () => {
  const mine = await owner();
  const { orderId } = mine;
  const topUp = (quantity: number, key: string) => run((tx) => topUpOrder(tx, { orderId, quantity, key, at: AT }));
  assert.deepEqual((await topUp(91, 'a')).outcome, {
    kind: 'insufficient_funds',
    neededKopecks: 91_000n,
    availableKopecks: 90_000n,
  });
  assert.deepEqual(await topUp(40, 'b'), {
    outcome: { kind: 'topped_up', paidKopecks: 40_000n },
    announced: [`order:${orderId}`],
  });
  await topUp(40, 'b');
  assert.equal((await read(orderId)).quantity, 50);
  assert.deepEqual(await money(mine), [50_000n, 50_000n]);
  assert.equal((await topUp(50, 'c')).outcome.kind, 'topped_up');
  assert.deepEqual(await money(mine), [0n, 100_000n]);
});

test('new filters change the charge of an order, not its reward', async () => {
  const { orderId } = await owner();
  const other = await owner();
  const { outcome, announced } = await run((tx) => changeFilters(tx, { orderId, filters: { countries: ['RU'] } }));
  assert.deepEqual([outcome, announced], [{ kind: 'changed', from: 'active' }, [`order:${orderId}`]]);
  const { chargeKopecks, rewardKopecks, filters } = await read(orderId);
  assert.deepEqual([chargeKopecks, rewardKopecks, filters], [1_200n, 700n, { countries: ['RU'] }]);
  assert.deepEqual((await read(other.orderId)).filters, {});
});

test('a closed order rejects top-ups, new filters and a new timetable', async () => {
  const { orderId } = await owner();
  await run((tx) => changeOrderStatus(tx, { orderId, to: 'cancelled', at: AT }));
  const refused = { outcome: { kind: 'not_allowed', status: 'cancelled' }, announced: [] };
  assert.deepEqual(await run((tx) => topUpOrder(tx, { orderId, quantity: 1, key: 'k', at: AT })), refused);
  assert.deepEqual(await run((tx) => changeFilters(tx, { orderId, filters: {} })), refused);
  assert.deepEqual(await run((tx) => changeTimetable(tx, { orderId, change: { dailyLimit: 1 } })), refused);
});

test('sources are excluded and allowed one by one, or all at once', async () => {
  const { orderId } = await owner();
  const other = await owner();
  const excluded = async (id = orderId): Promise<number[]> =>
    [...(await read(id)).excludedBotIds].sort((a, b) => a - b);
  const announced = [`order:${orderId}`];
  assert.deepEqual((await run((tx) => excludeSources(tx, { orderId, botIds: [3, 4] }))).announced, announced);
  await run((tx) => excludeSource(tx, { orderId, botId: 5, isExcluded: true }));
  await run((tx) => excludeSource(tx, { orderId, botId: 5, isExcluded: true }));
  assert.deepEqual(await excluded(), [3, 4, 5]);
  const allowed = await run((tx) => excludeSource(tx, { orderId, botId: 4, isExcluded: false }));
  assert.deepEqual(allowed, { outcome: { kind: 'changed', from: 'active' }, announced });
  assert.deepEqual(await excluded(), [3, 5]);
  assert.deepEqual(await excluded(other.orderId), []);
});

test('a timetable change keeps the fields it does not name, and pacing needs a daily limit', async () => {
  const { orderId } = await owner();
  const timetable = async (change: Parameters<typeof changeTimetable>[1]['change']): Promise<unknown> => {
    const { announced } = await run((tx) => changeTimetable(tx, { orderId, change }));
    assert.deepEqual(announced, [`order:${orderId}`]);
    const { dailyLimit, activeHours, paceEvenly } = await read(orderId);
    return { dailyLimit, activeHours, paceEvenly };
  };
  const limited = { dailyLimit: 4, activeHours: null, paceEvenly: true };
  assert.deepEqual(await timetable({ dailyLimit: 4, paceEvenly: true }), limited);
  assert.deepEqual(await timetable({ activeHours: [9, 10] }), { ...limited, activeHours: [9, 10] });
  assert.deepEqual(await timetable({ dailyLimit: null }), {
    dailyLimit: null,
    activeHours: [9, 10],
    paceEvenly: false,
  });
});

test('lost access pauses the active orders of that resource only', async () => {
  const mine = await owner();
  const { resource } = await read(mine.orderId);
  const sameChat = { accountId: mine.accountId, resource: channel(resource.chatId), quantity: 1 };
  const second = await buyOrder(database.db, sameChat);
  const waiting = await buyOrder(database.db, { ...sameChat, status: 'moderation' });
  const other = await owner();
  const { outcome, announced } = await run((tx) => pauseForLostAccess(tx, resource.id));
  assert.deepEqual(
    outcome.map(({ id }) => id).sort((a, b) => a - b),
    [mine.orderId, second],
  );
  assert.deepEqual(announced.sort(), [`order:${mine.orderId}`, `order:${second}`].sort());
  assert.deepEqual([(await read(second)).status, (await read(second)).pauseReason], ['paused', 'access_lost']);
  assert.equal((await read(waiting)).status, 'moderation');
  assert.equal((await read(other.orderId)).status, 'active');
});

test('pausing an account pauses all its active orders and no others', async () => {
  const mine = await owner();
  const fields = { accountId: mine.accountId, resource: channel(-freshUser()), quantity: 1 };
  const waiting = await buyOrder(database.db, { ...fields, status: 'moderation' });
  const second = await buyOrder(database.db, fields);
  const other = await owner();
  const { outcome, announced } = await run((tx) => pauseOrdersOf(tx, mine.accountId));
  assert.deepEqual(outcome, [mine.orderId, second]);
  assert.deepEqual(announced, [`order:${mine.orderId}`, `order:${second}`]);
  assert.deepEqual([(await read(second)).status, (await read(second)).pauseReason], ['paused', 'owner']);
  assert.deepEqual([(await read(waiting)).status, (await read(other.orderId)).status], ['moderation', 'active']);
});

const FINISHED = { counted: 10, confirmed: 10 };
for (const [what, change, isFinished] of [
  ['all is delivered and settled', FINISHED, true],
  ['one is missing', { ...FINISHED, counted: 9 }, false],
  ['one can still be taken back', { ...FINISHED, unsettled: 1 }, false],
  ['one is still shown', { ...FINISHED, reserved: 1 }, false],
] as const) {
  test(`an order is ${isFinished ? '' : 'not '}completed when ${what}`, async () => {
    const { orderId, accountId } = await owner();
    const other = await owner();
    await progress([
      { orderId, ...change, reversed: 0, spentKopecks: 10_000n },
      { orderId: other.orderId, ...FINISHED },
    ]);
    const { outcome, announced } = await run((tx) => closeFinishedOrders(tx, [orderId], AT));
    assert.equal((await read(orderId)).status, isFinished ? 'completed' : 'active');
    assert.deepEqual(announced, isFinished ? [`order:${orderId}`] : []);
    const event = {
      accountId,
      type: 'order.completed',
      data: {
        order_id: orderId,
        name: 'An order',
        status: 'completed',
        subscribers: 10,
        spent: 100,
        completed_at: '2026-05-10T12:00:00.000+00:00',
      },
    };
    assert.deepEqual(outcome, isFinished ? [event] : []);
    assert.deepEqual(await closedAt(orderId), isFinished ? AT : null);
    assert.equal((await read(other.orderId)).status, 'active', 'it was not asked about');
    assert.deepEqual((await run((tx) => closeFinishedOrders(tx, [], AT))).outcome, []);
  });
}

test('a paused order completes like an active one, and an order in moderation does not', async () => {
  for (const [status, after] of [
    ['paused', 'completed'],
    ['moderation', 'moderation'],
  ] as const) {
    const { orderId } = await owner({ status: status === 'moderation' ? status : 'active' });
    if (status === 'paused') await run((tx) => changeOrderStatus(tx, { orderId, to: status, at: AT }));
    await progress([{ orderId, ...FINISHED }]);
    await run((tx) => closeFinishedOrders(tx, [orderId], AT));
    assert.equal((await read(orderId)).status, after);
  }
});

test('the changes of several tasks add up per order, and the daily counter starts at zero each day', async () => {
  const { orderId } = await owner();
  const other = await owner();
  const one: ProgressChange = {
    orderId,
    reserved: 2,
    reservedKopecks: 20n,
    counted: 3,
    unsettled: 4,
    shown: 5,
    confirmed: 6,
    reversed: 1,
    approved: 2,
    declined: 1,
    spentKopecks: 70n,
  };
  await progress([one, { orderId: other.orderId, shown: 1 }, { ...one, reserved: -1 }]);
  await progress([{ orderId, confirmed: 1 }]);
  const mine = (await readProgress(database.db, [orderId])).get(orderId);
  assert.deepEqual(mine, {
    orderId,
    reservedCount: 1,
    reservedKopecks: 40n,
    countedCount: 6,
    unsettledCount: 8,
    shownTotal: 10,
    confirmedTotal: 13,
    reversedTotal: 2,
    approvedTotal: 4,
    declinedTotal: 2,
    spentKopecks: 140n,
    countedToday: 13,
    countedDay: TODAY,
  });
  await progress([{ orderId, confirmed: 2 }], '2026-05-11');
  const tomorrow = (await readProgress(database.db, [orderId])).get(orderId);
  assert.deepEqual([tomorrow?.countedToday, tomorrow?.countedDay, tomorrow?.confirmedTotal], [2, '2026-05-11', 15]);
  assert.equal((await readProgress(database.db, [other.orderId])).get(other.orderId)?.shownTotal, 1);
});

test('the order of another owner is not found', async () => {
  const mine = await owner();
  const other = await owner();
  assert.equal((await findOwnOrder(database.db, mine)).id, mine.orderId);
  const missing = (error: unknown): boolean => error instanceof ApiError && error.code === 'order_not_found';
  await assert.rejects(findOwnOrder(database.db, { ...mine, accountId: other.accountId }), missing);
  await assert.rejects(findOwnOrder(database.db, { ...mine, orderId: UNKNOWN }), missing);
});

test('the orders of an account are listed newest first, page by page', async () => {
  const { accountId, orderId } = await owner();
  await owner();
  const fields = { accountId, resource: channel(-freshUser()), quantity: 1 };
  const ids = [orderId, await buyOrder(database.db, fields), await buyOrder(database.db, fields)];
  const page = async (where: object): Promise<number[]> =>
    (await listOrdersPage(database.db, { accountId, limit: 2, ...where })).map(({ id }) => id);
  assert.deepEqual(await page({}), [ids[2], ids[1]]);
  assert.deepEqual(await page({ before: ids[1] }), [ids[0]]);
  assert.deepEqual(await page({ skip: 2 }), [ids[0]]);
});

const notices = (accountId: number): Promise<object[]> =>
  database.db.query('SELECT kind, data FROM notices WHERE account_id = $1', [accountId]);

test('an approved order becomes active, a rejected one is refunded, and the owner gets an event', async () => {
  const approved = await owner({ status: 'moderation' });
  const rejected = await owner({ status: 'moderation' });
  const listed = async (after: number): Promise<number[]> =>
    (await listModeration(database.db, { after, limit: 10 })).map(({ id }) => id);
  assert.deepEqual(await listed(approved.orderId - 1), [approved.orderId, rejected.orderId]);
  assert.deepEqual(await listed(approved.orderId), [rejected.orderId]);

  const moderate = (orderId: number, moderation: Parameters<typeof moderateOrder>[1]['moderation']) =>
    run((tx) => moderateOrder(tx, { orderId, moderation, at: AT }));
  assert.equal((await moderate(approved.orderId, { kind: 'approve' })).outcome.kind, 'done');
  assert.equal((await read(approved.orderId)).status, 'active');
  assert.deepEqual(await notices(approved.accountId), [
    { kind: 'order_approved', data: { order_id: approved.orderId, title: 'A channel' } },
  ]);
  assert.deepEqual((await moderate(approved.orderId, { kind: 'reject', reason: 'late' })).outcome, {
    kind: 'not_waiting',
    status: 'active',
  });
  assert.equal(await findRejectReason(database.db, approved.orderId), undefined);

  await moderate(rejected.orderId, { kind: 'reject', reason: 'spam' });
  assert.deepEqual(await money(rejected), [100_000n, 0n]);
  assert.equal(await findRejectReason(database.db, rejected.orderId), 'spam');
  assert.deepEqual(await notices(rejected.accountId), [
    { kind: 'order_rejected', data: { order_id: rejected.orderId, title: 'A channel', reason: 'spam' } },
  ]);
  assert.deepEqual(await listed(approved.orderId - 1), []);
});

test('an order of a banned owner can be rejected but not approved', async () => {
  const { orderId, accountId } = await owner({ status: 'moderation' });
  await database.db.query("UPDATE accounts SET banned_at = now(), ban_reason = 'a test' WHERE id = $1", [accountId]);
  const moderate = (moderation: Parameters<typeof moderateOrder>[1]['moderation']) =>
    run((tx) => moderateOrder(tx, { orderId, moderation, at: AT }));
  assert.deepEqual((await moderate({ kind: 'approve' })).outcome, { kind: 'owner_banned' });
  assert.equal((await read(orderId)).status, 'moderation');
  assert.equal((await moderate({ kind: 'reject', reason: 'banned' })).outcome.kind, 'done');
});

test('an order can use the last kopeck of the balance, and a banned account cannot buy', async () => {
  const accountId = await openRichAccount(database.db, 10_000n);
  const resource = channel(-freshUser());
  const buy = async (quantity: number): Promise<object> =>
    (await run((tx) => orderIn(tx, { accountId, resource, quantity }))).outcome;
  assert.deepEqual(await buy(11), {
    kind: 'insufficient_funds',
    neededKopecks: 11_000n,
    availableKopecks: 10_000n,
  });
  await database.db.query("UPDATE accounts SET banned_at = now(), ban_reason = 'a test' WHERE id = $1", [accountId]);
  assert.deepEqual(await buy(10), { kind: 'owner_banned' });
  await database.db.query('UPDATE accounts SET banned_at = NULL, ban_reason = NULL WHERE id = $1', [accountId]);
  const { orderId } = (await buy(10)) as { orderId: number };
  assert.deepEqual(await money({ accountId, orderId }), [0n, 10_000n]);
});
