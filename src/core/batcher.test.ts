import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { createBatcher } from './batcher.ts';
import { DatabaseUnavailable } from './database.ts';

fc.configureGlobal({ seed: 1 });

/** A batcher whose batches wait until the test lets them go, and which remembers what came together. */
function heldBatcher(options: { maxBatch?: number } = {}) {
  const batches: number[][] = [];
  const gates: PromiseWithResolvers<void>[] = [];
  const batcher = createBatcher<number, string>({
    ...options,
    async run(items) {
      batches.push([...items]);
      const held = Promise.withResolvers<void>();
      gates.push(held);
      await held.promise;
      return items.map((item) => `answer ${item}`);
    },
  });
  return { batcher, batches, letGo: (index: number) => gates[index]?.resolve() };
}

/** Lets everything run that does not wait for a timer or for the outside: a batch begins with the next turn. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}

describe('when batches run', () => {
  test('an idle batcher begins with the next turn, without waiting for company', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
    const { batcher, batches, letGo } = heldBatcher();
    const answer = batcher.submit(1);
    await settled();
    assert.deepEqual(batches, [[1]]);
    letGo(0);
    assert.equal(await answer, 'answer 1');
  });

  test('what arrives during a batch shares the next one, in the order it came', async () => {
    const { batcher, batches, letGo } = heldBatcher();
    const answers = [batcher.submit(1)];
    await settled();
    answers.push(batcher.submit(2), batcher.submit(3));
    await settled();
    answers.push(batcher.submit(4));
    assert.deepEqual(batches, [[1]], 'one batch at a time');
    letGo(0);
    await settled();
    assert.deepEqual(batches, [[1], [2, 3, 4]]);
    letGo(1);
    assert.deepEqual(await Promise.all(answers), ['answer 1', 'answer 2', 'answer 3', 'answer 4']);
  });

  test('a batch is never larger than allowed, and the rest follows', async () => {
    const { batcher, batches, letGo } = heldBatcher({ maxBatch: 3 });
    const answers = Promise.all([1, 2, 3, 4, 5, 6, 7].map((item) => batcher.submit(item)));
    for (let i = 0; i < 3; i++) {
      await settled();
      letGo(i);
    }
    assert.equal((await answers).length, 7);
    assert.deepEqual(batches, [[1, 2, 3], [4, 5, 6], [7]]);
  });

  test('after a pause it begins again by itself', async () => {
    const batcher = createBatcher<number, number>({ run: async (items) => items });
    assert.equal(await batcher.submit(1), 1);
    await batcher.drain();
    assert.equal(await batcher.submit(2), 2);
  });
});

describe('drain', () => {
  test('an idle batcher is drained', async () => {
    await createBatcher<number, number>({ run: async (items) => items }).drain();
  });

  test('waits for the batch under way and for those behind it, also when they fail', async () => {
    const { batcher, batches, letGo } = heldBatcher({ maxBatch: 1 });
    const answered: string[] = [];
    for (const item of [1, 2]) void batcher.submit(item).then((answer) => answered.push(answer));
    let isDrained = false;
    const drained = batcher.drain().then(() => {
      isDrained = true;
    });
    for (let i = 0; i < 2; i++) {
      await settled();
      assert.deepEqual([isDrained, batches.length], [false, i + 1]);
      letGo(i);
    }
    await drained;
    assert.deepEqual(answered, ['answer 1', 'answer 2']);

    const failing = createBatcher<number, number>({ run: () => Promise.reject(new Error('no')) });
    const failure = assert.rejects(failing.submit(1));
    await failing.drain();
    await failure;
  });
});

describe('failures', () => {
  test('every outcome goes to the one who asked, and an item at fault fails alone, wherever it stands', async () => {
    const items = fc.array(fc.record({ id: fc.integer(), isBad: fc.boolean() }), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(items, fc.integer({ min: 1, max: 10 }), async (submitted, maxBatch) => {
        const counted = new Map<object, number>();
        const batcher = createBatcher<{ id: number; isBad: boolean }, number>({
          maxBatch,
          async run(batch) {
            const bad = batch.find((item) => item.isBad);
            if (bad !== undefined) throw new Error(`bad ${bad.id}`);
            for (const item of batch) counted.set(item, (counted.get(item) ?? 0) + 1);
            return batch.map((item) => item.id * 2);
          },
        });
        const results = await Promise.allSettled(submitted.map((item) => batcher.submit(item)));
        for (const [i, item] of submitted.entries()) {
          const result = results[i];
          if (item.isBad) {
            assert.equal(result?.status, 'rejected');
            assert.equal((result.reason as Error).message, `bad ${item.id}`, 'its own fault, not a neighbour’s');
          } else {
            assert.deepEqual(result, { status: 'fulfilled', value: item.id * 2 });
            assert.equal(counted.get(item), 1, 'what succeeded is not run again');
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  test('finding one bad item among many takes a number of tries that grows with the logarithm', async () => {
    let runs = 0;
    const batcher = createBatcher<number, number>({
      async run(items) {
        runs++;
        if (items.includes(100)) throw new Error('bad');
        return items;
      },
    });
    const results = await Promise.allSettled(Array.from({ length: 256 }, (_, i) => batcher.submit(i)));
    assert.equal(results.filter(({ status }) => status === 'rejected').length, 1);
    assert.ok(runs <= 1 + 2 * 8, `${runs} runs`);
  });

  test('without a database everyone is told at once, and nothing is tried in halves', async () => {
    let runs = 0;
    const gone = new DatabaseUnavailable('gone');
    const batcher = createBatcher<number, number>({
      async run() {
        runs++;
        throw gone;
      },
    });
    const results = await Promise.allSettled([1, 2, 3, 4, 5].map((item) => batcher.submit(item)));
    for (const result of results) assert.deepEqual(result, { status: 'rejected', reason: gone });
    assert.equal(runs, 1);
  });

  test('a missing database fails that batch only: the next is tried again', async () => {
    let isUp = false;
    const batcher = createBatcher<number, number>({
      async run(items) {
        if (!isUp) throw new DatabaseUnavailable('gone');
        return items;
      },
    });
    await assert.rejects(batcher.submit(1), DatabaseUnavailable);
    isUp = true;
    assert.equal(await batcher.submit(2), 2);
  });

  test('a run that throws before it returns a promise fails its items and not the batcher', async () => {
    let isBroken = true;
    const batcher = createBatcher<number, number>({
      run(items) {
        if (isBroken) throw new Error('at once');
        return Promise.resolve(items);
      },
    });
    await assert.rejects(batcher.submit(1), /at once/);
    isBroken = false;
    assert.equal(await batcher.submit(2), 2);
  });

  test('nobody gets an answer from a batch with too many or too few of them', async () => {
    for (const wrong of [[], [1], [1, 2, 3]]) {
      const batcher = createBatcher<number, number>({ run: async (items) => (items.length === 2 ? wrong : items) });
      // The halves have the right number again, so each still gets its own answer.
      assert.deepEqual(await Promise.all([batcher.submit(7), batcher.submit(8)]), [7, 8]);
    }
    const alwaysWrong = createBatcher<number, number>({ run: async () => [1, 2, 3] });
    await assert.rejects(alwaysWrong.submit(1), /a batch of 1 was answered with 3 outcomes/);
  });
});
