import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { batchOf } from './batcher.ts';
import { DatabaseUnavailable } from './database.ts';

fc.configureGlobal({ seed: 1 });

/** Returns a batcher that records its batches and holds each one until the test releases it. */
function createHeldBatcher(options: { maxBatch?: number } = {}) {
  const batches: number[][] = [];
  const gates: PromiseWithResolvers<void>[] = [];
  const batcher = batchOf(async (items: readonly number[]) => {
    batches.push([...items]);
    const held = Promise.withResolvers<void>();
    gates.push(held);
    await held.promise;
    return items.map((item) => `outcome ${item}`);
  }, options);
  return { batcher, batches, release: (index: number) => gates[index]?.resolve() };
}

/** Waits a few turns of the event loop, because a batch begins in the next turn. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}

describe('when batches run', () => {
  test('an idle batcher starts a batch of one in the next turn', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
    const { batcher, batches, release } = createHeldBatcher();
    const outcome = batcher.submit(1);
    await settled();
    assert.deepEqual(batches, [[1]]);
    release(0);
    assert.equal(await outcome, 'outcome 1');
  });

  test('items submitted during a batch share the next one in their order', async () => {
    const { batcher, batches, release } = createHeldBatcher();
    const outcomes = [batcher.submit(1)];
    await settled();
    outcomes.push(batcher.submit(2), batcher.submit(3));
    await settled();
    outcomes.push(batcher.submit(4));
    assert.deepEqual(batches, [[1]], 'one batch at a time');
    release(0);
    await settled();
    assert.deepEqual(batches, [[1], [2, 3, 4]]);
    release(1);
    assert.deepEqual(await Promise.all(outcomes), ['outcome 1', 'outcome 2', 'outcome 3', 'outcome 4']);
  });

  test('a batch never exceeds the maximum; the next batch takes the rest', async () => {
    const { batcher, batches, release } = createHeldBatcher({ maxBatch: 3 });
    const outcomes = Promise.all([1, 2, 3, 4, 5, 6, 7].map((item) => batcher.submit(item)));
    for (let i = 0; i < 3; i++) {
      await settled();
      release(i);
    }
    assert.equal((await outcomes).length, 7);
    assert.deepEqual(batches, [[1, 2, 3], [4, 5, 6], [7]]);
  });

  test('a drained batcher starts again', async () => {
    const batcher = batchOf<number, number>(async (items) => items);
    assert.equal(await batcher.submit(1), 1);
    await batcher.drain();
    assert.equal(await batcher.submit(2), 2);
  });
});

describe('drain', () => {
  test('drain of an idle batcher returns', async () => {
    await batchOf<number, number>(async (items) => items).drain();
  });

  test('drain waits for the running batch and for queued batches, even if they fail', async () => {
    const { batcher, batches, release } = createHeldBatcher({ maxBatch: 1 });
    const outcomes: string[] = [];
    for (const item of [1, 2]) void batcher.submit(item).then((outcome) => outcomes.push(outcome));
    let isDrained = false;
    const drained = batcher.drain().then(() => {
      isDrained = true;
    });
    for (let i = 0; i < 2; i++) {
      await settled();
      assert.deepEqual([isDrained, batches.length], [false, i + 1]);
      release(i);
    }
    await drained;
    assert.deepEqual(outcomes, ['outcome 1', 'outcome 2']);

    const failing = batchOf<number, number>(() => Promise.reject(new Error('no')));
    const failure = assert.rejects(failing.submit(1));
    await failing.drain();
    await failure;
  });
});

describe('failures', () => {
  test('each item gets its own outcome, and a bad item fails alone', async () => {
    const items = fc.array(fc.record({ id: fc.integer(), isBad: fc.boolean() }), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(items, fc.integer({ min: 1, max: 10 }), async (submitted, maxBatch) => {
        const counted = new Map<object, number>();
        const batcher = batchOf(
          async (batch: readonly { id: number; isBad: boolean }[]) => {
            const bad = batch.find((item) => item.isBad);
            if (bad !== undefined) throw new Error(`bad ${bad.id}`);
            for (const item of batch) counted.set(item, (counted.get(item) ?? 0) + 1);
            return batch.map((item) => item.id * 2);
          },
          { maxBatch },
        );
        const results = await Promise.allSettled(submitted.map((item) => batcher.submit(item)));
        for (const [i, item] of submitted.entries()) {
          const result = results[i];
          if (item.isBad) {
            assert.equal(result?.status, 'rejected');
            assert.equal((result.reason as Error).message, `bad ${item.id}`, 'the error of its own item');
          } else {
            assert.deepEqual(result, { status: 'fulfilled', value: item.id * 2 });
            assert.equal(counted.get(item), 1, 'a successful item runs once');
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  test('isolating one bad item takes a logarithmic number of runs', async () => {
    let runs = 0;
    const batcher = batchOf<number, number>(async (items) => {
      runs++;
      if (items.includes(100)) throw new Error('bad');
      return items;
    });
    const results = await Promise.allSettled(Array.from({ length: 256 }, (_, i) => batcher.submit(i)));
    assert.equal(results.filter(({ status }) => status === 'rejected').length, 1);
    assert.ok(runs <= 1 + 2 * 8, `${runs} runs`);
  });

  test('an unavailable database rejects the whole batch without retrying halves', async () => {
    let runs = 0;
    const gone = new DatabaseUnavailable('gone');
    const batcher = batchOf<number, number>(async () => {
      runs++;
      throw gone;
    });
    const results = await Promise.allSettled([1, 2, 3, 4, 5].map((item) => batcher.submit(item)));
    for (const result of results) assert.deepEqual(result, { status: 'rejected', reason: gone });
    assert.equal(runs, 1);
  });

  test('the batcher works again when the database is back', async () => {
    let isUp = false;
    const batcher = batchOf<number, number>(async (items) => {
      if (!isUp) throw new DatabaseUnavailable('gone');
      return items;
    });
    await assert.rejects(batcher.submit(1), DatabaseUnavailable);
    isUp = true;
    assert.equal(await batcher.submit(2), 2);
  });

  test('a run that throws synchronously fails its items but not the batcher', async () => {
    let isBroken = true;
    const batcher = batchOf<number, number>((items) => {
      if (isBroken) throw new Error('at once');
      return Promise.resolve(items);
    });
    await assert.rejects(batcher.submit(1), /at once/);
    isBroken = false;
    assert.equal(await batcher.submit(2), 2);
  });

  test('a batch with the wrong number of outcomes is rejected', async () => {
    for (const wrong of [[], [1], [1, 2, 3]]) {
      const batcher = batchOf<number, number>(async (items) => (items.length === 2 ? wrong : items));
      // The halves return the right number, so each item still gets its own outcome.
      assert.deepEqual(await Promise.all([batcher.submit(7), batcher.submit(8)]), [7, 8]);
    }
    const alwaysWrong = batchOf<number, number>(async () => [1, 2, 3]);
    await assert.rejects(alwaysWrong.submit(1), /a batch of 1 returned 3 outcomes/);
  });
});
