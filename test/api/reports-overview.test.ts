import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportOverview } from '../../src/modules/statistics/index.ts';
import { kopecksIn } from '../support/books.ts';
import { bindPayouts } from '../support/money-use-cases.ts';
import { sandboxTime } from '../support/platform-ledger.ts';
import { freshUser } from '../support/sandbox.ts';
import { DAY, startDayAt } from './reports-setup.ts';
import { useService } from './use-service.ts';

const service = useService({ ROLES: 'api,bot' });

const overview = async (accountId: number) =>
  reportOverview(service.database.db, { accountId, now: await sandboxTime(service.sandbox) });

const NOTHING_EARNED = { counted: 0, reversed: 0, rewardKopecks: 0n, reversedRewardKopecks: 0n };
const NOTHING_SPENT = { counted: 0, reversed: 0, chargeKopecks: 0n, returnedChargeKopecks: 0n };
const always = <T>(figures: T) => ({ today: figures, last7Days: figures, last30Days: figures });

test('the overview of a new account contains only zeros', async () => {
  const { account_id: accountId } = await service.sandbox.control('POST', '/accounts', {});
  assert.deepEqual(await overview(accountId), {
    availableKopecks: 0n,
    unsettledKopecks: 0n,
    withdrawableKopecks: 0n,
    holdKopecks: 0n,
    activeBots: 0,
    activeOrders: 0,
    openPayouts: 0,
    openPayoutsKopecks: 0n,
    earned: always(NOTHING_EARNED),
    spent: always(NOTHING_SPENT),
  });
});

test('the overview covers both roles of one account for today, 7 and 30 days', async () => {
  const { sandbox } = service;
  await startDayAt(sandbox, 12);
  const owner = await sandbox.publisher({ deposit: 100 });
  const other = await sandbox.publisher();
  const foreign = await sandbox.advertise({ price_per_sub: 20, quantity: 20 });
  const earn = async (): Promise<number> => {
    const user = freshUser();
    await sandbox.subscribe(owner.token, foreign, user);
    return user;
  };
  await earn(); // 26 days ago by the end
  await sandbox.advance(20 * DAY);
  await earn(); // six days ago
  await sandbox.advance(6 * DAY);
  await sandbox.leave(foreign.chatId, await earn());
  await earn();
  await sandbox.pauseAllOrders();
  const own = await sandbox.advertise({ account_id: owner.accountId, price_per_sub: 10, quantity: 5 });
  const leaver = freshUser();
  await sandbox.subscribe(other.token, own, leaver);
  await sandbox.subscribe(other.token, own, freshUser());
  await sandbox.leave(own.chatId, leaver);

  const { earned, spent, ...rest } = await overview(owner.accountId);
  const back = { reversed: 1, reversedRewardKopecks: 14_00n };
  assert.deepEqual(earned, {
    today: { counted: 2, rewardKopecks: 28_00n, ...back },
    last7Days: { counted: 3, rewardKopecks: 42_00n, ...back },
    last30Days: { counted: 4, rewardKopecks: 56_00n, ...back },
  });
  assert.deepEqual(spent, always({ counted: 2, reversed: 1, chargeKopecks: 20_00n, returnedChargeKopecks: 10_00n }));
  assert.deepEqual(rest, {
    availableKopecks: 100_00n - 50_00n + 28_00n,
    unsettledKopecks: 0n,
    withdrawableKopecks: 100_00n - 50_00n + 28_00n,
    holdKopecks: 14_00n,
    activeBots: 1,
    activeOrders: 1,
    openPayouts: 0,
    openPayoutsKopecks: 0n,
  });
  const { url } = service.database;
  for (const kind of ['available', 'hold'] as const) {
    assert.equal(rest[`${kind}Kopecks`], BigInt(await kopecksIn(url, kind, owner.accountId)));
  }
  assert.deepEqual((await overview(other.accountId)).spent, always(NOTHING_SPENT));
});

test('payouts are open until they are sent or rejected, and paused orders are not active', async () => {
  const { sandbox, database } = service;
  const owner = await sandbox.publisher({ deposit: 100 });
  await sandbox.publisher({ account_id: owner.accountId, username: `another_of_${owner.accountId}_bot` });
  await sandbox.advertise({ account_id: owner.accountId, price_per_sub: 1, quantity: 10 });
  const clock = { now: () => now };
  const now = await sandboxTime(sandbox);
  const payouts = bindPayouts({ db: database.db, clock, minimumKopecks: 1n, cryptoPay: undefined });
  const request = async (amountKopecks: bigint): Promise<number> => {
    const requested = {
      accountId: owner.accountId,
      key: `${amountKopecks}`,
      method: 'manual',
      destination: 'a card',
    } as const;
    const outcome = await payouts.request({ ...requested, amountKopecks });
    assert.ok(outcome.kind === 'requested');
    return outcome.payout.id;
  };
  const state = async () => {
    const seen = await overview(owner.accountId);
    return [seen.activeBots, seen.activeOrders, seen.openPayouts, seen.openPayoutsKopecks, seen.availableKopecks];
  };
  const [sent, rejected] = [await request(10_00n), await request(20_00n)];
  await request(30_00n);
  assert.deepEqual(await state(), [2, 1, 3, 60_00n, 30_00n]);
  await payouts.approve({ payoutId: sent, operatorId: null });
  assert.deepEqual(await state(), [2, 1, 3, 60_00n, 30_00n]);
  await payouts.markSent({ payoutId: sent, reference: 'paid' });
  await payouts.reject({ payoutId: rejected, reason: 'no such card' });
  await sandbox.pauseAllOrders();
  assert.deepEqual(await state(), [2, 0, 1, 30_00n, 50_00n]);
});
