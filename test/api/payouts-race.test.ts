import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/core/clock.ts';
import { createPayouts, type Payouts } from '../../src/modules/payouts/index.ts';
import { channel, orderIn } from '../support/advertiser.ts';
import { assertBooks, kopecksIn, query } from '../support/books.ts';
import { crowd, range } from '../support/crowd.ts';
import { useService } from './use-service.ts';

const service = useService();
const REWARD = 700; // of a price of 10 rubles

const recordEvents = async (): Promise<void> => undefined;
const openPayouts = (): Payouts =>
  createPayouts({
    db: service.database.db,
    clock: systemClock,
    recordEvents,
    minimumKopecks: 1n,
    cryptoPay: undefined,
  });

function buy(accountId: number, chatId: number) {
  const wish = { accountId, resource: channel(chatId), priceKopecks: 100n, quantity: 20 };
  return service.database.db.transaction((tx) => orderIn(tx, wish));
}

test('payouts, orders and reversals that fall on one balance at once never spend more than it holds', async () => {
  const { sandbox, database } = service;
  const publisher = await sandbox.publisher({ max_sponsors: 1 });
  const { accountId } = publisher;
  const users = crowd(20);
  const order = await sandbox.advertise({ price_per_sub: 10, quantity: users.length, hold_hours: 0 });
  await Promise.all(users.map((user) => sandbox.subscribe(publisher.token, order, user)));
  const earned = users.length * REWARD;
  assert.equal(await kopecksIn(database.url, 'available', accountId), earned);

  const leavers = users.slice(0, 6);
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
    Promise.all(leavers.map((user) => sandbox.leave(order.chatId, user))),
  ]);

  const paidOut = requests.filter((outcome) => outcome.kind === 'requested').length * 1_500;
  const bought = orders.filter((outcome) => outcome.kind === 'created').length * 2_000;
  const [reversed] = await query<{ count: number }>(
    database.url,
    "SELECT count(*)::int AS count FROM offers WHERE order_id = $1 AND state = 'reversed'",
    [order.orderId],
  );
  assert.equal(reversed?.count, leavers.length);
  assert.ok(paidOut + bought <= earned, `${paidOut} and ${bought} were spent of ${earned}`);
  assert.ok(paidOut + bought > earned - leavers.length * REWARD - 1_500, 'somebody was refused without need');
  assert.equal(
    await kopecksIn(database.url, 'available', accountId),
    earned - leavers.length * REWARD - paidOut - bought,
  );
  await assertBooks(database.url);
});

test('a debt that a reversal left is paid by what comes in next, before anything can be withdrawn', async () => {
  const { sandbox, database } = service;
  const publisher = await sandbox.publisher({ max_sponsors: 1 });
  const { accountId } = publisher;
  const [leaver = 0, ...stayers] = crowd(3);
  const order = await sandbox.advertise({ price_per_sub: 10, quantity: 3, hold_hours: 0 });
  await sandbox.subscribe(publisher.token, order, leaver);
  const payouts = openPayouts();
  const ask = (key: string, amountKopecks: bigint) =>
    payouts.request({ accountId, key, amountKopecks, method: 'manual', destination: 'a card' });
  assert.equal((await ask('all', 700n)).kind, 'requested');
  await sandbox.leave(order.chatId, leaver);
  assert.equal(await kopecksIn(database.url, 'available', accountId), -700);
  assert.equal((await ask('more', 1n)).kind, 'insufficient_funds');
  for (const user of stayers) await sandbox.subscribe(publisher.token, order, user);
  assert.equal((await ask('too much', 701n)).kind, 'insufficient_funds');
  assert.equal((await ask('the rest', 700n)).kind, 'requested');
  await assertBooks(database.url);
});
