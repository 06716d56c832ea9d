import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInChunks } from './run-in-chunks.ts';

test('chunks run until one reports that none is left, and their counts add up', async () => {
  const pieces = [3, 0, 2];
  assert.equal(await runInChunks(async () => ({ count: pieces.shift() ?? 99, hasMore: pieces.length > 0 })), 5);
  assert.deepEqual(pieces, []);
});

test('after an abort the current chunk finishes and counts, and no further chunk starts', async () => {
  const stop = new AbortController();
  let begun = 0;
  const total = await runInChunks(
    async () => {
      if (++begun === 2) stop.abort();
      return { count: 10, hasMore: true };
    },
    { signal: stop.signal },
  );
  assert.deepEqual([begun, total], [2, 20]);
  assert.equal(await runInChunks(() => assert.fail('begun after the abort'), { signal: stop.signal }), 0);
});

test('work that exceeds the time limit stops and leaves the rest to the next run', async () => {
  let begun = 0;
  const endless = async () => ({ count: 1, hasMore: ++begun < 1_000_000 });
  assert.equal(await runInChunks(endless, { withinMs: 20 }), begun);
  assert.ok(begun < 1_000_000);
});

test('an error of a chunk reaches the caller', async () => {
  const failing = () => Promise.reject(new Error('no database'));
  await assert.rejects(runInChunks(failing), /no database/);
});
