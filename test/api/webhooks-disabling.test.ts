import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { answer } from '../support/receiver.ts';
import { confirmed, useWebhooks, type WebhookWorld } from '../support/webhooks.ts';

const world = useWebhooks();
const HOUR = 3600;
const noticesFor = ({ disabled }: WebhookWorld, endpointId: number) => disabled.filter(({ id }) => id === endpointId);

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
  const [notice, ...more] = noticesFor(world, endpoint.endpointId);
  assert.deepEqual([notice?.accountId, notice?.url, notice?.disabledReason], [owner.accountId, receiver.url, 'gone']);
  assert.deepEqual(more, []);
  const deliveries = await world.deliveries(owner, endpoint);
  assert.deepEqual([...new Set(deliveries.map((delivery: { status: string }) => delivery.status))], ['failed']);

  const sent = receiver.received.length;
  await world.record(confirmed(owner.accountId));
  world.clock.advance(1000 * HOUR);
  assert.equal(await deliverer.deliverDue(), 0);
  assert.equal(receiver.received.length, sent);
  assert.equal(noticesFor(world, endpoint.endpointId).length, 1);
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
  assert.deepEqual(
    noticesFor(world, endpoint.endpointId).map(({ disabledReason }) => disabledReason),
    ['failing'],
  );
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
  assert.deepEqual(noticesFor(world, endpoint.endpointId), []);
});

test('a failed notice to the owner is retried later', async () => {
  const owner = await world.owner();
  const receiver = await world.receiver(answer(410));
  const endpoint = await world.endpoint(owner, receiver.url);
  await world.record(confirmed(owner.accountId));
  let attempts = 0;
  const onDisabled = async (): Promise<void> => {
    attempts++;
    throw new Error('Telegram is silent');
  };
  await world.deliverer({}, { onDisabled }).deliverDue();
  assert.equal(attempts, 1);
  assert.deepEqual(noticesFor(world, endpoint.endpointId), []);
  assert.ok(world.errors.some((error) => error instanceof Error && error.message === 'Telegram is silent'));
  // The lease of the failed attempt lasts a minute. This ends it.
  await world.db.query(
    `UPDATE webhook_endpoints SET notice_due_at = notice_due_at - interval '1 minute' WHERE id = $1`,
    [endpoint.endpointId],
  );
  await world.deliverer().deliverDue();
  assert.equal(noticesFor(world, endpoint.endpointId).length, 1);
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
  await eventually('the owner of the bad one is told', () => noticesFor(world, doomed.endpointId).length === 1);
  await deliverer.stop();
  await world.record(confirmed(owner.accountId));
  assert.equal(await deliverer.deliverDue(), 0, 'a stopped deliverer takes nothing');
  assert.equal(good.received.length, 1);
});
