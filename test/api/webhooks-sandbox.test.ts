import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { eventually } from '../support/eventually.ts';
import { freshUser, type Publisher } from '../support/sandbox.ts';
import { useService } from './use-service.ts';

const service = useService();
const DAY = 24 * 3600;

interface Caught {
  readonly headers: Record<string, string>;
  readonly body: string;
}

async function subscribe(owner: Publisher, name: string, events: readonly string[], query = '') {
  const created = await service.sandbox.api(owner.token, 'webhooks', {
    url: `${service.url}/sandbox/inbox/${name}${query}`,
    events,
  });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  return { id: created.body.webhook_id as number, secret: created.body.secret as string };
}

async function caught(name: string, count: number): Promise<Caught[]> {
  const read = async (): Promise<Caught[]> => (await service.sandbox.control('GET', `/inbox?name=${name}`)).deliveries;
  await eventually(`${count} messages are in the inbox ${name}`, async () => (await read()).length >= count);
  return read();
}

const verified = (secret: string, { headers, body }: Caught) =>
  new Webhook(secret).verify(body, headers) as { type: string; sequence: number; data: Record<string, unknown> };

test('publisher and advertiser get events for a confirmed and a reversed subscription with their own amounts', async () => {
  const { sandbox } = service;
  const publisher = await sandbox.publisher({ beta: true, max_sponsors: 1 });
  const order = await sandbox.advertise({ price_per_sub: 10 });
  const advertiser = await sandbox.publisher({ beta: true, account_id: order.accountId });
  const events = ['subscription.confirmed', 'subscription.reversed'];
  const theirs = await subscribe(publisher, 'publisher', events);
  const ours = await subscribe(advertiser, 'advertiser', events);

  const user = freshUser();
  await sandbox.subscribe(publisher.token, order, user);
  await caught('publisher', 1);
  await sandbox.leave(order.chatId, user);
  const about = { bot_id: publisher.botId, user_id: user, order_id: order.orderId };
  for (const [name, secret, amount, role] of [
    ['publisher', theirs.secret, 7, 'publisher'],
    ['advertiser', ours.secret, 10, 'advertiser'],
  ] as const) {
    const [first, second] = (await caught(name, 2)).map((message) => verified(secret, message));
    const { created_at: confirmedAt, ...confirmed } = first?.data ?? {};
    assert.deepEqual([first?.type, first?.sequence], ['subscription.confirmed', 1]);
    assert.deepEqual(confirmed, { ...about, role, amount, status: 'subscribed', credit_status: 'hold' });
    const { created_at: createdAt, reversed_at: reversedAt, ...reversed } = second?.data ?? {};
    assert.deepEqual([second?.type, second?.sequence], ['subscription.reversed', 2]);
    assert.deepEqual(reversed, { ...about, role, amount, status: 'unsubscribed' });
    assert.ok(createdAt === confirmedAt && String(reversedAt) > String(createdAt));
  }
});

test('moving the clock runs the due retries, and the log contains their attempts', async () => {
  const { sandbox } = service;
  const owner = await sandbox.publisher({ beta: true });
  const webhook = await subscribe(owner, 'failing', ['payout.sent'], '?status=500');
  await sandbox.call('POST', `/api/v1/webhooks/${webhook.id}/test`, undefined, { auth: owner.token });
  await caught('failing', 1);
  const read = async () => {
    const page = await sandbox.call('GET', `/api/v1/webhooks/${webhook.id}/deliveries`, undefined, {
      auth: owner.token,
    });
    return page.body.deliveries[0];
  };
  await eventually('the first attempt is in the log', async () => (await read()).attempts.length === 1);
  await sandbox.advance(2 * DAY);
  await eventually('a retry is in the log', async () => (await read()).attempts.length >= 2);
  const messages = await caught('failing', 2);
  assert.equal(new Set(messages.map(({ headers }) => headers['webhook-id'])).size, 1);
  for (const message of messages) assert.equal(verified(webhook.secret, message).type, 'webhook.test');
});

test('an endpoint that returns 410 is disabled, and the management bot notifies its owner', async () => {
  const { sandbox } = service;
  const userId = freshUser();
  await sandbox.control('POST', '/users', { user_id: userId, first_name: 'Owner' });
  const account = await sandbox.control('POST', '/accounts', { user_id: userId, name: 'Owner' });
  const owner = await sandbox.publisher({ beta: true, account_id: account.account_id });
  const { management_bot: bot } = await sandbox.control('GET', '/state');
  await sandbox.control('POST', `/persons/${userId}/messages`, { bot, text: '/start' });
  const webhook = await subscribe(owner, 'gone', ['payout.sent'], '?status=410');
  await sandbox.call('POST', `/api/v1/webhooks/${webhook.id}/test`, undefined, { auth: owner.token });
  await eventually('the owner is told', async () => {
    const { messages } = await sandbox.control('GET', `/persons/${userId}/messages?bot=${bot}`);
    return messages.some(({ text }: { text: string }) => text.includes('/sandbox/inbox/gone'));
  });
});
