import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import {
  createClient,
  verifyWebhook,
  type WebhookMessage,
  type WebhookProblem,
  WebhookVerificationError,
} from '../../clients/typescript/src/index.ts';
import { useService } from '../api/use-service.ts';
import { eventually } from '../support/eventually.ts';
import { freshUser } from '../support/sandbox.ts';

const service = useService();
const SAMPLES = join(import.meta.dirname, '../../docs/webhook-events');
const SECRET = `whsec_${Buffer.from('a secret of twenty-four!').toString('base64')}`;

interface Caught {
  readonly headers: Record<string, string>;
  readonly body: string;
}

async function caught(name: string, count: number): Promise<Caught[]> {
  const read = async (): Promise<Caught[]> => (await service.sandbox.control('GET', `/inbox?name=${name}`)).deliveries;
  await eventually(`${count} messages are in the inbox ${name}`, async () => (await read()).length >= count);
  return read();
}

async function refusal(message: WebhookMessage): Promise<WebhookProblem> {
  const error = await verifyWebhook(message).then(
    () => assert.fail('the message was accepted'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof WebhookVerificationError, String(error));
  return error.code;
}

/** Returns a message signed by the reference library. */
function signed(body: string, secret = SECRET, at = new Date()): Caught {
  const id = 'evt_019b76da8f4e70008b1f6c1de2a4f0aa';
  const signature = new Webhook(secret).sign(id, at, body);
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(Math.floor(at.getTime() / 1000)) };
  return { headers: { ...headers, 'webhook-signature': signature }, body };
}
const EVENT = JSON.stringify({
  type: 'webhook.test',
  id: 'evt_1',
  timestamp: '',
  sequence: 1,
  data: { webhook_id: 1 },
});

test('deliveries of the service are accepted before, during and after the rotation of a secret', async () => {
  const { sandbox } = service;
  const { token, botId } = await sandbox.publisher({ beta: true });
  const client = createClient({ baseUrl: service.url, token });
  const url = `${service.url}/sandbox/inbox/verified`;
  const { webhook_id: id, secret } = await client.webhooks.create({ url, events: ['subscription.confirmed'] });
  const order = await sandbox.advertise({ price_per_sub: 10, title: 'Котики' });
  const user = freshUser();
  await sandbox.subscribe(token, order, user);
  const [delivery] = await caught('verified', 1);
  assert.ok(delivery);
  const event = await verifyWebhook({ secret, ...delivery });
  assert.ok(event.type === 'subscription.confirmed');
  assert.deepEqual(
    [event.data.bot_id, event.data.user_id, event.data.amount, event.data.role, event.id],
    [botId, user, 7, 'publisher', delivery.headers['webhook-id']],
  );

  const rotated = await client.webhooks.rotateSecret(id);
  await client.webhooks.test(id);
  const [, second] = await caught('verified', 2);
  assert.ok(second);
  for (const known of [secret, rotated.secret, [rotated.secret, secret]]) {
    assert.equal((await verifyWebhook({ secret: known, ...second })).type, 'webhook.test');
  }
  assert.equal(await refusal({ secret: rotated.secret, ...delivery }), 'wrong_signature');
  assert.equal((await verifyWebhook({ secret: [rotated.secret, secret], ...delivery })).type, event.type);
});

test('headers and body are accepted in every form that servers provide', async () => {
  const { headers, body } = signed(EVENT);
  const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
  for (const form of [headers, upper, new Headers(headers)]) {
    for (const content of [body, new TextEncoder().encode(body), Buffer.from(body)]) {
      assert.equal((await verifyWebhook({ secret: SECRET, headers: form, body: content })).type, 'webhook.test');
    }
  }
});

test('a modified message is rejected', async () => {
  const { headers, body } = signed(EVENT);
  const now = Date.now();
  const other = `whsec_${Buffer.from('another secret').toString('base64')}`;
  const later = { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) };
  const message = { secret: SECRET, headers, body, now };
  const wrong: WebhookMessage[] = [
    { ...message, body: body.replace('"sequence":1', '"sequence":2') },
    { ...message, body: `${body} ` },
    { ...message, body: '' },
    { ...message, secret: other },
    { ...message, headers: { ...headers, 'webhook-id': 'evt_2' } },
    { ...message, headers: later },
    { ...message, headers: { ...headers, 'webhook-signature': 'v1,AAAA' } },
    { ...message, headers: { ...headers, 'webhook-signature': headers['webhook-signature']?.slice(0, -4) ?? '' } },
    { ...message, headers: { ...headers, 'webhook-signature': headers['webhook-signature']?.slice(3) ?? '' } },
    { ...message, headers: { ...headers, 'webhook-signature': 'v1,***' } },
    {
      ...message,
      headers: { ...headers, 'webhook-signature': headers['webhook-signature']?.replace('v1', 'v2') ?? '' },
    },
  ];
  for (const [index, attempt] of wrong.entries())
    assert.equal(await refusal(attempt), 'wrong_signature', String(index));
});

test('one valid signature among several is enough, and other versions are ignored', async () => {
  const { headers, body } = signed(EVENT);
  const list = `v1a,${'A'.repeat(88)} v1,AAAA ${headers['webhook-signature']}`;
  const event = await verifyWebhook({ secret: SECRET, headers: { ...headers, 'webhook-signature': list }, body });
  assert.equal(event.id, 'evt_1');
});

test('a message outside the time tolerance is rejected', async () => {
  const at = new Date('2026-01-01T00:00:00Z');
  const message = { secret: SECRET, ...signed(EVENT, SECRET, at) };
  const after = (seconds: number): number => at.getTime() + seconds * 1000;
  for (const seconds of [-300, 0, 300]) assert.ok(await verifyWebhook({ ...message, now: after(seconds) }));
  for (const seconds of [-301, 301]) assert.equal(await refusal({ ...message, now: after(seconds) }), 'wrong_time');
  assert.ok(await verifyWebhook({ ...message, now: after(600), toleranceSeconds: 600 }));
  assert.equal(await refusal({ ...message, now: after(0), toleranceSeconds: Number.NaN }), 'wrong_time');
  for (const time of ['soon', '-5', '1e9', '1767225600.5', ' ']) {
    const headers = { ...message.headers, 'webhook-timestamp': time };
    assert.equal(await refusal({ ...message, headers, now: after(0) }), 'bad_timestamp', time);
  }
});

test('a missing header is reported, and a missing secret is a TypeError', async () => {
  const { headers, body } = signed(EVENT);
  for (const name of Object.keys(headers)) {
    const rest = Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name));
    assert.equal(await refusal({ secret: SECRET, headers: rest, body }), 'missing_header', name);
  }
  for (const secret of ['', 'whsec_', 'whsec_???', []]) {
    await assert.rejects(verifyWebhook({ secret, headers, body }), TypeError, String(secret));
  }
});

test('a signed body that is not an event is rejected, and every sample of the documentation is accepted', async () => {
  for (const body of ['', 'null', '[]', '{"type":"x"}', 'not json']) {
    assert.equal(await refusal({ secret: SECRET, ...signed(body) }), 'bad_body', body);
  }
  for (const name of await readdir(SAMPLES)) {
    const body = await readFile(join(SAMPLES, name), 'utf8');
    assert.equal((await verifyWebhook({ secret: SECRET, ...signed(body) })).type, name.replace('.json', ''));
  }
});
