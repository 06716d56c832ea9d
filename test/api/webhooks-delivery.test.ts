import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { answer, hang, type Received } from '../support/receiver.ts';
import { confirmed, useWebhooks } from '../support/webhooks.ts';

const world = useWebhooks();
const HOUR = 3600;

const verify = (secret: string, message: Received): unknown =>
  new Webhook(secret).verify(message.body, {
    'webhook-id': String(message.headers['webhook-id']),
    'webhook-timestamp': String(message.headers['webhook-timestamp']),
    'webhook-signature': String(message.headers['webhook-signature']),
  });

test('the Standard Webhooks library verifies a delivery, and the body is the event with its sequence number', async () => {
  const owner = await world.owner();
  const receiver = await world.receiver();
  const { secret } = await world.endpoint(owner, receiver.url);
  world.clock.advance(400 * 24 * HOUR); // the clock of the sandbox may be a year ahead of the clock of the endpoint
  const event = confirmed(owner.accountId, 42);
  await world.record(event);
  await world.deliverer().deliverDue();

  const [message] = receiver.received;
  assert.ok(message !== undefined && receiver.received.length === 1);
  assert.deepEqual(verify(secret, message), {
    type: 'subscription.confirmed',
    id: message.id,
    timestamp: world.clock.now().toISOString().replace('Z', '+00:00'),
    sequence: 1,
    data: event.data,
  });
  assert.match(message.id, /^evt_[0-9a-f]{32}$/);
  assert.equal(message.headers['content-type'], 'application/json');
  assert.match(String(message.headers['user-agent']), /^Sponsorgate/);
  assert.throws(() => verify(secret, { ...message, body: message.body.replace('42', '43') }), /No matching signature/);
  assert.throws(() => verify(`whsec_${Buffer.alloc(32).toString('base64')}`, message), /No matching signature/);
});

test('after a rotation both secrets verify for 24 hours, then only the new one', async () => {
  const owner = await world.owner();
  const receiver = await world.receiver();
  const first = await world.endpoint(owner, receiver.url);
  const rotated = await world.must('POST', `/${first.endpointId}/rotate-secret`, owner.token);
  assert.notEqual(rotated.secret, first.secret);
  const until = new Date(world.clock.now().getTime() + 24 * HOUR * 1000).toISOString().replace('Z', '+00:00');
  assert.equal(rotated.previous_secret_expires_at, until);
  const deliverer = world.deliverer();
  const next = async (): Promise<Received> => {
    await world.record(confirmed(owner.accountId));
    await deliverer.deliverDue();
    const message = receiver.received.at(-1);
    assert.ok(message);
    return message;
  };

  world.clock.advance(24 * HOUR - 1);
  const during = await next();
  assert.match(String(during.headers['webhook-signature']), /^v1,\S+ v1,\S+$/);
  verify(first.secret, during);
  verify(rotated.secret, during);

  world.clock.advance(1);
  const later = await next();
  verify(rotated.secret, later);
  assert.throws(() => verify(first.secret, later), /No matching signature/);

  const again = await world.must('POST', `/${first.endpointId}/rotate-secret`, owner.token);
  const third = await next();
  verify(rotated.secret, third);
  verify(again.secret, third);
});

test('a delivery is attempted at every step of the schedule with the same id and body, and then fails', async () => {
  const owner = await world.owner();
  const receiver = await world.receiver(answer(500, 'out of order'));
  const endpoint = await world.endpoint(owner, receiver.url);
  await world.record(confirmed(owner.accountId));
  const deliverer = world.deliverer();
  assert.equal(await deliverer.deliverDue(), 1);

  for (const delay of [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000]) {
    world.clock.advance(delay - 1);
    assert.equal(await deliverer.deliverDue(), 0, `before ${delay} s had passed`);
    const [waiting] = await world.deliveries(owner, endpoint);
    assert.equal(waiting.status, 'pending');
    assert.equal(new Date(waiting.next_attempt_at).getTime(), world.clock.now().getTime() + 1000);
    world.clock.advance(1);
    assert.equal(await deliverer.deliverDue(), 1, `when ${delay} s had passed`);
  }
  world.clock.advance(1000 * HOUR);
  assert.equal(await deliverer.deliverDue(), 0, 'after the last step');

  const [delivery] = await world.deliveries(owner, endpoint);
  assert.deepEqual([delivery.status, delivery.next_attempt_at, delivery.attempts.length], ['failed', null, 8]);
  for (const attempt of delivery.attempts) {
    assert.deepEqual([attempt.status_code, attempt.error, attempt.response], [500, 'answered 500', 'out of order']);
  }
  assert.equal(receiver.received.length, 8);
  assert.equal(new Set(receiver.received.map((message) => message.id)).size, 1);
  assert.equal(new Set(receiver.received.map((message) => message.body)).size, 1);
  for (const message of receiver.received) verify(endpoint.secret, message);
});

