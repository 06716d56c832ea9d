import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/core/clock.ts';
import { changeOrderStatus, resumeStoppedOrder, stopOrder } from '../../src/modules/orders/index.ts';
import { reverseSelected, summarizeSelection } from '../../src/modules/tasks/index.ts';
import { channel, orderIn } from '../support/advertiser.ts';
import { assertBooks, indebt, kopecksIn, query } from '../support/books.ts';
import { bindPayouts, type Payouts } from '../support/money-use-cases.ts';
import { sandboxTime } from '../support/platform-ledger.ts';
import { freshUser } from '../support/sandbox.ts';
import { newUsers, range } from '../support/users.ts';
import { useService } from './use-service.ts';

const service = useService({});
const REWARD = 700; // for a price of 10 rubles

const openPayouts = (): Payouts =>
  bindPayouts({
    db: service.database.db,
    clock: systemClock,
    minimumKopecks: 1n,
    cryptoPay: undefined,
  });

function buy(accountId: number, chatId: number) {
  const requested = { accountId, resource: channel(chatId), priceKopecks: 100n, quantity: 20 };
  return service.database.db.transaction((tx) => orderIn(tx, requested));
}

test('payouts and orders use only settled money while users of unsettled rewards leave', async () => {
  const { sandbox, database } = service;
  const publisher = await sandbox.publisher({ max_sponsors: 1 });
  const { accountId } = publisher;
  const [settled, unsettled] = [newUsers(14), newUsers(14)];
  const order = await sandbox.advertise({ price_per_sub: 10, quantity: 28, hold_hours: 0 });
  await Promise.all(settled.map((user) => sandbox.subscribe(publisher.token, order, user)));
  await sandbox.advance(24 * 3600);
  await Promise.all(unsettled.map((user) => sandbox.subscribe(publisher.token, order, user)));
  const earned = settled.length * REWARD;
  assert.equal(await kopecksIn(database.url, 'available', accountId), 2 * earned);

  const payouts = openPayouts();
  const [requests, orders] = await Promise.all([
    Promise.all(
      range(12).map((n) =>
        payouts.request({
          accountId,
          key: `race ${n}`,
          amountKopecks: 1_500n,
          method: 'manual',
          destination: 'a card',
        }),
      ),
    ),
    Promise.all(range(6).map((n) => buy(accountId, -2_000_000 - n))),
    Promise.all(unsettled.map((user) => sandbox.leave(order.chatId, user))),
  ]);

  const paidOut = requests.filter((outcome) => outcome.kind === 'requested').length * 1_500;
  const bought = orders.filter((outcome) => outcome.kind === 'created').length * 2_000;
  const [reversed] = await query<{ count: number }>(
    database.url,
    "SELECT count(*)::int AS count FROM tasks WHERE order_id = $1 AND state = 'reversed'",
    [order.orderId],
  );
  assert.equal(reversed?.count, unsettled.length);
  assert.ok(paidOut + bought <= earned, `${paidOut} and ${bought} were spent of ${earned} that were settled`);
  assert.ok(paidOut + bought > earned - 1_500, 'a request was refused without need');
  assert.equal(await kopecksIn(database.url, 'available', accountId), earned - paidOut - bought);
  await assertBooks(database.url);
});

for (const hours of [0, 1, 24]) {
  test(`a reward with a hold of ${hours} hours can be withdrawn only after its window of 24 hours`, async () => {
    const { sandbox } = service;
    const publisher = await sandbox.publisher({ max_sponsors: 1 });
    const order = await sandbox.advertise({ price_per_sub: 10, quantity: 1, hold_hours: hours });
    await sandbox.subscribe(publisher.token, order, freshUser());
    const payouts = openPayouts();
    const ask = (key: string) =>
      payouts.request({
        accountId: publisher.accountId,
        key,
        amountKopecks: 700n,
        method: 'manual',
        destination: 'a card',
      });
    await sandbox.advance(24 * 3600 - 60);
    const early = await sandbox.balance(publisher.token);
    assert.equal(early.balance, hours < 24 ? 7 : 0);
    assert.equal(early.withdrawable, 0);
    assert.deepEqual(await ask('early'), { kind: 'insufficient_funds', withdrawableKopecks: 0n });
    await sandbox.advance(120);
    assert.equal((await sandbox.balance(publisher.token)).withdrawable, 7);
    assert.equal((await ask('in time')).kind, 'requested');
  });
}

