import assert from 'node:assert/strict';
import { test } from 'node:test';
import { excludeSources } from '../../src/modules/orders/index.ts';
import { reportSources, type SourceReport } from '../../src/modules/statistics/index.ts';
import { signPostback } from '../../src/modules/tasks/index.ts';
import { sandboxTime } from '../support/platform-ledger.ts';
import { type Advertised, freshUser, type Publisher } from '../support/sandbox.ts';
import { newUsers } from '../support/users.ts';
import { DAY, HOUR, total } from './reports-setup.ts';
import { useService } from './use-service.ts';

const service = useService({ ROLES: 'api,bot' });

async function report(orderId: number): Promise<SourceReport[]> {
  return reportSources(service.database.db, { orderId, now: await sandboxTime(service.sandbox) });
}

/** Creates a user whose subscription to the order is counted for this bot. */
async function bring({ token }: Publisher, order: Advertised): Promise<number> {
  const user = freshUser();
  assert.equal((await service.sandbox.subscribe(token, order, user)).code, 'counted');
  return user;
}

test('retention counts subscriptions that reached an age and those kept until then', async () => {
  const { sandbox } = service;
  const order = await sandbox.advertise();
  const [large, small] = [await sandbox.publisher({ username: 'large_source_bot' }), await sandbox.publisher()];
  await bring(large, order); // stays
  const [goesAtOnce, goesOnThirdDay, goesOnEighthDay] = [
    await bring(large, order),
    await bring(large, order),
    await bring(large, order),
  ];
  const goesUnseen = await bring(small, order);
  await bring(small, order); // stays
  const ages = async () => (await report(order.orderId)).map((source) => [source.afterOneDay, source.afterSevenDays]);
  const none = { eligible: 0, kept: 0 };

  await sandbox.advance(2 * HOUR);
  await sandbox.leave(order.chatId, goesAtOnce);
  await sandbox.leave(order.chatId, goesUnseen, true); // no update; the check at the end of the day finds it
  assert.deepEqual(await ages(), [
    [none, none],
    [none, none],
  ]);
  await sandbox.advance(DAY);
  assert.deepEqual(await ages(), [
    [{ eligible: 4, kept: 3 }, none],
    [{ eligible: 2, kept: 1 }, none],
  ]);
  await sandbox.advance(2 * DAY);
  await sandbox.leave(order.chatId, goesOnThirdDay);
  await sandbox.advance(3 * DAY);
  await bring(large, order); // reaches the age of one day by the end, but not of seven
  await sandbox.advance(DAY);
  await sandbox.leave(order.chatId, goesOnEighthDay);
  await sandbox.advance(DAY);
  await bring(large, order); // reaches neither age

  const { botId } = large;
  const isExcluded = false;
  const [first, second] = await report(order.orderId);
  assert.deepEqual(first, {
    botId,
    username: 'large_source_bot',
    isExcluded,
    counted: 6,
    reversed: 1,
    spentKopecks: 50_00n,
    score: null,
    level: 'new',
    afterOneDay: { eligible: 5, kept: 4 },
    afterSevenDays: { eligible: 4, kept: 2 },
  });
  assert.deepEqual(
    [
      second?.botId,
      second?.counted,
      second?.reversed,
      second?.spentKopecks,
      second?.afterOneDay,
      second?.afterSevenDays,
    ],
    [small.botId, 2, 1, 10_00n, { eligible: 2, kept: 1 }, { eligible: 2, kept: 1 }],
  );
});

test('with a hold of several days a reversal counts as a leave on the day of the leave', async () => {
  const { sandbox } = service;
  const publisher = await sandbox.publisher();
  const order = await sandbox.advertise({ hold_hours: 72 });
  const [early, late] = [await bring(publisher, order), await bring(publisher, order)];
  await sandbox.advance(5 * HOUR);
  await sandbox.leave(order.chatId, early);
  await sandbox.advance(30 * HOUR);
  await sandbox.leave(order.chatId, late);
  const [source] = await report(order.orderId);
  assert.deepEqual([source?.reversed, source?.afterOneDay], [2, { eligible: 2, kept: 1 }]);
  await sandbox.advance(7 * DAY);
  assert.deepEqual((await report(order.orderId))[0]?.afterSevenDays, { eligible: 2, kept: 0 });
});

test('a user who left within the window, returned and left again does not count as kept', async () => {
  const { sandbox } = service;
  const publisher = await sandbox.publisher();
  const order = await sandbox.advertise();
  const user = await bring(publisher, order);
  await sandbox.leave(order.chatId, user);
  await sandbox.advance(HOUR);
  await sandbox.join(order.chatId, user);
  await sandbox.advance(8 * DAY);
  await sandbox.leave(order.chatId, user);
  const [source] = await report(order.orderId);
  const left = { eligible: 1, kept: 0 };
  assert.deepEqual([source?.afterOneDay, source?.afterSevenDays], [left, left]);
});

