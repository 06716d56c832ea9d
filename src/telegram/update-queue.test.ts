import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSequencer } from './update-queue.ts';

test('work with a common key runs in order, even after a failure, and other work does not wait', async () => {
  const sequencer = createSequencer();
  const done: string[] = [];
  const slow = Promise.withResolvers<void>();
  const first = sequencer.run(['a'], async () => {
    await slow.promise;
    done.push('first');
    throw new Error('failed');
  });
  const both = sequencer.run(['a', 'b'], async () => void done.push('both'));
  const behind = sequencer.run(['b'], async () => void done.push('behind'));
  await sequencer.run(['c'], async () => void done.push('other'));
  assert.deepEqual(done, ['other']);
  slow.resolve();
  await assert.rejects(first, /failed/);
  await Promise.all([both, behind]);
  assert.deepEqual(done, ['other', 'first', 'both', 'behind']);
});
