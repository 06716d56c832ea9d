import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  reportAccountDays,
  reportAdvertiserDays,
  reportBotDays,
  reportOrderDays,
} from '../../src/modules/statistics/index.ts';
import { query } from '../support/books.ts';
import { sandboxTime } from '../support/platform-ledger.ts';
import { freshUser } from '../support/sandbox.ts';
import { DAY, dayBefore, HOUR, startDayAt, total } from './reports-setup.ts';
import { useService } from './use-service.ts';

// Without a worker no job changes data between two requests.
const service = useService({ ROLES: 'api,bot' });

const NO_REWARD = { counted: 0, reversed: 0, rewardKopecks: 0n, reversedRewardKopecks: 0n };
const NO_CHARGE = { counted: 0, reversed: 0, chargeKopecks: 0n, returnedChargeKopecks: 0n };

/** Creates subscriptions of three bots, two with the same owner, yesterday at 23:00. Two users leave today at 02:00. */
async function twoDays() {
  const { sandbox } = service;
  await startDayAt(sandbox, 23);
  const one = await sandbox.publisher();
  const other = await sandbox.publisher({ account_id: one.accountId, username: `second_of_${one.accountId}_bot` });
  const stranger = await sandbox.publisher();
  const advertiser = await sandbox.publisher({ deposit: 300 });
  const refunding = await sandbox.advertise({ account_id: advertiser.accountId, price_per_sub: 10 });
  const keeping = await sandbox.advertise({ account_id: advertiser.accountId, price_per_sub: 20, refund: false });
  const foreign = await sandbox.advertise({ price_per_sub: 1 });
  const [stays, goes, elsewhere, leavesBoth] = [freshUser(), freshUser(), freshUser(), freshUser()];
  await sandbox.subscribe(one.token, refunding, stays);
  await sandbox.subscribe(one.token, refunding, goes);
  await sandbox.subscribe(other.token, keeping, leavesBoth);
  await sandbox.subscribe(other.token, foreign, leavesBoth);
  await sandbox.subscribe(stranger.token, refunding, elsewhere);
  await sandbox.advance(3 * HOUR);
  await sandbox.leave(refunding.chatId, goes);
  await sandbox.leave(keeping.chatId, leavesBoth);
  return { one, other, stranger, advertiser, refunding, keeping, foreign, now: await sandboxTime(sandbox) };
}

test('the days of a bot are listed oldest first without gaps, with each fact on its own business day', async () => {
  const { one, now } = await twoDays();
  const days = await reportBotDays(service.database.db, { botId: one.botId, days: 7, now });
  assert.deepEqual(days, [
    ...[6, 5, 4, 3, 2].map((n) => ({ day: dayBefore(now, n), ...NO_REWARD })),
    { day: dayBefore(now, 1), ...NO_REWARD, counted: 2, rewardKopecks: 14_00n },
    { day: dayBefore(now, 0), ...NO_REWARD, reversed: 1, reversedRewardKopecks: 7_00n },
  ]);
});

test('the days of an account include all of its bots and no others', async () => {
  const { one, stranger, now } = await twoDays();
  const { db } = service.database;
  const own = await reportAccountDays(db, { accountId: one.accountId, days: 2, now });
  assert.deepEqual(own, [
    { day: dayBefore(now, 1), ...NO_REWARD, counted: 4, rewardKopecks: 28_70n },
    { day: dayBefore(now, 0), ...NO_REWARD, reversed: 2, reversedRewardKopecks: 21_00n },
  ]);
  const theirs = await reportAccountDays(db, { accountId: stranger.accountId, days: 2, now });
  assert.deepEqual(theirs, [
    { day: dayBefore(now, 1), ...NO_REWARD, counted: 1, rewardKopecks: 7_00n },
    { day: dayBefore(now, 0), ...NO_REWARD },
  ]);
});

test('the days of an order show charges and refunds of reversals, with and without refund', async () => {
  const { advertiser, refunding, keeping, now } = await twoDays();
  const { db } = service.database;
  const [yesterday, today] = [dayBefore(now, 1), dayBefore(now, 0)];
  assert.deepEqual(await reportOrderDays(db, { orderId: refunding.orderId, days: 2, now }), [
    { day: yesterday, ...NO_CHARGE, counted: 3, chargeKopecks: 30_00n },
    { day: today, ...NO_CHARGE, reversed: 1, returnedChargeKopecks: 10_00n },
  ]);
  assert.deepEqual(await reportOrderDays(db, { orderId: keeping.orderId, days: 2, now }), [
    { day: yesterday, ...NO_CHARGE, counted: 1, chargeKopecks: 20_00n },
    { day: today, ...NO_CHARGE, reversed: 1 },
  ]);
  assert.deepEqual(await reportAdvertiserDays(db, { accountId: advertiser.accountId, days: 2, now }), [
    { day: yesterday, ...NO_CHARGE, counted: 4, chargeKopecks: 50_00n },
    { day: today, ...NO_CHARGE, reversed: 2, returnedChargeKopecks: 10_00n },
  ]);
});

