import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClaimedDelivery } from './claim-store.ts';
import { createEndpointQueues, SEND_LIMITS } from './endpoint-queues.ts';

const claimed = (endpointId: number, count: number, isEndpointFailing = false): ClaimedDelivery[] =>
  Array.from(
    { length: count },
    (_, n) => ({ endpointId, eventId: `${endpointId}-${n}`, isEndpointFailing }) as ClaimedDelivery,
  );

const drain = (queues: ReturnType<typeof createEndpointQueues>): ClaimedDelivery[] => {
  const started: ClaimedDelivery[] = [];
  for (let next = queues.next(); next !== undefined; next = queues.next()) started.push(next);
  return started;
};

const SUCCESS = { succeeded: true, durationMs: 1 };
const FAILURE = { succeeded: false, durationMs: 10_000 };

test('endpoints take turns, each in the order of its deliveries, four at a time', () => {
  const queues = createEndpointQueues();
  queues.add([...claimed(1, 6), ...claimed(2, 2)]);
  const started = drain(queues);
  assert.deepEqual(
    started.map(({ eventId }) => eventId),
    ['1-0', '2-0', '1-1', '2-1', '1-2', '1-3'],
  );
  const [first] = started;
  assert.ok(first);
  assert.deepEqual(queues.ended(first, SUCCESS), []);
  assert.equal(queues.next()?.eventId, '1-4');
  assert.equal(queues.next(), undefined);
});

test('after a failure the waiting deliveries are released, and the endpoint gets one at a time', () => {
  const queues = createEndpointQueues();
  queues.add(claimed(1, 6));
  const [first, ...others] = drain(queues);
  assert.ok(first);
  const unsent = queues.ended(first, FAILURE);
  assert.deepEqual(
    unsent.map(({ eventId }) => eventId),
    ['1-4', '1-5'],
  );
  const late = claimed(1, 1); // from a claim that was running during the failure
  queues.add(late);
  assert.equal(queues.next(), undefined, 'three are still being sent');
  const [second, ...rest] = others;
  assert.ok(second);
  assert.deepEqual(queues.ended(second, FAILURE), late);
  for (const other of rest) assert.deepEqual(queues.ended(other, FAILURE), []);
  queues.settled([first, ...others, ...unsent, ...late]);
  assert.equal(queues.isEmpty, true);
  assert.equal(queues.roomFor(1, true), 1);
  queues.add(claimed(1, 1, true));
  assert.deepEqual([drain(queues).length, queues.full(), queues.roomFor(1, true)], [1, [1], 0]);
});

test('only an endpoint whose last attempt was fast gets deliveries claimed ahead', () => {
  const queues = createEndpointQueues();
  assert.equal(queues.roomFor(1, false), SEND_LIMITS.sendingPerEndpoint);
  for (const [attempt, room] of [
    [SUCCESS, SEND_LIMITS.claimedPerQuickEndpoint],
    [{ succeeded: true, durationMs: 5_000 }, SEND_LIMITS.sendingPerEndpoint],
  ] as const) {
    queues.add(claimed(1, 1));
    const [started] = drain(queues);
    assert.ok(started);
    queues.ended(started, attempt);
    queues.settled([started]);
    assert.equal(queues.roomFor(1, false), room);
  }
});

test('failing endpoints use at most half of the send slots, and all endpoints together use all of them', () => {
  const queues = createEndpointQueues();
  queues.add(Array.from({ length: 40 }, (_, id) => claimed(id, 1, true)).flat());
  assert.equal(drain(queues).length, SEND_LIMITS.failingSending);
  assert.equal(queues.room().failingSlots, 0);
  queues.add(Array.from({ length: 40 }, (_, id) => claimed(100 + id, 1)).flat());
  assert.equal(drain(queues).length, SEND_LIMITS.sending - SEND_LIMITS.failingSending);
  assert.equal(queues.room().slots, SEND_LIMITS.claimed - 80);
});

test('deliveries that have waited too long can be taken out, and those being sent cannot', () => {
  const queues = createEndpointQueues();
  queues.add(claimed(1, 6));
  const started = drain(queues);
  assert.deepEqual(queues.takeWaiting(60_000), []);
  assert.deepEqual(
    queues.takeWaiting().map(({ eventId }) => eventId),
    ['1-4', '1-5'],
  );
  assert.equal(queues.isEmpty, false);
  queues.settled([...started, ...claimed(1, 2)]);
  assert.equal(queues.isEmpty, true);
});
