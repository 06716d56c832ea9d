import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runByOwner, runFullChunks, runInChunks } from './run-in-chunks.ts';

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

test('full chunks repeat until one is not full', async () => {
  const counts = [10, 10, 3, 10];
  assert.equal(await runFullChunks(10, async () => counts.shift() ?? 0), 23);
  assert.deepEqual(counts, [10]);
});

test('owners are read again after a full chunk, and passed once their rows are gone', async () => {
  const rows = new Map([
    [1, 2],
    [2, 5],
    [7, 1],
  ]);
  const readAfter: number[] = [];
  const limit = 3;
  const total = await runByOwner(limit, async (afterId) => {
    readAfter.push(afterId);
    const owner = [...rows.keys()].find((id) => id > afterId);
    if (owner === undefined) return { count: 0, lastId: null };
    const left = rows.get(owner) ?? 0;
    const count = Math.min(left, limit);
    rows.set(owner, left - count);
    return { count, lastId: owner };
  });
  assert.equal(total, 8);
  assert.deepEqual(readAfter, [0, 1, 1, 2, 7]);
});
