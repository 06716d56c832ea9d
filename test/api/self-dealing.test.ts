import assert from 'node:assert/strict';
import { test } from 'node:test';
import { payoutsOf } from '../bot/balance-labels.ts';
import { eventually } from '../support/eventually.ts';
import { freshUser } from '../support/sandbox.ts';
import { useService } from './use-service.ts';

const service = useService();

/** A publisher with money of its own and an advertiser with an order. Nothing connects them. */
async function twoAccounts() {
  const { sandbox } = service;
  const publisher = await sandbox.publisher({ deposit: 1_000 });
  const order = await sandbox.advertise({ quantity: 20 });
  const shown = async (): Promise<number[]> =>
    (await sandbox.getSponsors(publisher.token, freshUser())).map(({ ads_id: id }) => id);
  return { publisher, order, shown };
}

/** Connects the accounts: the publisher advertises the same channel. Waits until the service knows it. */
async function advertiseToo({ publisher, order, shown }: Awaited<ReturnType<typeof twoAccounts>>): Promise<void> {
  await service.sandbox.advertise({ account_id: publisher.accountId, chat_id: order.chatId, quantity: 1 });
  await eventually('the accounts are connected', async () => (await shown()).length === 0);
}

test('accounts that nothing connects show and pay each other, however many share a machine', async () => {
  const { sandbox } = service;
  const { publisher, order, shown } = await twoAccounts();
  assert.deepEqual(await shown(), [order.orderId]);
  assert.equal((await sandbox.subscribe(publisher.token, order, freshUser())).code, 'counted');
});

test('an order is not shown in bots of an account that advertised the same channel', async () => {
  const parts = await twoAccounts();
  await advertiseToo(parts);
  assert.deepEqual(await parts.shown(), []);
  const stranger = await service.sandbox.publisher();
  const shown = (await service.sandbox.getSponsors(stranger.token, freshUser())).map(({ ads_id: id }) => id);
  assert.ok(shown.includes(parts.order.orderId), 'other bots still show it');
});

test('a task shown before the accounts were connected is notgetted and moves no money', async () => {
  const { sandbox } = service;
  const parts = await twoAccounts();
  const { publisher, order } = parts;
  const userId = freshUser();
  assert.equal((await sandbox.getSponsors(publisher.token, userId)).length, 1);
  await advertiseToo(parts);
  const before = await sandbox.money(publisher.token);
  await sandbox.join(order.chatId, userId);
  const confirmed = await sandbox.confirm(publisher.token, userId, order.orderId);
  assert.equal(confirmed.credit_status, 'not_counted', JSON.stringify(confirmed));
  const [task] = await service.database.db.query('SELECT state FROM tasks WHERE user_id = $1', [userId]);
  assert.deepEqual(task, { state: 'notgetted' });
  assert.deepEqual(await sandbox.money(publisher.token), before);
  assert.equal(await sandbox.kopecks('escrow', order.orderId), 20_000);
  await sandbox.assertBalanced();
});

test('accounts that withdraw to one card are connected, however they write it; two that both write "a card" are not', async () => {
  const { sandbox, database } = service;
  const payouts = payoutsOf(database.db);
  for (const [destination, other, isConnected] of [
    ['a card', 'a card', false],
    ['2200 1234 5678 9010', '2200 1234 5678 9010', true],
    ['2200 1234 5678 9010', 'Bank 2200-1234-5678-9010, Ivan', true],
    ['2200 1234 5678 9010', '2200 1234 5678 9011', false],
    ['+7 (900) 123-45-67', '89001234567', true],
    ['UQD-aB_cD', 'UQD-aB_cD', false],
    ['T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb', 't9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb (USDT)', true],
  ] as const) {
    const { publisher, order, shown } = await twoAccounts();
    // The money of an order stays in its escrow, so the advertiser gets some more to withdraw.
    const [owner] = await database.db.query<{ user_id: bigint }>(
      'SELECT telegram_user_id AS user_id FROM accounts WHERE id = $1',
      [order.accountId],
    );
    await sandbox.control('POST', '/accounts', { user_id: Number(owner?.user_id), deposit: 200 });
    for (const [accountId, typed] of [
      [publisher.accountId, destination],
      [order.accountId, other],
    ] as const) {
      const request = { accountId, key: 'k', amountKopecks: 10_000n, method: 'manual', destination: typed } as const;
      assert.equal((await payouts.request(request)).kind, 'requested');
    }
    await sandbox.advance(1);
    const isRight = async (): Promise<boolean> => (await shown()).includes(order.orderId) !== isConnected;
    await eventually(`${destination} and ${other}`, isRight);
    await sandbox.control('POST', `/orders/${order.orderId}/pause`);
  }
});

test('an account that advertises a bot of another one is connected with it, however the link is written', async () => {
  const { sandbox } = service;
  for (const link of ['https://t.me/$', 'http://t.me/$?start=a', 'https://telegram.me/$', 'https://t.me/$/app#x']) {
    const username = `own${freshUser()}_bot`;
    const bot = await sandbox.control('POST', '/chats', { type: 'bot', title: 'A bot', username });
    const publisher = await sandbox.publisher({ username, max_sponsors: 50 });
    const advertiser = await sandbox.publisher({ deposit: 1_000, beta: true });
    const order = await sandbox.advertise({ account_id: advertiser.accountId });
    const isShown = async (): Promise<boolean> =>
      (await sandbox.getSponsors(publisher.token, freshUser())).some(({ ads_id: id }) => id === order.orderId);
    assert.equal(await isShown(), true);
    const { status, body } = await sandbox.api(advertiser.token, 'orders', {
      ...{ resource_type: 'bot', title: 'A bot', price_per_sub: 10, quantity: 5 },
      ...{ link: link.replace('$', username), bot_token: bot.token },
    });
    assert.equal(status, 201, JSON.stringify(body));
    await eventually(`not shown after ${link}`, async () => !(await isShown()));
  }
});

test('accounts whose owners used one device are connected, unless a crowd uses it', async () => {
  const { sandbox, database } = service;
  const { publisher, order, shown } = await twoAccounts();
  const mark = Buffer.alloc(16, 7);
  const use = (where: string, ...values: unknown[]): Promise<object[]> =>
    database.db.query(
      `INSERT INTO device_marks (mark, user_id, kind, source, seen_at) SELECT $1, user_id, 'device', 'mini_app', now() FROM (${where}) u (user_id)`,
      [mark, ...values],
    );
  await use('SELECT telegram_user_id FROM accounts WHERE id = ANY($2::bigint[])', [
    publisher.accountId,
    order.accountId,
  ]);
  await sandbox.advance(1);
  await eventually('the device connects', async () => (await shown()).length === 0);
  await use('SELECT generate_series($2::bigint, $2::bigint + 8)', 910_000_000);
  await sandbox.advance(1);
  await eventually('the device of a crowd is no evidence', async () => (await shown()).includes(order.orderId));
});

test('the explanation of a missing task names connected accounts', async () => {
  const parts = await twoAccounts();
  await advertiseToo(parts);
  const { body } = await service.sandbox.api(parts.publisher.token, 'explain', { user_id: freshUser() });
  assert.equal(body.removed.connected_owner, 1, JSON.stringify(body));
});
