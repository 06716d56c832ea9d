import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ANSWER_DAYS } from '../../src/modules/accounts/index.ts';
import { TRANSFER_DAYS } from '../../src/modules/ledger/index.ts';
import { type HistoryEntry, listHistory } from '../../src/modules/statistics/index.ts';
import { TASK_DAYS } from '../../src/modules/tasks/index.ts';
import { Visitor } from '../console/visitor.ts';
import { kopecksIn, query } from '../support/books.ts';
import { newUsers } from '../support/users.ts';
import { DAY, HOUR, total } from './reports-setup.ts';
import { useService } from './use-service.ts';

// Without a worker, jobs run only when the clock is moved.
const service = useService({ ROLES: 'api,bot' });

const tasksOf = (orderId: number) =>
  query<{ user_id: string; state: string }>(
    service.database.url,
    'SELECT user_id, state FROM tasks WHERE order_id = $1 AND confirmed_at IS NOT NULL ORDER BY user_id',
    [orderId],
  );
const transfersOf = (accountId: number) =>
  query(service.database.url, 'SELECT key FROM ledger_transfers WHERE $1 IN (from_owner_id, to_owner_id)', [accountId]);

test('deleting a task after half a year keeps money and figures, and its user is not counted again', async () => {
  const { sandbox } = service;
  const order = await sandbox.advertise({ quantity: 5 });
  const { token } = await sandbox.publisher();
  const [stays, leaves, later] = newUsers(3) as [number, number, number];
  for (const user of [stays, leaves]) assert.equal((await sandbox.subscribe(token, order, user)).credited, 7);
  await sandbox.leave(order.chatId, leaves);
  await sandbox.advance(DAY + HOUR);
  const before = [
    await sandbox.money(token),
    (await sandbox.statistic(token)).body,
    await sandbox.order(order.orderId),
  ];
  assert.equal((await sandbox.confirm(token, stays, order.orderId)).credited, 7, 'while it is known, the same answer');

  await sandbox.advance((TASK_DAYS + 1) * DAY);
  assert.deepEqual(await tasksOf(order.orderId), []);
  assert.deepEqual(
    [await sandbox.money(token), (await sandbox.statistic(token)).body, await sandbox.order(order.orderId)],
    before,
  );
  for (const user of [stays, leaves]) {
    const shown = await sandbox.getSponsors(token, user);
    assert.ok(!shown.some(({ ads_id }) => ads_id === order.orderId), 'a user counted once is never asked again');
    await sandbox.join(order.chatId, user);
    const again = await sandbox.confirm(token, user, order.orderId);
    assert.deepEqual([again.subscribed, again.credited ?? 0], [false, 0]);
  }
  assert.equal((await sandbox.subscribe(token, order, later)).credited, 7, 'the order goes on');
  await sandbox.assertBalanced();
});

test('a reward is settled when Telegram stays down, and is kept after its task is deleted', async () => {
  const { sandbox } = service;
  const order = await sandbox.advertise();
  const { token } = await sandbox.publisher();
  const [user] = newUsers(1) as [number];
  await sandbox.subscribe(token, order, user);
  await sandbox.fault({ mode: 'down', method: 'getChatMember' });
  await sandbox.advance(2 * DAY + HOUR);
  assert.deepEqual(await tasksOf(order.orderId), [{ user_id: String(user), state: 'settled' }]);
  assert.deepEqual(await sandbox.money(token), { balance: 7, hold_balance: 0 });

  await sandbox.advance((TRANSFER_DAYS + 10) * DAY);
  await sandbox.fault({ mode: 'none' });
  assert.deepEqual(await tasksOf(order.orderId), []);
  assert.deepEqual(await sandbox.money(token), { balance: 7, hold_balance: 0 });
  await sandbox.assertBalanced();
});

test('a former member of a channel is not counted, even after years', async () => {
  const { sandbox } = service;
  const { chatId } = await sandbox.advertise();
  const [user] = newUsers(1) as [number];
  await sandbox.join(chatId, user);
  await sandbox.leave(chatId, user);
  await sandbox.advance(3 * 366 * DAY);
  await sandbox.pauseAllOrders();
  const order = await sandbox.advertise({ chat_id: chatId });
  const { token } = await sandbox.publisher();
  const answer = await sandbox.subscribe(token, order, user);
  assert.deepEqual([answer.subscribed, answer.credited, answer.credit_status], [true, 0, 'not_counted']);
});

async function wholeHistory(accountId: number, limit: number): Promise<HistoryEntry[]> {
  const entries: HistoryEntry[] = [];
  for (let before: number | undefined; ; ) {
    const page = await listHistory(service.database.db, { accountId, limit, before });
    entries.push(...page.entries);
    if (page.next === null) return entries;
    assert.equal(page.entries.length, limit, 'only the last page is not full');
    before = page.next;
  }
}

