import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMovableClock } from '../../src/sandbox/index.ts';
import { query } from '../support/books.ts';
import { bindPayouts } from '../support/money-use-cases.ts';
import { auditedFigures, midnight, NOTHING, platformStats, sandboxTime } from '../support/platform-ledger.ts';
import { freshUser } from '../support/sandbox.ts';
import { useService } from './use-service.ts';

// Without a worker no job changes data between two requests.
const service = useService({ ROLES: 'api,bot' });
const DAY_SECONDS = 24 * 60 * 60;

/** Resets the sandbox and moves the clock to an hour of the next business day, so that the test stays within a day. */
async function startAnew(hour = 12): Promise<string> {
  const { sandbox } = service;
  await sandbox.control('POST', '/reset');
  await sandbox.pauseAllOrders();
  const now = await sandboxTime(sandbox);
  const due = midnight(now) + (DAY_SECONDS + hour * 60 * 60) * 1000;
  await sandbox.advance((due - now.getTime()) / 1000);
  return (await sandbox.publisher({ beta: true })).token;
}

async function stats(token: string) {
  return platformStats(service.sandbox, token);
}

async function audited() {
  return auditedFigures(service.database.url, await sandboxTime(service.sandbox));
}

test('a request without beta access returns 401', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  for (const headers of [{}, { auth: 'at_wrong' }, { auth: token }] as Record<string, string>[]) {
    const answer = await sandbox.call('GET', '/api/v1/platform-stats', undefined, headers);
    assert.equal(answer.status, 401);
    assert.equal(answer.body.detail, 'Invalid or inactive Bot API Key');
  }
});

test('a new platform returns zeros', async () => {
  const token = await startAnew();
  const zeros = { last_7_days: NOTHING, last_30_days: NOTHING, all_time: NOTHING };
  assert.deepEqual(await stats(token), zeros);
  await service.sandbox.advance(40 * DAY_SECONDS);
  assert.deepEqual(await stats(token), zeros);
});

test('subscriptions include reversed ones, money excludes reversals, and users and sources are counted once', async () => {
  const { sandbox } = service;
  const token = await startAnew();
  const other = await sandbox.publisher();
  const refunding = await sandbox.advertise({ price_per_sub: 10 });
  const keeping = await sandbox.advertise({ price_per_sub: 20, refund: false });
  await sandbox.advertise({ price_per_sub: 1 }); // shown but never done
  const [stays, goes] = [freshUser(), freshUser()];
  await sandbox.subscribe(token, refunding, stays);
  await sandbox.subscribe(token, keeping, stays);
  await sandbox.subscribe(other.token, refunding, goes);
  await sandbox.subscribe(other.token, keeping, goes);
  await sandbox.getSponsors(other.token, freshUser());
  for (const { chatId } of [refunding, keeping]) await sandbox.leave(chatId, goes);

  const figures = {
    subscriptions: 4,
    reversals: 2,
    revenue: 7 + 14, // both rewards for the user who left are reversed
    payouts: 0,
    active_bots: 2,
    active_orders: 2,
    unique_users: 2,
    turnover: 10 + 20 + 20, // the charge of the order without refund stays
    platform_revenue: 3 + 6 + 20,
  };
  assert.deepEqual(await stats(token), { last_7_days: figures, last_30_days: figures, all_time: figures });
  assert.deepEqual(await stats(token), await audited());
});

test('the revenue of all time equals the sum of /statistic over the bots of all owners', async () => {
  const { sandbox } = service;
  const token = await startAnew();
  const other = await sandbox.publisher();
  const order = await sandbox.advertise({ price_per_sub: 3.33 });
  const leaver = freshUser();
  for (const [publisher, user] of [
    [token, freshUser()],
    [other.token, freshUser()],
    [token, leaver],
  ] as const) {
    await sandbox.subscribe(publisher, order, user);
    await sandbox.advance(2 * 60 * 60);
  }
  await sandbox.leave(order.chatId, leaver);
  await sandbox.advance(3 * DAY_SECONDS);
  let revenue = 0;
  for (const publisher of [token, other.token]) {
    for (const bot of (await sandbox.statistic(publisher)).body.bots) revenue += bot.revenue;
  }
  assert.equal(revenue, 4.66);
  assert.equal((await stats(token)).all_time.revenue, revenue);
});

