import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classifyRefusal, DOUBT_SECONDS, pauseAfter, SPENT } from './send-payouts.ts';

const now = new Date('2026-03-01T12:00:00Z');
const ago = (seconds: number): Date => new Date(now.getTime() - seconds * 1000);
const refusal = (name: string, code = 400) => ({ kind: 'refused', name, code }) as const;

test('a refused first attempt is final, or is retried when the service is the cause', () => {
  assert.equal(classifyRefusal(refusal('USER_NOT_FOUND'), null, now), 'failed');
  assert.equal(classifyRefusal(refusal('AMOUNT_TOO_SMALL'), null, now), 'failed');
  assert.equal(classifyRefusal(refusal('NOT_ENOUGH_COINS'), null, now), 'try_again');
  for (const code of [401, 403, 404, 405, 429]) {
    assert.equal(classifyRefusal(refusal('ANYTHING', code), null, now), 'try_again', String(code));
  }
});

test('a refusal leaves the payout in doubt while an earlier attempt has no response', () => {
  assert.equal(classifyRefusal(refusal('USER_NOT_FOUND'), ago(DOUBT_SECONDS - 1), now), 'in_doubt');
  assert.equal(classifyRefusal(refusal('NOT_ENOUGH_COINS'), ago(0), now), 'in_doubt');
  assert.equal(classifyRefusal(refusal('USER_NOT_FOUND'), ago(DOUBT_SECONDS), now), 'failed');
  assert.equal(classifyRefusal(refusal('NOT_ENOUGH_COINS'), ago(DOUBT_SECONDS), now), 'try_again');
});

test('a used spend id leaves the payout in doubt at any age', () => {
  for (const since of [null, ago(0), ago(DOUBT_SECONDS * 1_000)]) {
    assert.equal(classifyRefusal(refusal(SPENT), since, now), 'in_doubt');
  }
});

test('pauses between attempts grow up to a maximum', () => {
  const pauses = [1, 2, 3, 10, 1_000_000].map(pauseAfter);
  assert.deepEqual(pauses, [30, 60, 120, 600, 600]);
});