test('the days add up to the figures of /statistic for bots and orders', async () => {
  const { sandbox, database } = service;
  const { one, advertiser, now } = await twoDays();
  for (const bot of (await sandbox.statistic(one.token)).body.bots) {
    const days = await reportBotDays(database.db, { botId: bot.bot_id, days: 30, now });
    const kopecks = total(days, (day) => day.rewardKopecks - day.reversedRewardKopecks);
    assert.deepEqual(
      [total(days, (day) => BigInt(day.counted - day.reversed)), kopecks],
      [BigInt(bot.total_subscribers), BigInt(Math.round(bot.revenue * 100))],
    );
  }
  for (const order of (await sandbox.statistic(advertiser.token, { action: 'allads' })).body.orders) {
    const days = await reportOrderDays(database.db, { orderId: order.order_id, days: 30, now });
    const kopecks = total(days, (day) => day.chargeKopecks - day.returnedChargeKopecks);
    assert.deepEqual(
      [total(days, (day) => BigInt(day.counted - day.reversed)), kopecks],
      [BigInt(order.subscribers), BigInt(Math.round(order.spent * 100))],
    );
  }
});

test('each day equals the ledger transfers of that day', async () => {
  const { one, now } = await twoDays();
  const { db, url } = service.database;
  const rows = await query<{ day: string; earned: string; lost: string }>(
    url,
    `SELECT to_char(created_at AT TIME ZONE 'Europe/Moscow', 'YYYY-MM-DD') AS day,
            coalesce(sum(amount_kopecks) FILTER (WHERE kind IN ('reward_held', 'reward_paid') AND to_owner_id = $1), 0) AS earned,
            coalesce(sum(amount_kopecks) FILTER (WHERE kind = 'reward_reversed' AND from_owner_id = $1), 0) AS lost
     FROM ledger_transfers
     WHERE (to_kind IN ('hold', 'available') AND to_owner_id = $1) OR (from_kind IN ('hold', 'available') AND from_owner_id = $1)
     GROUP BY 1 ORDER BY 1`,
    [one.accountId],
  );
  const days = await reportAccountDays(db, { accountId: one.accountId, days: 2, now });
  assert.deepEqual(
    days.map((day) => [day.day, day.rewardKopecks, day.reversedRewardKopecks]),
    rows.map((row) => [row.day, BigInt(row.earned), BigInt(row.lost)]),
  );
});

test('a day leaves the report at midnight in Moscow, and a report covers 1 to 366 days', async () => {
  const { sandbox, database } = service;
  const { one } = await twoDays();
  await startDayAt(sandbox, 0); // the next day
  const counted = async (days: number): Promise<number> => {
    const report = await reportBotDays(database.db, { botId: one.botId, days, now: await sandboxTime(sandbox) });
    assert.equal(report.length, days);
    return Number(total(report, (day) => BigInt(day.counted)));
  };
  assert.deepEqual([await counted(1), await counted(2), await counted(3)], [0, 0, 2]);
  await sandbox.advance(363 * DAY);
  assert.deepEqual([await counted(365), await counted(366)], [0, 2]);
  await sandbox.advance(DAY);
  assert.equal(await counted(366), 0);
});

for (const days of [0, -1, 367, 1.5, Number.NaN]) {
  test(`${days} days are refused`, async () => {
    const requested = { botId: 1, days, now: new Date() };
    await assert.rejects(reportBotDays(service.database.db, requested), /1 to 366 days/);
  });
}

test('a new account gets days with zeros', async () => {
  const { sandbox, database } = service;
  const { accountId, botId } = await sandbox.publisher();
  const now = await sandboxTime(sandbox);
  const zeros = { day: dayBefore(now, 0), ...NO_REWARD };
  assert.deepEqual(await reportBotDays(database.db, { botId, days: 1, now }), [zeros]);
  assert.deepEqual(await reportAccountDays(database.db, { accountId, days: 1, now }), [zeros]);
  const spent = await reportAdvertiserDays(database.db, { accountId, days: 30, now });
  assert.deepEqual([spent.length, spent[29]], [30, { day: dayBefore(now, 0), ...NO_CHARGE }]);
});
