import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { answer } from '../support/receiver.ts';
import { confirmed, useWebhooks, type WebhookWorld } from '../support/webhooks.ts';

const world = useWebhooks();
const HOUR = 3600;
/** Returns the notices that wait for the owner of an endpoint. */
const noticesFor = ({ db }: WebhookWorld, endpointId: number) =>
  db.query<{ account_id: bigint; url: string }>(
    `SELECT account_id, data->>'url' AS url FROM notices
     WHERE kind = 'webhook_disabled' AND (data->>'webhook_id')::bigint = $1`,
    [endpointId],
  );

test('a 410 response disables the endpoint at once, notifies its owner once and fails its waiting deliveries', async () => {
  const owner = await world.owner();
  const receiver = await world.receiver(answer(410, 'gone'));
  const endpoint = await world.endpoint(owner, receiver.url);
  await world.record(...Array.from({ length: 20 }, (_, user) => confirmed(owner.accountId, user + 1)));
  const deliverer = world.deliverer();
  await deliverer.deliverDue();

  const shown = await world.show(owner, endpoint);
  const now = world.clock.now().toISOString().replace('Z', '+00:00');
  assert.deepEqual([shown.is_enabled, shown.disabled_reason, shown.disabled_at], [false, 'gone', now]);
  assert.ok(receiver.received.length <= 4, `${receiver.received.length} were sent to a receiver that was gone`);
  const [notice, ...more] = await noticesFor(world, endpoint.endpointId);
  assert.deepEqual([notice?.account_id, notice?.url], [BigInt(owner.accountId), receiver.url]);
  assert.deepEqual(more, []);
  const deliveries = await world.deliveries(owner, endpoint);
  assert.deepEqual([...new Set(deliveries.map((delivery: { status: string }) => delivery.status))], ['failed']);

  const sent = receiver.received.length;
  await world.record(confirmed(owner.accountId));
  world.clock.advance(1000 * HOUR);
  assert.equal(await deliverer.deliverDue(), 0);
  assert.equal(receiver.received.length, sent);
  assert.equal((await noticesFor(world, endpoint.endpointId)).length, 1);
});

test('an endpoint is disabled after exactly 120 hours of failures without a success', async () => {
  const owner = await world.owner();
  const receiver = await world.receiver(answer(500));
  const endpoint = await world.endpoint(owner, receiver.url);
  const deliverer = world.deliverer();
  const fail = async (): Promise<boolean> => {
    await world.record(confirmed(owner.accountId));
    await deliverer.deliverDue();
    return (await world.show(owner, endpoint)).is_enabled;
  };
  assert.equal(await fail(), true);
  world.clock.advance(120 * HOUR - 1);
  assert.equal(await fail(), true, 'a second before');
  world.clock.advance(1);
  assert.equal(await fail(), false, 'after 120 hours');
  assert.equal((await world.show(owner, endpoint)).disabled_reason, 'failing');
  assert.equal((await noticesFor(world, endpoint.endpointId)).length, 1);
});

test('a success restarts the 120 hours', async () => {
  const owner = await world.owner();
  let status = 500;
  const receiver = await world.receiver((response) => void response.writeHead(status).end());
  const endpoint = await world.endpoint(owner, receiver.url);
  const deliverer = world.deliverer();
  for (const [hours, next] of [
    [0, 500],
    [100, 200],
    [1, 500],
    [119, 500],
  ] as const) {
    world.clock.advance(hours * HOUR);
    status = next;
    await world.record(confirmed(owner.accountId));
    await deliverer.deliverDue();
  }
  assert.equal((await world.show(owner, endpoint)).is_enabled, true);
  assert.deepEqual(await noticesFor(world, endpoint.endpointId), []);
});

test('a disabled endpoint refuses tests and replays, and a replay after it is enabled sends all missed events', async () => {
  const owner = await world.owner();
  let status = 410;
  const receiver = await world.receiver((response) => void response.writeHead(status).end());
  const endpoint = await world.endpoint(owner, receiver.url);
  const since = world.clock.now().toISOString();
  const deliverer = world.deliverer();
  await world.record(confirmed(owner.accountId, 1));
  await deliverer.deliverDue();
  world.clock.advance(HOUR);
  await world.record(confirmed(owner.accountId, 2));
  world.clock.advance(HOUR);
  await world.record(confirmed(owner.accountId, 3));

  for (const [path, body] of [
    ['test', undefined],
    ['replay', { since }],
  ] as const) {
    const refused = await world.call('POST', `/${endpoint.endpointId}/${path}`, owner.token, body);
    assert.deepEqual([refused.status, refused.body.code], [422, 'webhook_disabled'], path);
  }

  const enabled = await world.must('POST', `/${endpoint.endpointId}/enable`, owner.token);
  assert.deepEqual([enabled.is_enabled, enabled.disabled_reason, enabled.disabled_at], [true, null, null]);
  status = 200;
  await deliverer.deliverDue();
  assert.equal(receiver.received.length, 1, 'nothing is sent again unasked');
  assert.deepEqual(await world.must('POST', `/${endpoint.endpointId}/replay`, owner.token, { since }), { replayed: 3 });
  await deliverer.deliverDue();
  const replayed = receiver.received.slice(1).map((message) => JSON.parse(message.body));
  replayed.sort((a, b) => a.sequence - b.sequence);
  assert.deepEqual(
    replayed.map(({ sequence, data }) => [sequence, data.user_id]),
    [
      [1, 1],
      [2, 2],
      [3, 3],
    ],
  );
  assert.equal(receiver.received[0]?.id, replayed[0].id);
});

test('the loop of a worker delivers events, disables endpoints and notifies owners', async () => {
  const owner = await world.owner();
  const [good, bad] = [await world.receiver(), await world.receiver(answer(410))];
  await world.endpoint(owner, good.url);
  const doomed = await world.endpoint(owner, bad.url);
  const deliverer = world.deliverer();
  deliverer.start();
  await world.record(confirmed(owner.accountId));
  await eventually('the good receiver has it', () => good.received.length === 1);
  await eventually(
    'the owner of the bad one is told',
    async () => (await noticesFor(world, doomed.endpointId)).length === 1,
  );
  await deliverer.stop();
  await world.record(confirmed(owner.accountId));
  assert.equal(await deliverer.deliverDue(), 0, 'a stopped deliverer takes nothing');
  assert.equal(good.received.length, 1);
});
