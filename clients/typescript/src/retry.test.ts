import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRetryAfter, SponsorgateError } from './errors.ts';
import { type OperationId, ROUTES } from './generated/api.ts';
import { delayBeforeRetryMs, isRepeatable } from './retry.ts';

const failure = (status: number, retryAfterSeconds?: number, code = 'some_code') =>
  new SponsorgateError({ status, code, message: 'failed', retryAfterSeconds });

test('the wait is random between zero and a bound that doubles up to five seconds', () => {
  const longest = [0, 1, 2, 3, 4, 5, 20].map((attempt) =>
    delayBeforeRetryMs('postGetSponsors', failure(500), attempt, () => 1),
  );
  assert.deepEqual(longest, [250, 500, 1000, 2000, 4000, 5000, 5000]);
  assert.equal(
    delayBeforeRetryMs('postGetSponsors', failure(500), 3, () => 0),
    0,
  );
});

test('the jitter is added to Retry-After, and a very long Retry-After fails the call at once', () => {
  const delay = (seconds: number) => delayBeforeRetryMs('postGetSponsors', failure(429, seconds), 0, () => 0.5);
  assert.equal(delay(3), 3125);
  assert.equal(delay(30), 30_125);
  assert.equal(delay(31), undefined);
});

test('Retry-After is read as seconds or as a date, and ignored when it is neither', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  assert.equal(parseRetryAfter('7'), 7);
  assert.equal(parseRetryAfter('Thu, 01 Jan 2026 00:00:05 GMT', now), 5);
  assert.equal(parseRetryAfter('Wed, 31 Dec 2025 00:00:00 GMT', now), 0);
  assert.equal(parseRetryAfter('soon'), undefined);
  assert.equal(parseRetryAfter(null), undefined);
});

test('a rejected call is not retried, except when the reason is temporary', () => {
  for (const status of [400, 401, 404, 422]) {
    assert.equal(delayBeforeRetryMs('getOrders', failure(status), 0), undefined, String(status));
  }
  for (const status of [0, 429, 500, 502, 503]) {
    assert.notEqual(delayBeforeRetryMs('getOrders', failure(status), 0), undefined, String(status));
  }
  assert.notEqual(delayBeforeRetryMs('postOrders', failure(409, undefined, 'request_in_flight'), 0), undefined);
});

test('a call that could take effect twice is retried only when it certainly had no effect', () => {
  const unrepeatable = (Object.keys(ROUTES) as OperationId[]).filter((id) => !isRepeatable(id));
  assert.deepEqual(unrepeatable, [
    'postTokenRotate',
    'postWebhooks',
    'postWebhooksIdReplay',
    'postWebhooksIdRotateSecret',
    'postWebhooksIdTest',
  ]);
  for (const id of unrepeatable) {
    for (const status of [0, 500, 503]) assert.equal(delayBeforeRetryMs(id, failure(status), 0), undefined, id);
    assert.notEqual(delayBeforeRetryMs(id, failure(429), 0), undefined, id);
  }
});