test('a leave before the confirm does not count against a user who is a member at the confirm', async () => {
  const { sandbox } = service;
  const publisher = await sandbox.publisher();
  const order = await sandbox.advertise();
  const user = freshUser();
  await sandbox.getSponsors(publisher.token, user);
  await sandbox.join(order.chatId, user);
  await sandbox.leave(order.chatId, user);
  await sandbox.advance(60);
  await sandbox.join(order.chatId, user, true);
  assert.equal((await sandbox.confirm(publisher.token, user, order.orderId)).code, 'counted');
  await sandbox.advance(8 * DAY);
  const [source] = await report(order.orderId);
  const kept = { eligible: 1, kept: 1 };
  assert.deepEqual(
    [source?.counted, source?.reversed, source?.afterOneDay, source?.afterSevenDays],
    [1, 0, kept, kept],
  );
});

test('a confirm that was not counted is not reported for its bot', async () => {
  const { sandbox } = service;
  const [first, second] = [await sandbox.publisher(), await sandbox.publisher()];
  const order = await sandbox.advertise();
  const user = freshUser();
  for (const { token } of [first, second]) await sandbox.getSponsors(token, user);
  await sandbox.join(order.chatId, user);
  await sandbox.confirm(first.token, user, order.orderId);
  assert.equal((await sandbox.confirm(second.token, user, order.orderId)).credit_status, 'not_counted');
  await bring(second, order);
  await sandbox.advance(8 * DAY);
  const sources = await report(order.orderId);
  assert.deepEqual(
    sources.map(({ botId, counted, afterSevenDays }) => [botId, counted, afterSevenDays.eligible]),
    [
      [first.botId, 1, 1],
      [second.botId, 1, 1],
    ],
  );
});

test('a pending task has no age, and a rejected one does not count as kept', async () => {
  const { sandbox } = service;
  const owner = await sandbox.publisher({ beta: true, deposit: 100 });
  const link = `https://t.me/outside_${freshUser()}_bot`;
  const created = await sandbox.orderExternal(owner.token, { link });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  const { order_id: orderId, postback } = created.body;
  const { token } = await sandbox.publisher();
  const answers = ['approved', 'rejected', undefined] as const;
  for (const [index, user] of newUsers(answers.length).entries()) {
    const [task] = await sandbox.getSponsors(token, user);
    assert.equal((await sandbox.confirm(token, user, orderId)).code, 'pending');
    const status = answers[index];
    if (status === undefined) continue;
    const clickId = new URL(task?.link ?? '').searchParams.get('start') ?? '';
    const signature = signPostback(postback.secret, { clickId, status });
    await sandbox.call('POST', new URL(postback.url).pathname, { click_id: clickId, status, signature });
  }
  await sandbox.advance(25 * HOUR);
  const [source] = await report(orderId);
  assert.deepEqual([source?.counted, source?.reversed, source?.afterOneDay], [3, 1, { eligible: 2, kept: 1 }]);
  await sandbox.advance(8 * DAY); // a missing postback counts as a rejection
  assert.deepEqual((await report(orderId))[0]?.afterSevenDays, { eligible: 3, kept: 1 });
});

test('an excluded bot is marked and listed even without subscriptions, so that it can be included again', async () => {
  const { sandbox, database } = service;
  const [brought, idle, unheard] = [await sandbox.publisher(), await sandbox.publisher(), await sandbox.publisher()];
  const [order, other] = [await sandbox.advertise(), await sandbox.advertise()];
  await bring(brought, order);
  await bring(unheard, other);
  await database.db.transaction((tx) =>
    excludeSources(tx, { orderId: order.orderId, botIds: [idle.botId, brought.botId] }),
  );
  const sources = await report(order.orderId);
  assert.deepEqual(
    sources.map(({ botId, isExcluded, counted, spentKopecks }) => [botId, isExcluded, counted, spentKopecks]),
    [
      [brought.botId, true, 1, 10_00n],
      [idle.botId, true, 0, 0n],
    ],
  );
});

test('the sources of an order add up to its figures, sorted by subscriptions, without those of other orders', async () => {
  const { sandbox } = service;
  const [order, other] = [await sandbox.advertise({ refund: false }), await sandbox.advertise()];
  const [one, two] = [await sandbox.publisher(), await sandbox.publisher()];
  await bring(one, order);
  const leaver = await bring(two, order);
  await bring(two, order);
  await bring(one, other);
  await sandbox.leave(order.chatId, leaver);
  const sources = await report(order.orderId);
  assert.deepEqual(
    sources.map(({ botId, counted, reversed }) => [botId, counted, reversed]),
    [
      [two.botId, 2, 1],
      [one.botId, 1, 0],
    ],
  );
  const { subscribers } = await sandbox.order(order.orderId);
  assert.equal(
    total(sources, ({ counted }) => BigInt(counted)),
    BigInt(subscribers),
  );
  const inEscrow = await sandbox.kopecks('escrow', order.orderId);
  assert.equal(
    total(sources, ({ spentKopecks }) => spentKopecks),
    100_00n - BigInt(inEscrow),
  );
});

test('an order that does not exist has no sources', async () => {
  assert.deepEqual(await report(999_999_999), []);
});