test('the next settled rewards pay a debt before any money can be withdrawn', async () => {
  const { sandbox, database } = service;
  const publisher = await sandbox.publisher({ max_sponsors: 1 });
  const { accountId } = publisher;
  const order = await sandbox.advertise({ price_per_sub: 10, quantity: 2, hold_hours: 0 });
  await indebt(database.db, accountId, 700n);
  const payouts = openPayouts();
  const ask = (key: string, amountKopecks: bigint) =>
    payouts.request({ accountId, key, amountKopecks, method: 'manual', destination: 'a card' });
  assert.deepEqual(await ask('nothing', 1n), { kind: 'insufficient_funds', withdrawableKopecks: 0n });
  for (const user of newUsers(2)) await sandbox.subscribe(publisher.token, order, user);
  assert.equal(await kopecksIn(database.url, 'available', accountId), 700);
  assert.deepEqual(await ask('unsettled', 1n), { kind: 'insufficient_funds', withdrawableKopecks: 0n });
  await sandbox.advance(24 * 3600);
  assert.deepEqual(await ask('too much', 701n), { kind: 'insufficient_funds', withdrawableKopecks: 700n });
  assert.equal((await ask('the rest', 700n)).kind, 'requested');
  await assertBooks(database.url);
});

test('a reversal by an operator after a payout leaves a debt once, and later rewards pay it first', async () => {
  const { sandbox, database } = service;
  const { db } = database;
  const publisher = await sandbox.publisher({ max_sponsors: 1 });
  const { accountId, botId } = publisher;
  const order = await sandbox.advertise({ price_per_sub: 10, quantity: 5, hold_hours: 0 });
  const [first = 0, second = 0, third = 0, fourth = 0] = newUsers(4);
  for (const user of [first, second]) await sandbox.subscribe(publisher.token, order, user);
  await sandbox.advance(24 * 3600);
  await sandbox.subscribe(publisher.token, order, third);
  const payouts = openPayouts();
  const ask = (key: string, amountKopecks: bigint) =>
    payouts.request({ accountId, key, amountKopecks, method: 'manual', destination: 'a card' });
  assert.equal((await ask('all', 1_400n)).kind, 'requested');

  const now = await sandboxTime(sandbox);
  const selection = { botId, orderId: null, from: new Date(0), until: now };
  assert.deepEqual(await summarizeSelection(db, selection), {
    count: 3,
    rewardKopecks: 2_100n,
    settledKopecks: 1_400n,
    returnedKopecks: 3_000n,
    publishers: 1,
  });
  assert.equal((await summarizeSelection(db, { ...selection, orderId: order.orderId })).count, 3);
  assert.equal((await summarizeSelection(db, { ...selection, orderId: order.orderId + 1 })).count, 0);
  const reverse = (key: string) =>
    db.transaction((tx) => reverseSelected(tx, { selection, reason: 'bots', operatorId: 7, key, at: now }));
  const outcomes = await Promise.all(range(4).map(() => reverse('one press')));
  assert.deepEqual(outcomes.map(({ kind }) => kind).sort(), [...range(3).map(() => 'already_done'), 'reversed']);
  assert.equal(await kopecksIn(database.url, 'available', accountId), -1_400);
  assert.equal(await kopecksIn(database.url, 'escrow', order.orderId), 5_000, 'charge and slot are back');
  assert.deepEqual(await reverse('another press'), { kind: 'nothing' });

  await sandbox.subscribe(publisher.token, order, fourth);
  await sandbox.advance(24 * 3600);
  assert.equal(await kopecksIn(database.url, 'available', accountId), -700);
  assert.deepEqual(await ask('too early', 1n), { kind: 'insufficient_funds', withdrawableKopecks: 0n });
  await assertBooks(database.url);
});

test('only an operator can resume an order that an operator stopped, and its old status returns', async () => {
  const { sandbox, database } = service;
  const { db } = database;
  const now = await sandboxTime(sandbox);
  const order = await sandbox.advertise({ quantity: 5 });
  const stop = () => db.transaction((tx) => stopOrder(tx, { orderId: order.orderId, reason: 'odd', at: now }));
  const resume = () => db.transaction((tx) => resumeStoppedOrder(tx, { orderId: order.orderId, at: now }));
  const change = (to: 'active' | 'paused') =>
    db.transaction((tx) => changeOrderStatus(tx, { orderId: order.orderId, to, at: now }));
  const statusOf = async () => (await sandbox.order(order.orderId)).status;
  const outcomes = await Promise.all(range(3).map(stop));
  assert.deepEqual(outcomes.map(({ kind }) => kind).sort(), ['done', 'unchanged', 'unchanged']);
  assert.equal(await statusOf(), 'paused');
  assert.deepEqual(await change('active'), { kind: 'stopped' });
  assert.equal(await statusOf(), 'paused');
  assert.deepEqual(await resume(), { kind: 'done' });
  assert.equal(await statusOf(), 'active');
  assert.deepEqual(await resume(), { kind: 'unchanged' });

  await change('paused');
  await stop();
  assert.deepEqual(await resume(), { kind: 'done' });
  assert.equal(await statusOf(), 'paused', 'its owner had paused it');
  assert.equal((await change('active')).kind, 'changed');
  assert.deepEqual(await db.transaction((tx) => stopOrder(tx, { orderId: 999_999, reason: 'x', at: now })), {
    kind: 'not_found',
  });
});
