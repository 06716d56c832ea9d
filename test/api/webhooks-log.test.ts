import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forgetOldEvents } from '../../src/modules/events/index.ts';
import { confirmed, useWebhooks } from '../support/webhooks.ts';

const world = useWebhooks();
const DAY = 24 * 3600;

test('a test event is delivered like any other event, with its own type', async () => {
  const owner = await world.owner();
  const receiver = await world.receiver();
  const endpoint = await world.endpoint(owner, receiver.url, ['payout.sent']);
  const other = await world.receiver();
  await world.endpoint(owner, other.url);
  const queued = await world.call('POST', `/${endpoint.endpointId}/test`, owner.token);
  assert.equal(queued.status, 202);
  await world.deliverer().deliverDue();
  const [message, ...more] = receiver.received;
  assert.ok(message);
  assert.deepEqual([more, other.received], [[], []], 'nobody else is told');
  assert.equal(message.id, queued.body.delivery_id);
  const body = JSON.parse(message.body);
  assert.deepEqual([body.type, body.id, body.data.webhook_id], ['webhook.test', message.id, endpoint.endpointId]);
  const [delivery] = await world.deliveries(owner, endpoint);
  assert.deepEqual([delivery.delivery_id, delivery.type, delivery.status], [message.id, 'webhook.test', 'delivered']);
});

test('the log lists every delivery with its attempts, newest first, and pages stay stable while new ones arrive', async () => {
  const owner = await world.owner();
  const receiver = await world.receiver(
    (response) => void response.writeHead(200, { 'x-queue': 'main', 'set-cookie': 'session=1' }).end('thank you'),
  );
  const endpoint = await world.endpoint(owner, receiver.url);
  const record = async (user: number): Promise<void> => {
    world.clock.advance(1);
    await world.record(confirmed(owner.accountId, user));
  };
  for (let user = 1; user <= 25; user++) await record(user);
  await world.deliverer().deliverDue();

  const seen: number[] = [];
  let path = `/${endpoint.endpointId}/deliveries`;
  for (let page = 0; page < 3; page++) {
    const body = await world.must('GET', path, owner.token);
    assert.deepEqual([body.deliveries.length, body.has_more], page < 2 ? [page === 0 ? 20 : 3, true] : [2, false]);
    seen.push(...body.deliveries.map((delivery: { sequence: number }) => delivery.sequence));
    path = `/${endpoint.endpointId}/deliveries?limit=3&cursor=${body.next_cursor}`;
    if (page < 2) assert.match(body.next_cursor, /^evt_/);
    else assert.equal(body.next_cursor, null);
    await record(100 + page);
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 25 }, (_, index) => 25 - index),
  );

  const [, , , last] = await world.deliveries(owner, endpoint);
  const { attempts, payload, ...delivery } = last;
  assert.equal(
    payload,
    receiver.received.find(({ id }) => id === delivery.delivery_id)?.body,
    'the bytes that were sent',
  );
  const at = delivery.delivered_at;
  assert.deepEqual(delivery, {
    delivery_id: receiver.received.find(({ body }) => JSON.parse(body).sequence === 25)?.id,
    type: 'subscription.confirmed',
    sequence: 25,
    status: 'delivered',
    created_at: at,
    next_attempt_at: null,
    delivered_at: at,
  });
  const [{ duration_ms: duration, response_headers: headers, ...attempt }] = attempts;
  assert.match(headers, /^x-queue: main\n/);
  assert.doesNotMatch(headers, /session/, 'cookies are not stored');
  assert.ok(Number.isInteger(duration) && duration >= 0);
  assert.deepEqual(attempt, { attempted_at: at, status_code: 200, error: null, response: 'thank you' });
});

test('a replay of one delivery sends the same body with the same id again, with all retries', async () => {
  const owner = await world.owner();
  let status = 200;
  const receiver = await world.receiver((response) => void response.writeHead(status).end());
  const endpoint = await world.endpoint(owner, receiver.url);
  await world.record(confirmed(owner.accountId, 1), confirmed(owner.accountId, 2));
  const deliverer = world.deliverer();
  await deliverer.deliverDue();
  const [first] = receiver.received;
  assert.ok(first);
  status = 500;
  const replay = { delivery_id: first.id };
  assert.deepEqual(await world.must('POST', `/${endpoint.endpointId}/replay`, owner.token, replay), { replayed: 1 });
  await deliverer.deliverDue();
  world.clock.advance(5);
  await deliverer.deliverDue();
  assert.deepEqual(
    receiver.received.slice(2).map(({ id, body }) => ({ id, body })),
    [
      { id: first.id, body: first.body },
      { id: first.id, body: first.body },
    ],
  );
  status = 200;
  await world.must('POST', `/${endpoint.endpointId}/replay`, owner.token, replay); // replaces the waiting retry and is due now
  await deliverer.deliverDue();
  assert.equal(receiver.received.length, 5);
  const deliveries = await world.deliveries(owner, endpoint);
  const replayed = deliveries.find((delivery: { delivery_id: string }) => delivery.delivery_id === first.id);
  assert.deepEqual([replayed.status, replayed.attempts.length], ['delivered', 4]);
});