test('a successful retry ends the delivery, and the endpoint no longer counts as failing', async () => {
  const owner = await world.owner();
  const receiver = await world.receiver(
    (response, _message, index) => void response.writeHead(index < 2 ? 503 : 200).end(),
  );
  const endpoint = await world.endpoint(owner, receiver.url);
  await world.record(confirmed(owner.accountId));
  const failedAt = world.clock.now().toISOString().replace('Z', '+00:00');
  const deliverer = world.deliverer();
  await deliverer.deliverDue();
  assert.equal((await world.show(owner, endpoint)).failing_since, failedAt);
  world.clock.advance(5);
  await deliverer.deliverDue();
  assert.equal((await world.show(owner, endpoint)).failing_since, failedAt, 'the first failure counts');
  world.clock.advance(300);
  await deliverer.deliverDue();
  assert.equal((await world.show(owner, endpoint)).failing_since, null);
  const [delivery] = await world.deliveries(owner, endpoint);
  assert.equal(delivery.status, 'delivered');
  assert.deepEqual(
    delivery.attempts.map((attempt: { status_code: number }) => attempt.status_code),
    [503, 503, 200],
  );
  world.clock.advance(1000 * HOUR);
  assert.equal(await deliverer.deliverDue(), 0);
});

test('a redirect is a failure and is not followed', async () => {
  const owner = await world.owner();
  const target = await world.receiver();
  for (const status of [301, 302, 303, 307, 308]) {
    const receiver = await world.receiver(
      (response) => void response.writeHead(status, { location: target.url }).end(),
    );
    const endpoint = await world.endpoint(owner, receiver.url, ['payout.sent']);
    await world.must('POST', `/${endpoint.endpointId}/test`, owner.token);
    await world.deliverer().deliverDue();
    const [delivery] = await world.deliveries(owner, endpoint);
    assert.deepEqual([delivery.status, delivery.attempts[0].status_code], ['pending', status]);
    assert.match(delivery.attempts[0].error, /redirect/);
    await world.must('DELETE', `/${endpoint.endpointId}`, owner.token);
  }
  assert.deepEqual(target.received, []);
});

test('an endless response is cut off, its status counts, and only its beginning is stored', async () => {
  const owner = await world.owner();
  let bytes = 0;
  const receiver = await world.receiver((response) => {
    response.writeHead(200);
    const more = (): void => {
      while (!response.destroyed && response.write('x'.repeat(16 * 1024))) bytes += 16 * 1024;
    };
    response.on('drain', more);
    more();
  });
  const endpoint = await world.endpoint(owner, receiver.url);
  await world.record(confirmed(owner.accountId));
  await world.deliverer().deliverDue();
  const [delivery] = await world.deliveries(owner, endpoint);
  assert.equal(delivery.status, 'delivered');
  assert.equal(delivery.attempts[0].response, 'x'.repeat(1000));
  assert.ok(bytes < 50 * 1024 * 1024, `the receiver could send ${bytes} bytes`);
});

test('a response whose body never ends counts by its status and does not block the worker', async () => {
  const owner = await world.owner();
  const receiver = await world.receiver((response) => void response.writeHead(202).write('going on'));
  const endpoint = await world.endpoint(owner, receiver.url);
  await world.record(confirmed(owner.accountId));
  await world.deliverer().deliverDue();
  const [delivery] = await world.deliveries(owner, endpoint);
  assert.deepEqual([delivery.status, delivery.attempts[0].response], ['delivered', 'going on']);
});

test('an attempt at an endpoint that times out or refuses the connection fails and is retried', async () => {
  const owner = await world.owner();
  const silent = await world.receiver(hang);
  const gone = await world.receiver();
  await gone.close();
  const [first, second] = [await world.endpoint(owner, silent.url), await world.endpoint(owner, gone.url)];
  await world.record(confirmed(owner.accountId));
  await world.deliverer({ timeoutMs: 300 }).deliverDue();
  const [unheard] = await world.deliveries(owner, first);
  assert.deepEqual([unheard.status, unheard.attempts[0].status_code], ['pending', null]);
  assert.match(unheard.attempts[0].error, /no answer within 0.3 s/);
  const [refused] = await world.deliveries(owner, second);
  assert.equal(refused.status, 'pending');
  assert.match(refused.attempts[0].error, /ECONNREFUSED/);
});
