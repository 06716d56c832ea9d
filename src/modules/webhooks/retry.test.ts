import assert from 'node:assert/strict';
import { test } from 'node:test';
import { healthOf } from './attempt-delivery.ts';
import type { ClaimedDelivery } from './claim-store.ts';
import { nextStep, RETRY_DELAYS_SECONDS } from './retry.ts';
import { noResponse, type SendResult } from './send.ts';

const now = new Date('2026-05-05T05:05:05Z');
const answered = (statusCode: number): SendResult => ({
  statusCode,
  error: null,
  responseHeaders: null,
  response: null,
});
const SILENCE = noResponse('no answer');

test('the jitter is at most a tenth of each delay, in both directions', () => {
  assert.deepEqual(RETRY_DELAYS_SECONDS, [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000]);
  for (const [failures, delay] of RETRY_DELAYS_SECONDS.entries()) {
    const delays = [0, 0.5, 1].map((random) => {
      const next = nextStep(SILENCE, failures, now, random);
      return next.state === 'pending' ? (next.nextAttemptAt.getTime() - now.getTime()) / 1000 : undefined;
    });
    assert.deepEqual(delays, [(delay * 9) / 10, delay, (delay * 11) / 10]);
  }
});

test('a delivery fails for good after the last delay', () => {
  assert.deepEqual(nextStep(SILENCE, RETRY_DELAYS_SECONDS.length, now, 0.5), { state: 'failed' });
});

test('only a status of 200 to 299 is a success', () => {
  for (const status of [200, 201, 202, 204, 299]) {
    assert.equal(nextStep(answered(status), 0, now, 0).state, 'delivered', String(status));
  }
  for (const status of [100, 199, 300, 301, 302, 304, 307, 308, 400, 401, 404, 429, 500, 503]) {
    assert.equal(nextStep(answered(status), 0, now, 0).state, 'pending', String(status));
  }
  assert.equal(nextStep(answered(410), 0, now, 0).state, 'failed');
});

test('an endpoint is failing since the first failure after its last success', () => {
  const at = (second: number) => new Date(now.getTime() + second * 1000);
  const health = (...results: readonly SendResult[]) =>
    healthOf(
      results.map((result, second) => ({
        delivery: { endpointId: 1 } as ClaimedDelivery,
        result,
        attemptedAt: at(second),
        durationMs: 1,
      })),
    );
  const ok = answered(200);
  const base = { endpointId: 1, gone: false };
  assert.deepEqual(health(ok, ok), [{ ...base, succeeded: true, failingSince: null }]);
  assert.deepEqual(health(SILENCE, SILENCE), [{ ...base, succeeded: false, failingSince: at(0) }]);
  assert.deepEqual(health(SILENCE, ok), [{ ...base, succeeded: true, failingSince: null }]);
  assert.deepEqual(health(SILENCE, ok, SILENCE, SILENCE), [{ ...base, succeeded: true, failingSince: at(2) }]);
  assert.deepEqual(health(answered(410), ok), [{ ...base, succeeded: true, failingSince: null, gone: true }]);
});