test('a delivery of another endpoint cannot be replayed', async () => {
  const [owner, stranger] = [await world.owner(), await world.owner()];
  const receiver = await world.receiver();
  const [endpoint, theirs] = [await world.endpoint(owner, receiver.url), await world.endpoint(stranger, receiver.url)];
  await world.record(confirmed(stranger.accountId));
  await world.deliverer().deliverDue();
  const [delivery] = await world.deliveries(stranger, theirs);
  const refused = await world.call('POST', `/${endpoint.endpointId}/replay`, owner.token, {
    delivery_id: delivery.delivery_id,
  });
  assert.deepEqual(
    [refused.status, refused.body.detail, refused.body.code],
    [404, 'Bot not found', 'delivery_not_found'],
  );
});

test('a replay since a time sends all later events and no earlier ones', async () => {
  const owner = await world.owner();
  const receiver = await world.receiver();
  const endpoint = await world.endpoint(owner, receiver.url);
  await world.record(confirmed(owner.accountId, 1));
  world.clock.advance(60);
  const since = world.clock.now().toISOString().replace('Z', '+00:00');
  await world.record(confirmed(owner.accountId, 2));
  world.clock.advance(60);
  await world.record(confirmed(owner.accountId, 3));
  const deliverer = world.deliverer();
  await deliverer.deliverDue();
  assert.equal(receiver.received.length, 3);
  assert.deepEqual(await world.must('POST', `/${endpoint.endpointId}/replay`, owner.token, { since }), { replayed: 2 });
  await deliverer.deliverDue();
  const again = receiver.received.slice(3).map(({ body }) => JSON.parse(body).data.user_id);
  assert.equal(again.length, 2);
  assert.deepEqual(new Set(again), new Set([2, 3]));
  world.clock.advance(1);
  const now = world.clock.now().toISOString();
  assert.deepEqual(await world.must('POST', `/${endpoint.endpointId}/replay`, owner.token, { since: now }), {
    replayed: 0,
  });
});

test('a replay of a range sends its events and no later ones', async () => {
  const owner = await world.owner();
  const receiver = await world.receiver();
  const endpoint = await world.endpoint(owner, receiver.url);
  const times: string[] = [];
  for (const user of [1, 2, 3]) {
    times.push(world.clock.now().toISOString());
    await world.record(confirmed(owner.accountId, user));
    world.clock.advance(60);
  }
  const deliverer = world.deliverer();
  await deliverer.deliverDue();
  const [, since, until] = times;
  const path = `/${endpoint.endpointId}/replay`;
  assert.deepEqual(await world.must('POST', path, owner.token, { since, until }), { replayed: 1 });
  await deliverer.deliverDue();
  assert.deepEqual(
    receiver.received.slice(3).map(({ body }) => JSON.parse(body).data.user_id),
    [2],
  );
  const refused = await world.call('POST', path, owner.token, { until });
  assert.deepEqual([refused.status, refused.body.errors[0].field], [422, 'until']);
});

test('a deleted endpoint gets no more deliveries, and its secrets are deleted', async () => {
  const owner = await world.owner();
  const receiver = await world.receiver();
  const endpoint = await world.endpoint(owner, receiver.url);
  await world.must('POST', `/${endpoint.endpointId}/rotate-secret`, owner.token);
  await world.record(confirmed(owner.accountId));
  const deleted = await world.call('DELETE', `/${endpoint.endpointId}`, owner.token);
  assert.equal(deleted.status, 204);
  await world.record(confirmed(owner.accountId));
  await world.deliverer().deliverDue();
  assert.deepEqual(receiver.received, []);
  const [row] = await world.db.query(
    'SELECT secret_encrypted, previous_secret_encrypted FROM webhook_endpoints WHERE id = $1',
    [endpoint.endpointId],
  );
  assert.deepEqual(row, { secret_encrypted: null, previous_secret_encrypted: null });
});

test('events older than 30 days are deleted with their deliveries and attempts, and newer ones are kept', async () => {
  const owner = await world.owner();
  const receiver = await world.receiver();
  const endpoint = await world.endpoint(owner, receiver.url);
  await world.record(...Array.from({ length: 1200 }, (_, user) => confirmed(owner.accountId, user + 1)));
  const deliverer = world.deliverer();
  await deliverer.deliverDue({ withinMs: 300_000 }); // a busy machine needs longer for this many
  world.clock.advance(1);
  await world.record(confirmed(owner.accountId, 5000));
  await deliverer.deliverDue({ withinMs: 300_000 });
  world.clock.advance(30 * DAY);
  await forgetOldEvents(world);
  const deliveries = await world.deliveries(owner, endpoint);
  assert.deepEqual(
    deliveries.map(({ sequence, attempts }: { sequence: number; attempts: unknown[] }) => [sequence, attempts.length]),
    [[1201, 1]],
  );
  for (const table of ['events', 'webhook_deliveries', 'webhook_attempts']) {
    const [row] = await world.db.query<{ count: bigint }>(`SELECT count(*) AS count FROM ${table}`);
    assert.equal(row?.count, 1n, table);
  }
});
