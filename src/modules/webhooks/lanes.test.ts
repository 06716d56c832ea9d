import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLanes, LANE_LIMITS } from './lanes.ts';
import type { ClaimedDelivery } from './queue-store.ts';

const claimed = (webhookId: number, count: number, isWebhookFailing = false): ClaimedDelivery[] =>
  Array.from(
    { length: count },
    (_, n) => ({ webhookId, eventId: `${webhookId}-${n}`, isWebhookFailing }) as ClaimedDelivery,
  );

const drain = (lanes: ReturnType<typeof createLanes>): ClaimedDelivery[] => {
  const started: ClaimedDelivery[] = [];
  for (let next = lanes.next(); next !== undefined; next = lanes.next()) started.push(next);
  return started;
};

const SUCCESS = { succeeded: true, durationMs: 1 };
const FAILURE = { succeeded: false, durationMs: 10_000 };

test('receivers are served in turn, each in the order of its messages, four at a time', () => {
  const lanes = createLanes();
  lanes.add([...claimed(1, 6), ...claimed(2, 2)]);
  const started = drain(lanes);
  assert.deepEqual(
    started.map(({ eventId }) => eventId),
    ['1-0', '2-0', '1-1', '2-1', '1-2', '1-3'],
  );
  const [first] = started;
  assert.ok(first);
  assert.deepEqual(lanes.ended(first, SUCCESS), []);
  assert.equal(lanes.next()?.eventId, '1-4');
  assert.equal(lanes.next(), undefined);
});

test('after a failure what waits for the receiver is given back, and one at a time may be claimed', () => {
  const lanes = createLanes();
  lanes.add(claimed(1, 6));
  const [first, ...others] = drain(lanes);
  assert.ok(first);
  const unsent = lanes.ended(first, FAILURE);
  assert.deepEqual(
    unsent.map(({ eventId }) => eventId),
    ['1-4', '1-5'],
  );
  const late = claimed(1, 1); // of a claim that was on its way when it failed
  lanes.add(late);
  assert.equal(lanes.next(), undefined, 'three are still being sent');
  const [second, ...rest] = others;
  assert.ok(second);
  assert.deepEqual(lanes.ended(second, FAILURE), late);
  for (const other of rest) assert.deepEqual(lanes.ended(other, FAILURE), []);
  lanes.settled([first, ...others, ...unsent, ...late]);
  assert.equal(lanes.isEmpty, true);
  assert.equal(lanes.roomFor(1, true), 1);
  lanes.add(claimed(1, 1, true));
  assert.deepEqual([drain(lanes).length, lanes.full(), lanes.roomFor(1, true)], [1, [1], 0]);
});

test('only a receiver that has just answered quickly is claimed for ahead, and no longer once it is slow', () => {
  const lanes = createLanes();
  assert.equal(lanes.roomFor(1, false), LANE_LIMITS.sendingPerWebhook);
  for (const [attempt, room] of [
    [SUCCESS, LANE_LIMITS.claimedPerQuickWebhook],
    [{ succeeded: true, durationMs: 5_000 }, LANE_LIMITS.sendingPerWebhook],
  ] as const) {
    lanes.add(claimed(1, 1));
    const [started] = drain(lanes);
    assert.ok(started);
    lanes.ended(started, attempt);
    lanes.settled([started]);
    assert.equal(lanes.roomFor(1, false), room);
  }
});

test('receivers that fail have half of the senders at most, all receivers together all of them', () => {
  const lanes = createLanes();
  lanes.add(Array.from({ length: 40 }, (_, id) => claimed(id, 1, true)).flat());
  assert.equal(drain(lanes).length, LANE_LIMITS.failingSending);
  assert.equal(lanes.room().failingSlots, 0);
  lanes.add(Array.from({ length: 40 }, (_, id) => claimed(100 + id, 1)).flat());
  assert.equal(drain(lanes).length, LANE_LIMITS.sending - LANE_LIMITS.failingSending);
  assert.equal(lanes.room().slots, LANE_LIMITS.claimed - 80);
});

test('what has waited too long can be taken out, and what is being sent cannot', () => {
  const lanes = createLanes();
  lanes.add(claimed(1, 6));
  const started = drain(lanes);
  assert.deepEqual(lanes.takeWaiting(60_000), []);
  assert.deepEqual(
    lanes.takeWaiting().map(({ eventId }) => eventId),
    ['1-4', '1-5'],
  );
  assert.equal(lanes.isEmpty, false);
  lanes.settled([...started, ...claimed(1, 2)]);
  assert.equal(lanes.isEmpty, true);
});