test('a period is the last 7 or 30 business days including today, and days start at midnight in Moscow', async () => {
  const { sandbox } = service;
  const token = await startAnew(23);
  const order = await sandbox.advertise();
  await sandbox.subscribe(token, order, freshUser());
  const countedIn = async () => {
    const { last_7_days: week, last_30_days: month, all_time: ever } = await stats(token);
    const of = (period: typeof ever) => [
      period.subscriptions,
      period.revenue,
      period.turnover,
      period.active_bots,
      period.active_orders,
      period.unique_users,
    ];
    assert.deepEqual(of(ever), [1, 7, 10, 1, 1, 1]);
    for (const period of [week, month]) assert.ok([of(ever), of(NOTHING)].some((all) => `${all}` === `${of(period)}`));
    return [week.subscriptions, month.subscriptions];
  };
  const toMidnight = async (days: number): Promise<void> => {
    const now = await sandboxTime(sandbox);
    await sandbox.advance((midnight(now) + days * DAY_SECONDS * 1000 - now.getTime()) / 1000);
  };

  assert.deepEqual(await countedIn(), [1, 1]);
  await toMidnight(6); // the start of the seventh day; the day before is closed an hour later
  assert.deepEqual(await countedIn(), [1, 1]);
  await sandbox.advance(23 * 60 * 60);
  assert.deepEqual(await countedIn(), [1, 1]);
  await toMidnight(1);
  assert.deepEqual(await countedIn(), [0, 1]);
  await toMidnight(22); // the thirtieth day
  await sandbox.advance(23 * 60 * 60);
  assert.deepEqual(await countedIn(), [0, 1]);
  await toMidnight(1);
  assert.deepEqual(await countedIn(), [0, 0]);
});

test('a reversal counts on its own day and not on the day of its subscription', async () => {
  const { sandbox } = service;
  const token = await startAnew(23);
  const order = await sandbox.advertise({ hold_hours: 24 });
  const user = freshUser();
  await sandbox.subscribe(token, order, user);
  await sandbox.advance(3 * 60 * 60);
  await sandbox.leave(order.chatId, user);
  await sandbox.advance(6 * DAY_SECONDS); // the seven days exclude the day of the subscription and include the day of the reversal
  const { last_7_days: week, last_30_days: month } = await stats(token);
  assert.deepEqual(week, { ...NOTHING, reversals: 1, revenue: -7, turnover: -10, platform_revenue: -3 });
  assert.deepEqual([month.subscriptions, month.reversals, month.revenue, month.turnover], [1, 1, 0, 0]);
});

test('a payout counts on the day on which it was sent', async () => {
  const { sandbox, database } = service;
  const token = await startAnew();
  const { accountId } = await sandbox.publisher({ deposit: 500 });
  const clock = await createMovableClock(database.db);
  try {
    const payouts = bindPayouts({ db: database.db, clock, minimumKopecks: 1n, cryptoPay: undefined });
    const pay = async (kopecks: bigint, key: string): Promise<void> => {
      const request = { accountId, key, amountKopecks: kopecks, method: 'manual', destination: 'a card' } as const;
      const outcome = await payouts.request(request);
      assert.ok(outcome.kind === 'requested');
      const payoutId = outcome.payout.id;
      await payouts.approve({ payoutId, operatorId: null });
      const before = (await stats(token)).all_time.payouts;
      assert.deepEqual(await payouts.markSent({ payoutId, reference: 'paid' }), { kind: 'done' });
      assert.equal((await stats(token)).all_time.payouts, before + Number(kopecks) / 100);
    };
    await pay(100_01n, 'one');
    await sandbox.advance(10 * DAY_SECONDS);
    await pay(50_50n, 'two');
    const figures = await stats(token);
    assert.deepEqual(
      [figures.last_7_days.payouts, figures.last_30_days.payouts, figures.all_time.payouts],
      [50.5, 150.51, 150.51],
    );
    assert.deepEqual(figures, await audited());
  } finally {
    await clock.close();
  }
});

test('a jump of years closes every day in between, and later facts are counted', async () => {
  const { sandbox, database } = service;
  const token = await startAnew();
  const order = await sandbox.advertise();
  const user = freshUser();
  await sandbox.subscribe(token, order, user);
  await sandbox.advance(10 * 365 * DAY_SECONDS);
  const { all_time: ever, last_30_days: month } = await stats(token);
  assert.deepEqual([ever.subscriptions, ever.unique_users, ever.active_bots, ever.active_orders], [1, 1, 1, 1]);
  assert.deepEqual(month, NOTHING);
  const [days] = await query<{ days: number; span: number }>(
    database.url,
    'SELECT count(*)::int AS days, max(day) - min(day) + 1 AS span FROM platform_days',
  );
  assert.deepEqual(days, { days: 3650, span: 3650 });

  await sandbox.subscribe(token, await sandbox.advertise(), user);
  const { last_7_days: week, all_time: later } = await stats(token);
  assert.deepEqual([week.unique_users, week.active_orders], [1, 1]);
  assert.deepEqual([later.subscriptions, later.unique_users, later.active_bots, later.active_orders], [2, 1, 1, 2]);
});

test('a reset of the sandbox deletes the closed days', async () => {
  const { sandbox } = service;
  const token = await startAnew();
  await sandbox.subscribe(token, await sandbox.advertise(), freshUser());
  await sandbox.advance(5 * DAY_SECONDS);
  assert.equal((await stats(token)).all_time.subscriptions, 1);
  assert.deepEqual((await stats(await startAnew())).all_time, NOTHING);
});
