import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signPostback } from '../../src/modules/tasks/index.ts';
import { eventually } from '../support/eventually.ts';
import { freshUser } from '../support/sandbox.ts';
import { useService } from './use-service.ts';

const service = useService();
const HOUR = 3600;

/** Creates an order for a bot without its token, a publisher, and a user who was shown the task. */
async function shown(terms: Record<string, unknown> = {}) {
  const { sandbox } = service;
  const owner = await sandbox.publisher({ beta: true, deposit: 1_000 });
  const name = `outside_${freshUser()}_bot`;
  const link = `https://t.me/${name}`;
  const created = await sandbox.orderExternal(owner.token, { link, ...terms });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  const { order_id: orderId, postback } = created.body;
  const publisher = await sandbox.publisher();
  const user = freshUser();
  const tasks = await sandbox.getSponsors(publisher.token, user, { max_sponsors: 50 });
  const task = tasks.find(({ ads_id }) => ads_id === orderId);
  assert.ok(task);
  const clickId = new URL(task.link).searchParams.get('start') ?? '';
  const answer = (status: 'approved' | 'rejected', signature = signPostback(postback.secret, { clickId, status })) =>
    sandbox.call('POST', new URL(postback.url).pathname, { click_id: clickId, status, signature });
  const { accountId, token } = publisher;
  return {
    orderId,
    owner,
    accountId,
    link: typeof terms.link === 'string' ? terms.link : link,
    token,
    user,
    task,
    clickId,
    postback,
    answer,
  };
}

interface Told {
  readonly type: string;
  readonly data: { readonly role: string; readonly amount: number; readonly reason?: string };
}

const statusOf = async (token: string): Promise<string> =>
  (await service.sandbox.call('GET', `/statistic?api_token=${token}&action=bots`)).body.subscriptions[0]?.status;

test('an account can advertise a bot without its token only when the name of the bot contains the code of the account', async () => {
  const { sandbox } = service;
  const owner = await sandbox.publisher({ beta: true, deposit: 100 });
  const stranger = await sandbox.publisher({ beta: true, deposit: 100 });
  const username = `Owned_${freshUser()}_bot`;
  const bot = await sandbox.control('POST', '/chats', { type: 'bot', title: 'Owned', username });
  const order = { resource_type: 'bot', link: bot.link, title: 'Owned', price_per_sub: 10, quantity: 1 };
  const place = (token: string) => sandbox.call('POST', '/api/v1/orders', order, { auth: token });

  const refused = await place(owner.token);
  assert.deepEqual(
    [refused.status, refused.body.code, refused.body.errors[0].field],
    [422, 'resource_refused', 'link'],
  );
  const code = /SG-[0-9A-Z]{8}/.exec(refused.body.message)?.[0] ?? '';
  await sandbox.nameBot(bot.token, `Quizzes ${code}`);
  assert.equal((await place(stranger.token)).status, 422, 'the code of one account proves nothing for another');
  assert.equal((await place(owner.token)).status, 201);
  await sandbox.nameBot(bot.token, 'Quizzes');
  assert.equal((await place(owner.token)).status, 201, 'once is enough');

  const unknown = { ...order, link: 'https://t.me/nobody_has_this_bot' };
  assert.equal((await sandbox.call('POST', '/api/v1/orders', unknown, { auth: owner.token })).status, 422);
  await sandbox.fault({ mode: 'down', method: 'getChat' });
  const away = await sandbox.call('POST', '/api/v1/orders', unknown, { auth: owner.token });
  await sandbox.fault({ mode: 'none' });
  assert.deepEqual([away.status, away.body.code], [503, 'telegram_unavailable']);
});

test('the link carries a click id that Telegram accepts as a start parameter', async () => {
  const { clickId, task } = await shown();
  assert.match(clickId, /^[\w-]{20,64}$/);
  assert.ok(task.link.startsWith('https://t.me/outside_'));
});

test('a confirm grants access without credit, and is counted when the advertiser approves it', async () => {
  const { sandbox } = service;
  const { token, user, orderId, answer } = await shown();
  const body = await sandbox.confirm(token, user, orderId);
  assert.deepEqual(
    [body.status, body.subscribed, body.code, body.credit_status, body.grant_access, body.expected, body.credited],
    ['ok', true, 'pending', 'pending', true, 7, undefined],
  );
  assert.equal(await statusOf(token), 'hold');
  assert.deepEqual(await sandbox.getSponsors(token, user), [], 'the task blocks nobody');
  assert.equal((await sandbox.balance(token)).hold_balance, 7);

  assert.deepEqual([(await answer('approved')).status, (await answer('approved')).status], [200, 200]);
  assert.equal(await statusOf(token), 'subscribed');
  assert.equal((await sandbox.confirm(token, user, orderId)).code, 'counted');
  await sandbox.advance(24 * HOUR);
  const { balance, hold_balance } = await sandbox.balance(token);
  assert.deepEqual([balance, hold_balance], [7, 0]);
  await sandbox.assertBalanced();
});

