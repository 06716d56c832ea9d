import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitAtMost } from './wait-at-most.ts';

const never = new Promise(() => undefined);

test('work that ends in time ends the wait', async () => {
  assert.equal(await waitAtMost(600_000, Promise.resolve('anything')), true);
});

test('the limit or the signal ends the wait for work that does not end', async () => {
  assert.equal(await waitAtMost(1, never), false);
  assert.equal(await waitAtMost(600_000, never, AbortSignal.abort()), false);
});

test('the error of the work reaches the caller', async () => {
  await assert.rejects(waitAtMost(600_000, Promise.reject(new Error('on purpose'))), /on purpose/);
});
