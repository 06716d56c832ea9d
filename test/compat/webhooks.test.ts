import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useService } from '../api/use-service.ts';
import { eventually } from '../support/eventually.ts';
import { freshUser } from '../support/sandbox.ts';

const service = useService();

interface Caught {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Subscribes and leaves as a user of a publisher whose endpoint has this format. Returns what the endpoint got. */
async function messagesIn(format: string, name: string) {
  const { sandbox } = service;
  const { token, botId } = await sandbox.publisher({ beta: true });
  const events = ['subscription.confirmed', 'subscription.reversed', 'payout.sent'];
  const url = `${sandbox.url}/sandbox/inbox/${name}`;
  const created = await sandbox.api(token, 'webhooks', { url, events, format });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  assert.equal(created.body.format, format);
  const { orderId, chatId } = await sandbox.advertise();
  const user = freshUser();
  const [{ link } = { link: '' }] = await sandbox.getSponsors(token, user);
  await sandbox.join(chatId, user);
  await sandbox.confirm(token, user, orderId);
  await sandbox.leave(chatId, user);
  const read = async (): Promise<Caught[]> => (await sandbox.control('GET', `/inbox?name=${name}`)).deliveries;
  await eventually('both messages have arrived', async () => (await read()).length >= 2);
  return { messages: await read(), secret: created.body.secret, botId, orderId, user, link };
}

test("an endpoint in SubGram's format gets its body and header", async () => {
  const { messages, secret, botId, orderId, user, link } = await messagesIn('subgram', 'subgram-format');
  const entries = messages.map(({ headers, body }) => {
    assert.equal(headers['api-key'], secret);
    const { webhooks } = JSON.parse(body);
    assert.equal(webhooks.length, 1);
    return webhooks[0];
  });
  const statuses = entries.map(({ webhook_id, subscribe_date, ...entry }) => {
    assert.ok(Number.isInteger(webhook_id) && Number.isFinite(Date.parse(subscribe_date)));
    return entry;
  });
  const about = { ads_id: orderId, link, user_id: user, bot_id: botId };
  assert.deepEqual(
    statuses.sort((a, b) => (a.status < b.status ? -1 : 1)),
    [
      { ...about, status: 'subscribed' },
      { ...about, status: 'unsubscribed' },
    ],
  );
});

test("an endpoint in Flyer's format gets its types", async () => {
  const { messages, user } = await messagesIn('flyer', 'flyer-format');
  const bodies = messages.map(({ body }) => JSON.parse(body)).sort((a, b) => (a.type < b.type ? 1 : -1));
  assert.deepEqual(
    bodies.map(({ type, data }) => [type, data.user_id, data.status]),
    [
      ['sub_completed', user, 'complete'],
      ['new_status', user, 'abort'],
    ],
  );
});

test('an event that the format cannot express is not sent and is no failure', async () => {
  const { sandbox } = service;
  const owner = await sandbox.publisher({ beta: true, deposit: 100 });
  const url = `${sandbox.url}/sandbox/inbox/advertiser-side`;
  const { body } = await sandbox.api(owner.token, 'webhooks', {
    url,
    events: ['subscription.confirmed'],
    format: 'subgram',
  });
  const order = await sandbox.advertise({ account_id: owner.accountId });
  const publisher = await sandbox.publisher();
  await sandbox.subscribe(publisher.token, order, freshUser());
  const log = async () =>
    (await sandbox.call('GET', `/api/v1/webhooks/${body.webhook_id}/deliveries`, undefined, { auth: owner.token })).body
      .deliveries;
  await eventually('the delivery is over', async () => (await log())[0]?.status === 'delivered');
  const { deliveries } = await sandbox.control('GET', '/inbox?name=advertiser-side');
  assert.deepEqual(deliveries, []);
});

test('an unknown format is refused', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher({ beta: true });
  const hook = { url: 'https://example.com/hook', events: ['subscription.confirmed'], format: 'other' };
  assert.equal((await sandbox.api(token, 'webhooks', hook)).status, 422);
});