test('old transfers become one line at the end of the history, and all lines add up to the balance', async () => {
  const { sandbox, database } = service;
  const grace = await Visitor.signedIn(sandbox, { deposit: 100 });
  const { accountId } = grace;
  const { token } = await sandbox.publisher({ account_id: accountId });
  const order = await sandbox.advertise();
  const [first, second] = newUsers(2) as [number, number];
  await sandbox.subscribe(token, order, first);
  await sandbox.advance(DAY);
  assert.equal((await wholeHistory(accountId, 10)).length, 3, 'a deposit, a reward and its release');

  await sandbox.advance((TRANSFER_DAYS + 1) * DAY);
  assert.deepEqual(await transfersOf(accountId), []);
  await sandbox.assertBalanced();
  const only = await wholeHistory(accountId, 10);
  assert.deepEqual(
    only.map(({ id, kind, amountKopecks, holdKopecks }) => [id, kind, amountKopecks, holdKopecks]),
    [[0, 'earlier', 107_00n, 0n]],
  );

  await sandbox.subscribe(token, order, second);
  await sandbox.advance(DAY);
  for (const limit of [1, 2, 3, 10]) {
    const entries = await wholeHistory(accountId, limit);
    assert.deepEqual(
      entries.map(({ kind }) => kind),
      ['reward_released', 'reward_held', 'earlier'],
    );
    const sums = [total(entries, (entry) => entry.amountKopecks), total(entries, (entry) => entry.holdKopecks)];
    assert.deepEqual(sums, [
      BigInt(await kopecksIn(database.url, 'available', accountId)),
      BigInt(await kopecksIn(database.url, 'hold', accountId)),
    ]);
  }
  // Sessions use the real clock, so this session has not expired.
  assert.match((await grace.get('/console/history')).text, /Everything before that, in one sum/);
  await grace.person.say('/start');
  const page = await grace.person.go('Balance', 'History');
  assert.match(page.text, /Everything before that, in one sum/);
  assert.match(page.text, /\+₽107\.00/);
});

test('a subscription is not paid again after its transfers were folded', async () => {
  const { sandbox, database } = service;
  const owner = await sandbox.publisher({ beta: true, deposit: 1_000 });
  const { link } = await sandbox.control('POST', '/chats', { type: 'channel', title: 'News' });
  const terms = { name: 'News', link, resource_type: 'channel', title: 'News', price_per_sub: 10, quantity: 5 };
  const headers = { auth: owner.token, 'idempotency-key': 'an-order' };
  const create = () => sandbox.call('POST', '/api/v1/orders', terms, headers);
  const { order_id: orderId } = (await create()).body;
  const publisher = await sandbox.publisher();
  const [user] = newUsers(1) as [number];
  const [row] = await query<{ chat_id: string }>(
    database.url,
    'SELECT chat_id FROM resources r JOIN orders o ON o.resource_id = r.id WHERE o.id = $1',
    [orderId],
  );
  const chatId = Number(row?.chat_id);
  await sandbox.subscribe(publisher.token, { accountId: owner.accountId, orderId, chatId }, user);
  await sandbox.advance(DAY);

  await sandbox.advance((ANSWER_DAYS - 2) * DAY);
  assert.equal((await create()).body.order_id, orderId, 'the key is still known');
  await sandbox.advance((TRANSFER_DAYS - ANSWER_DAYS + 5) * DAY);
  assert.deepEqual(await transfersOf(publisher.accountId), []);

  // A leave, a new join, a new confirm and a cancellation do not find the old transfers, but none of them pays twice.
  await sandbox.leave(chatId, user);
  await sandbox.join(chatId, user);
  await sandbox.confirm(publisher.token, user, orderId);
  const second = await sandbox.advertise({ chat_id: chatId });
  assert.ok(!(await sandbox.getSponsors(publisher.token, user)).some(({ ads_id }) => ads_id === second.orderId));
  assert.deepEqual(await sandbox.money(publisher.token), { balance: 7, hold_balance: 0 });
  await sandbox.call('POST', `/api/v1/orders/${orderId}/cancel`, {}, { auth: owner.token });
  assert.deepEqual(await sandbox.money(owner.token), { balance: 990, hold_balance: 0 });
  await sandbox.assertBalanced();
});

test('moving the clock closes the days of the platform, as a worker does every hour', async () => {
  const { sandbox, database } = service;
  const order = await sandbox.advertise();
  const { token } = await sandbox.publisher();
  await sandbox.subscribe(token, order, newUsers(1)[0] ?? 0);
  const [open] = await query<{ count: string }>(database.url, 'SELECT count(*) FROM platform_days');
  await sandbox.advance(3 * DAY);
  const [closed] = await query<{ count: string }>(database.url, 'SELECT count(*) FROM platform_days');
  assert.ok(Number(closed?.count) >= Number(open?.count) + 2, `${open?.count}, then ${closed?.count}`);
});