test('without hold the reward is paid when the advertiser approves the task', async () => {
  const { sandbox } = service;
  const { token, user, orderId, answer } = await shown({ hold_hours: 0 });
  await sandbox.confirm(token, user, orderId);
  assert.equal((await sandbox.balance(token)).hold_balance, 7);
  await answer('approved');
  assert.equal((await sandbox.balance(token)).balance, 7);
});

for (const [how, refuse] of [
  ['rejection', async (task: Awaited<ReturnType<typeof shown>>) => void (await task.answer('rejected'))],
  [
    '72 hours of silence',
    async ({ token }: Awaited<ReturnType<typeof shown>>) => {
      await service.sandbox.advance(71.5 * HOUR);
      assert.equal(await statusOf(token), 'hold', 'not before');
      await service.sandbox.advance(0.5 * HOUR);
    },
  ],
] as const) {
  test(`${how} reverses the pending reward and returns the charge and the slot to the order`, async () => {
    const { sandbox } = service;
    const task = await shown();
    await sandbox.confirm(task.token, task.user, task.orderId);
    await refuse(task);
    assert.equal(await statusOf(task.token), 'unsubscribed');
    const { balance, hold_balance } = await sandbox.balance(task.token);
    assert.deepEqual([balance, hold_balance], [0, 0]);
    const order = await sandbox.call('GET', `/api/v1/orders/${task.orderId}`, undefined, { auth: task.owner.token });
    assert.deepEqual([order.body.remainder, order.body.remaining_subscribers], [50, 5]);
    await task.answer('approved'); // too late, changes nothing
    assert.equal(await statusOf(task.token), 'unsubscribed');
    await sandbox.assertBalanced();
  });
}

test('after a rejection the user can be shown another order for the same bot, also by the same publisher bot', async () => {
  const { sandbox } = service;
  const first = await shown();
  await sandbox.confirm(first.token, first.user, first.orderId);
  // A user sees a resource once at a time, and the older order ranks first.
  await sandbox.control('POST', `/orders/${first.orderId}/pause`);
  const others = await shown({ link: first.link });
  const ids = async (token: string): Promise<number[]> =>
    (await sandbox.getSponsors(token, first.user, { max_sponsors: 50, action: 'newtask' })).map(({ ads_id }) => ads_id);
  assert.ok(!(await ids(first.token)).includes(others.orderId), 'the claim still waits');

  await first.answer('rejected');
  const again = await sandbox.getSponsors(first.token, first.user, { max_sponsors: 50, action: 'newtask' });
  const other = again.find(({ ads_id }) => ads_id === others.orderId);
  assert.ok(other, 'the other order is shown now');
  assert.ok(!again.some(({ ads_id }) => ads_id === first.orderId));
  const clickId = new URL(other.link).searchParams.get('start') ?? '';
  assert.equal((await sandbox.confirm(first.token, first.user, first.orderId)).code, 'already_counted');
  assert.equal((await sandbox.confirm(first.token, first.user, others.orderId)).code, 'pending');
  assert.equal((await sandbox.balance(first.token)).hold_balance, 7);
  const signature = signPostback(others.postback.secret, { clickId, status: 'approved' });
  const path = new URL(others.postback.url).pathname;
  assert.equal((await sandbox.call('POST', path, { click_id: clickId, status: 'approved', signature })).status, 200);
  await sandbox.advance(24 * HOUR);
  assert.equal((await sandbox.balance(first.token)).balance, 7);
  await sandbox.assertBalanced();
});

for (const holdHours of [24, 0]) {
  test(`a rejection after the approval reverses nothing (hold of ${holdHours} h)`, async () => {
    const { sandbox } = service;
    const { token, user, orderId, owner, answer } = await shown({ hold_hours: holdHours });
    await sandbox.confirm(token, user, orderId);
    await answer('approved');
    const approved = await sandbox.money(token);
    assert.equal(approved.balance + approved.hold_balance, 7);

    assert.equal((await answer('rejected')).status, 200);
    assert.equal(await statusOf(token), 'subscribed');
    assert.deepEqual(await sandbox.money(token), approved);
    const order = await sandbox.call('GET', `/api/v1/orders/${orderId}`, undefined, { auth: owner.token });
    assert.deepEqual([order.body.remainder, order.body.remaining_subscribers, order.body.spent], [40, 4, 10]);
    await sandbox.assertBalanced();
  });
}

for (const [status, type, reason] of [
  ['approved', 'subscription.confirmed', undefined],
  ['rejected', 'subscription.rejected', 'rejected'],
  [undefined, 'subscription.rejected', 'no_answer'],
] as const) {
  test(`publisher and advertiser get one event each: ${status ?? 'no postback'}`, async () => {
    const { sandbox } = service;
    const task = await shown();
    const inbox = `external-${task.orderId}`;
    const beta = await sandbox.publisher({ account_id: task.accountId, beta: true });
    const events = ['subscription.confirmed', 'subscription.reversed', 'subscription.rejected'];
    for (const [role, token] of [
      ['publisher', beta.token],
      ['advertiser', task.owner.token],
    ] as const) {
      const url = `${service.url}/sandbox/inbox/${inbox}-${role}`;
      const created = await sandbox.call('POST', '/api/v1/webhooks', { url, events }, { auth: token });
      assert.equal(created.status, 201, JSON.stringify(created.body));
    }
    await sandbox.confirm(task.token, task.user, task.orderId);
    if (status === undefined) await sandbox.advance(72 * HOUR);
    else await task.answer(status);

    for (const [role, amount] of [
      ['publisher', 7],
      ['advertiser', 10],
    ] as const) {
      const arrived = async (): Promise<Told[]> =>
        (await sandbox.control('GET', `/inbox?name=${inbox}-${role}`)).deliveries.map(({ body }: { body: string }) =>
          JSON.parse(body),
        );
      await eventually(`the ${role} is told`, async () => (await arrived()).length > 0);
      const told = await arrived();
      assert.deepEqual(
        told.map(({ type: kind, data }) => [kind, data.role, data.amount, data.reason]),
        [[type, role, amount, reason]],
      );
    }
  });
}

test('publishers see the approval rate, and an order below 20 % is paused', async () => {
  const { sandbox } = service;
  const owner = await sandbox.publisher({ beta: true, deposit: 1_000 });
  const link = `https://t.me/judged_${freshUser()}_bot`;
  const { body: order } = await sandbox.orderExternal(owner.token, { link, quantity: 50 });
  const { token } = await sandbox.publisher();
  const show = async () =>
    (await sandbox.getSponsors(token, freshUser(), { max_sponsors: 50 })).find(
      ({ ads_id }) => ads_id === order.order_id,
    );
  const decide = async (status: 'approved' | 'rejected') => {
    const user = freshUser();
    const [task] = (await sandbox.getSponsors(token, user, { max_sponsors: 50 })).filter(
      ({ ads_id }) => ads_id === order.order_id,
    );
    await sandbox.confirm(token, user, order.order_id);
    const clickId = new URL(task?.link ?? '').searchParams.get('start') ?? '';
    const signature = signPostback(order.postback.secret, { clickId, status });
    const path = new URL(order.postback.url).pathname;
    assert.equal((await sandbox.call('POST', path, { click_id: clickId, status, signature })).status, 200);
  };

  assert.equal((await show())?.approval_pct, undefined, 'nothing is known yet');
  for (const status of ['approved', 'rejected', 'rejected', 'rejected', 'rejected'] as const) await decide(status);
  await eventually('the rate is shown', async () => (await show())?.approval_pct === 20);
  for (let i = 0; i < 4; i++) await decide('rejected');
  assert.equal((await sandbox.order(order.order_id)).status, 'active', 'nine answers judge nobody');
  await decide('rejected');
  const rows = await service.database.db.query('SELECT status, pause_reason FROM orders WHERE id = $1', [
    order.order_id,
  ]);
  assert.deepEqual(rows, [{ status: 'paused', pause_reason: 'low_approval' }]);
  const resumed = await sandbox.call('POST', `/api/v1/orders/${order.order_id}/resume`, {}, { auth: owner.token });
  assert.equal(resumed.status, 200, JSON.stringify(resumed.body));
});

test('a forged click id, a forged signature or the secret of another order changes nothing', async () => {
  const { sandbox } = service;
  const task = await shown();
  const other = await shown();
  await sandbox.confirm(task.token, task.user, task.orderId);
  const path = new URL(task.postback.url).pathname;
  const good = { click_id: task.clickId, status: 'approved' };
  const attempts = [
    { ...good, signature: 'f'.repeat(64) },
    { ...good, signature: signPostback(other.postback.secret, { clickId: task.clickId, status: 'approved' }) },
    { ...good, signature: signPostback(task.postback.secret, { clickId: task.clickId, status: 'rejected' }) },
    { ...good, click_id: `${task.clickId.slice(0, -1)}_`, signature: 'x' },
    { ...good, click_id: 'zz-zz', signature: 'x' },
  ];
  for (const body of attempts) assert.equal((await sandbox.call('POST', path, body)).status, 401);
  assert.equal((await sandbox.call('POST', path, { ...good, status: 'maybe', signature: 'x' })).status, 422);
  assert.equal(await statusOf(task.token), 'hold');
});

test('a postback before the confirm has no effect', async () => {
  const task = await shown();
  assert.equal((await task.answer('approved')).status, 200);
  assert.equal((await service.sandbox.confirm(task.token, task.user, task.orderId)).code, 'pending');
});
